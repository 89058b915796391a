import { Form, Input, Radio } from 'antd'
import { NAME_MAX } from '#contract/common.ts'
import { listWriteKeys, makeWriteKey, WRITE_KEY_KINDS } from '#contract/tracking.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useAction } from '../../lib/query.ts'

interface Values {
  name: string
  kind: keyof typeof WRITE_KEY_KINDS
}

interface Props {
  advId: number
  onMade: (key: { id: number; name: string; kind: Values['kind'] }) => void
  onClose: () => void
}

const KINDS = [
  { value: 'page', label: WRITE_KEY_KINDS.page },
  { value: 'server', label: WRITE_KEY_KINDS.server },
]

/** Makes a write key, and goes on to the code that has it. */
export function NewKeyDialog({ advId, onMade, onClose }: Props) {
  const making = useAction(makeWriteKey, [listWriteKeys])
  const save = async ({ name, kind }: Values) => {
    const { id } = await making.mutateAsync({ body: { adv_id: advId, name: name.trim(), kind } })
    onClose()
    onMade({ id, name: name.trim(), kind })
  }
  return (
    <FormDialog<Values>
      title="新建写入密钥"
      okText="创建"
      isBusy={making.isPending}
      initialValues={{ kind: 'page' }}
      refusalUnder="name"
      onSave={save}
      onCancel={onClose}
    >
      <Form.Item
        name="name"
        label="名称"
        rules={[{ required: true, whitespace: true, message: '请输入密钥名称' }]}
        extra="写明用在哪里，例如「官网」「订单服务」"
      >
        <Input maxLength={NAME_MAX} showCount autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="kind"
        label="用在哪里"
        extra="网页中的密钥是公开的：不能合并用户，也不能改写已有用户的属性。服务端的密钥请勿放进网页。"
      >
        <Radio.Group aria-label="用在哪里" options={KINDS} />
      </Form.Item>
    </FormDialog>
  )
}

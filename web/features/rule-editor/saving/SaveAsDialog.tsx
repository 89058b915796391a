import { Form, Input } from 'antd'
import { ItemName } from '#contract/common.ts'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { zodRule } from '../../../lib/zod-rule.ts'
import { copyName } from './copy-name.ts'

/** Asks for the name under which the editor's content becomes another crowd. */
export function SaveAsDialog(props: {
  /** The name of the crowd that stays as it is. */
  name: string
  isBusy: boolean
  onSave: (name: string) => Promise<unknown>
  onCancel: () => void
}) {
  const { name, isBusy, onSave, onCancel } = props
  return (
    <FormDialog<{ name: string }>
      title="另存为"
      isBusy={isBusy}
      initialValues={{ name: copyName(name) }}
      onSave={(values) => onSave(values.name)}
      onCancel={onCancel}
      refusalUnder="name"
    >
      <Form.Item
        name="name"
        label="名称"
        extra={`以当前内容新建一个定向包，「${name}」保持上次保存的样子。`}
        rules={[zodRule(ItemName)]}
        validateTrigger="onSubmit"
      >
        <Input maxLength={60} count={{ show: true, max: 30, strategy: (text) => [...text].length }} />
      </Form.Item>
    </FormDialog>
  )
}

import { App, Form, Input } from 'antd'
import {
  CrowdName,
  type CustomCrowd,
  getCustomCrowd,
  listCustomCrowds,
  updateCustomCrowd,
} from '#contract/custom-crowd.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'

/** Only here: the audiences on the platforms keep the name that they were made with. */
export function RenameDialog({ crowd, onClose }: { crowd: CustomCrowd; onClose: () => void }) {
  const { message } = App.useApp()
  const rename = useAction(updateCustomCrowd, [listCustomCrowds, getCustomCrowd], { meta: { quiet: true } })
  return (
    <FormDialog<{ name: string }>
      title="重命名人群"
      isBusy={rename.isPending}
      initialValues={{ name: crowd.name }}
      refusalUnder="name"
      onSave={async ({ name }) => {
        if (name !== crowd.name) await rename.mutateAsync({ body: { id: crowd.id, name } })
        message.success('修改成功')
        onClose()
      }}
      onCancel={onClose}
    >
      <Form.Item
        name="name"
        label="人群名称"
        extra={crowd.audiences.length > 0 ? '已推送到平台的子人群保留原来的名称。' : undefined}
        rules={[zodRule(CrowdName)]}
        validateTrigger="onSubmit"
      >
        <Input autoFocus maxLength={60} placeholder="1 到 30 个字符" count={{ show: true, max: 30 }} />
      </Form.Item>
    </FormDialog>
  )
}

import { App, Form, Input } from 'antd'
import { ItemName } from '#contract/common.ts'
import { getTargeting, listTargetings, type TargetingPackage, updateTargeting } from '#contract/targeting-package.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'

export function RenamePackageDialog({ row, onClose }: { row: TargetingPackage; onClose: () => void }) {
  const { message } = App.useApp()
  const rename = useAction(updateTargeting, [listTargetings, getTargeting], { meta: { quiet: true } })
  return (
    <FormDialog<{ name: string }>
      title="重命名定向包"
      isBusy={rename.isPending}
      initialValues={{ name: row.name }}
      refusalUnder="name"
      onSave={async ({ name }) => {
        if (name !== row.name) {
          await rename.mutateAsync({ body: { id: row.id, targeting_name: name, advertiser_id: row.advertiser_id } })
        }
        message.success('修改成功')
        onClose()
      }}
      onCancel={onClose}
    >
      <Form.Item name="name" label="定向包名称" rules={[zodRule(ItemName)]} validateTrigger="onSubmit">
        <Input maxLength={60} placeholder="1 到 30 个字符" count={{ show: true, max: 30 }} />
      </Form.Item>
    </FormDialog>
  )
}

import { App, Form, Input } from 'antd'
import { ItemName } from '#contract/common.ts'
import type { TargetingPackage } from '#contract/targeting-package.ts'
import { addTemplate, listTemplates } from '#contract/targeting-template.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'

/** Saves a package as a template of its advertiser. */
export function SaveTemplateDialog({ row, onClose }: { row: TargetingPackage; onClose: () => void }) {
  const { message } = App.useApp()
  const add = useAction(addTemplate, [listTemplates], { meta: { quiet: true } })
  return (
    <FormDialog<{ name: string }>
      title="存为模板"
      isBusy={add.isPending}
      initialValues={{ name: row.name }}
      refusalUnder="name"
      onSave={async ({ name }) => {
        const { changes } = await add.mutateAsync({ body: { package_id: row.id, name } })
        message.success(
          changes.length > 0 ? `已存为模板，${changes.map(({ label }) => label).join('、')}没有存入` : '已存为模板',
        )
        onClose()
      }}
      onCancel={onClose}
    >
      <Form.Item
        name="name"
        label="模板名称"
        rules={[zodRule(ItemName)]}
        validateTrigger="onSubmit"
        extra="之后新建时可以从模板开始。人群属于平台账户，不会存入模板。"
      >
        <Input maxLength={60} placeholder="1 到 30 个字符" count={{ show: true, max: 30 }} />
      </Form.Item>
    </FormDialog>
  )
}

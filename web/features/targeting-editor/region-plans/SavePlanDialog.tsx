import { App, Form, Input } from 'antd'
import { addRegionPlan, PlanName } from '#contract/region-plan.ts'
import { getTags } from '#contract/targeting-tags.ts'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { useAction } from '../../../lib/query.ts'
import { zodRule } from '../../../lib/zod-rule.ts'
import { useEditing } from '../editor-context.ts'

/** Names the chosen regions. */
export function SavePlanDialog({ regions, onClose }: { regions: readonly string[]; onClose: () => void }) {
  const { message } = App.useApp()
  const { accountId } = useEditing()
  const add = useAction(addRegionPlan, [getTags], { meta: { quiet: true } })
  return (
    <FormDialog<{ name: string }>
      title={`把所选的 ${regions.length} 个地域存为地域包`}
      isBusy={add.isPending}
      refusalUnder="name"
      onSave={async ({ name }) => {
        await add.mutateAsync({ body: { advertiser_id: accountId, name, regions: [...regions] } })
        message.success('保存成功')
        onClose()
      }}
      onCancel={onClose}
    >
      <PlanNameField />
    </FormDialog>
  )
}

export const PlanNameField = () => (
  <Form.Item name="name" label="地域包名称" rules={[zodRule(PlanName)]} validateTrigger="onSubmit">
    <Input maxLength={60} placeholder="1 到 30 个字符" count={{ show: true, max: 30 }} />
  </Form.Item>
)

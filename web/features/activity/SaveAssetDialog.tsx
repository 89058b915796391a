import { App, Form, Input } from 'antd'
import { AssetName, listActivityAssets, saveActivityAsset } from '#contract/activity-asset.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import text from '../../components/text.module.css'
import { useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'

/** Saves what an activity holds as an asset, from which others can start. */
export function SaveAssetDialog({
  activity,
  onClose,
}: {
  activity: { id: number; name: string }
  onClose: () => void
}) {
  const { message } = App.useApp()
  const saving = useAction(saveActivityAsset, [listActivityAssets], { meta: { quiet: true } })
  return (
    <FormDialog<{ name: string }>
      title="存为资产"
      isBusy={saving.isPending}
      initialValues={{ name: activity.name }}
      refusalUnder="name"
      onSave={async ({ name }) => {
        await saving.mutateAsync({ body: { id: activity.id, name } })
        message.success('保存成功')
        onClose()
      }}
      onCancel={onClose}
    >
      <p className={`${text.hint} ${text.firstParagraph}`}>
        保存现在的产品与计划，不带日期与平台计划；新建活动时可以引用。
      </p>
      <Form.Item name="name" label="资产名称" rules={[zodRule(AssetName)]} validateTrigger="onSubmit">
        <Input maxLength={60} placeholder="1 到 30 个字符" count={{ show: true, max: 30 }} />
      </Form.Item>
    </FormDialog>
  )
}

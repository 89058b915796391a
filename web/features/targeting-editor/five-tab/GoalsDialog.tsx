import { useQuery } from '@tanstack/react-query'
import { App, Form, Input, Select } from 'antd'
import { PlatformId } from '#contract/targeting/common.ts'
import { type EstimateGoals, EXTERNAL_ACTIONS } from '#contract/targeting/estimate-goals.ts'
import { getEstimateGoals, setEstimateGoals } from '#contract/targeting-estimate.ts'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { queryOf, useAction } from '../../../lib/query.ts'
import { useFiveTab } from './use-five-tab.ts'

type Action = keyof typeof EXTERNAL_ACTIONS
interface Values {
  external_action: Action
  id: string
}

const OPTIONS = (Object.entries(EXTERNAL_ACTIONS) as [Action, string][]).map(([value, label]) => ({ value, label }))
const DIGITS = {
  async validator(_rule: unknown, value: unknown) {
    if (!PlatformId.safeParse(value).success) throw new Error('请输入数字编号')
  },
}

/** What the account's estimates are for: a live room's creator, or a video's product. */
export function GoalsDialog({ onClose }: { onClose: () => void }) {
  const { accountId, form } = useFiveTab()
  const { message } = App.useApp()
  const goals = useQuery({ ...queryOf(getEstimateGoals, { query: { advertiser_id: accountId } }), staleTime: 0 })
  const save = useAction(setEstimateGoals, [getEstimateGoals])
  if (!goals.data) return null
  const isLive = form.landing_type === 'LIVE'
  const { LIVE, VIDEO } = goals.data
  const merged = ({ external_action, id }: Values): EstimateGoals =>
    isLive ? { VIDEO, LIVE: { external_action, aweme_id: id } } : { LIVE, VIDEO: { external_action, product_id: id } }
  const current = isLive ? LIVE && { ...LIVE, id: LIVE.aweme_id } : VIDEO && { ...VIDEO, id: VIDEO.product_id }
  const noun = isLive ? '抖音号 ID' : '商品 ID'
  return (
    <FormDialog<Values>
      title={isLive ? '直播的预估目标' : '短视频的预估目标'}
      isBusy={save.isPending}
      initialValues={current ?? {}}
      onSave={async (values) => {
        await save.mutateAsync({ body: { advertiser_id: accountId, ...merged(values) } })
        message.success('保存成功')
        onClose()
      }}
      onCancel={onClose}
    >
      <Form.Item name="external_action" label="转化目标" rules={[{ required: true, message: '请选择转化目标' }]}>
        <Select placeholder="请选择转化目标" options={OPTIONS} />
      </Form.Item>
      <Form.Item
        name="id"
        label={noun}
        rules={[DIGITS]}
        extra="平台按它预估；同一账户的定向包共用，只影响预估，不影响保存。"
      >
        <Input inputMode="numeric" maxLength={19} placeholder={`请输入${noun}`} />
      </Form.Item>
    </FormDialog>
  )
}

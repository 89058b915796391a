import { useQuery } from '@tanstack/react-query'
import { App, Checkbox, Form, InputNumber, Radio, Select } from 'antd'
import { Link } from 'react-router'
import { TELL_SHARE_MAX, TELL_SHARE_MIN, TellShare } from '#contract/crowd-change.ts'
import { type CrowdSchedule, HOURS_BETWEEN, WEEKDAYS } from '#contract/crowd-schedule.ts'
import { getRuleCrowd, listRuleCrowds, type RuleCrowd, setCrowdUpdates } from '#contract/rule-crowd.ts'
import { listWebhooks } from '#contract/webhook.ts'
import { atLeastOne } from '../../components/at-least-one.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { TwoLines } from '../../components/TwoLines.tsx'
import text from '../../components/text.module.css'
import { paths } from '../../lib/paths.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'
import { nextWords } from './next-words.ts'
import { fieldsOf, type ScheduleFields, scheduleOf } from './schedule-fields.ts'

const KINDS: { value: CrowdSchedule['every']; label: string }[] = [
  { value: 'data', label: '跟随数据' },
  { value: 'hours', label: '每几小时' },
  { value: 'day', label: '每天' },
  { value: 'week', label: '每周' },
]
const HOW: Record<CrowdSchedule['every'], string> = {
  data: '数据变化后自动重新计算，最多每 15 分钟一次；另外每天 00:30 计算一次。',
  hours: '从零点起按固定的间隔更新；数据变化到下次更新时计入。',
  day: '每天在这个时间更新；数据变化到下次更新时计入。',
  week: '每周在所选的日子更新；数据变化到下次更新时计入。',
}
const BETWEEN = HOURS_BETWEEN.map((hours) => ({ value: hours, label: hours === 1 ? '每小时' : `每 ${hours} 小时` }))
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: `${String(hour).padStart(2, '0')}:00` }))
const DAYS = WEEKDAYS.map((day, at) => ({ value: at + 1, label: `周${day}` }))

interface Fields extends ScheduleFields {
  isTold: boolean
  share: number | null
}

const SHARE_OFFERED = 10
const shareRule = zodRule(TellShare)

/** When a crowd is updated, and which of its changes are told. */
export function UpdatesDialog({ crowd, onClose }: { crowd: RuleCrowd; onClose: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Fields>()
  const initial: Fields = {
    ...fieldsOf(crowd.schedule),
    isTold: crowd.tellShare !== null,
    share: crowd.tellShare ?? SHARE_OFFERED,
  }
  const every = Form.useWatch('every', form) ?? initial.every
  const isTold = Form.useWatch('isTold', form) ?? initial.isTold
  const save = useAction(setCrowdUpdates, [listRuleCrowds, getRuleCrowd], { meta: { quiet: true } })
  return (
    <FormDialog<Fields>
      title={`「${crowd.name}」的更新与通知`}
      width={560}
      form={form}
      isBusy={save.isPending}
      initialValues={initial}
      refusalUnder="every"
      onSave={async ({ isTold, share, ...fields }) => {
        const body = { schedule: scheduleOf(fields), tellShare: isTold ? share : null }
        const { nextAt } = await save.mutateAsync({ params: { id: crowd.id }, body })
        message.success(<TwoLines text="修改成功" more={`下次更新：${nextWords({ status: crowd.status, nextAt })}`} />)
        onClose()
      }}
      onCancel={onClose}
    >
      <Form.Item name="every" label="更新时间" extra={HOW[every]}>
        <Radio.Group options={KINDS} optionType="button" />
      </Form.Item>
      {every === 'hours' && (
        <Form.Item name="hours" label="间隔">
          <Select options={BETWEEN} />
        </Form.Item>
      )}
      {every === 'week' && (
        <Form.Item name="days" label="星期" rules={[atLeastOne('请选择星期')]}>
          <Checkbox.Group options={DAYS} />
        </Form.Item>
      )}
      {(every === 'day' || every === 'week') && (
        <Form.Item name="hour" label="时间">
          <Select options={HOURS} />
        </Form.Item>
      )}
      <Form.Item
        name="isTold"
        label="变化通知"
        valuePropName="checked"
        extra="与上次通知的版本相比，进入与离开的人数合计占原人数的百分比。每个版本最多通知一次。"
      >
        <Checkbox>人群变化较大时通知</Checkbox>
      </Form.Item>
      {isTold && (
        <Form.Item name="share" label="变化超过" rules={[shareRule]} extra={<Receivers advId={crowd.adv_id} />}>
          <InputNumber min={TELL_SHARE_MIN} max={TELL_SHARE_MAX} precision={0} suffix="%" />
        </Form.Item>
      )}
    </FormDialog>
  )
}

/** How many addresses would be told; without any, where to add one. */
function Receivers({ advId }: { advId: number }) {
  const webhooks = useQuery({ ...queryOf(listWebhooks, { query: { adv_id: advId } }), meta: { silent: 'optional' } })
  if (!webhooks.data) return null
  const count = webhooks.data.list.filter(({ is_on, events }) => is_on && events.includes('crowd')).length
  if (count > 0) return <>会通知 {count} 个地址。</>
  return (
    <>
      还没有接收「人群变化」的通知地址，请在
      <Link className={text.underlined} to={paths.webhooks()} target="_blank" rel="noreferrer">
        推送通知
      </Link>
      里添加。
    </>
  )
}

import { App, Checkbox, Form, Radio, Select } from 'antd'
import { type CrowdSchedule, HOURS_BETWEEN, WEEKDAYS } from '#contract/crowd-schedule.ts'
import { getRuleCrowd, listRuleCrowds, type RuleCrowd, setCrowdUpdates } from '#contract/rule-crowd.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { TwoLines } from '../../components/TwoLines.tsx'
import { useAction } from '../../lib/query.ts'
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

/** When a crowd is updated. */
export function UpdatesDialog({ crowd, onClose }: { crowd: RuleCrowd; onClose: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<ScheduleFields>()
  const initial = fieldsOf(crowd.schedule)
  const every = Form.useWatch('every', form) ?? initial.every
  const save = useAction(setCrowdUpdates, [listRuleCrowds, getRuleCrowd], { meta: { quiet: true } })
  return (
    <FormDialog<ScheduleFields>
      title={`「${crowd.name}」的更新`}
      width={520}
      form={form}
      isBusy={save.isPending}
      initialValues={initial}
      refusalUnder="every"
      onSave={async (fields) => {
        const schedule = scheduleOf(fields)
        const { nextAt } = await save.mutateAsync({ params: { id: crowd.id }, body: { schedule } })
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
        <Form.Item name="days" label="星期" rules={[{ required: true, message: '请选择星期' }]}>
          <Checkbox.Group options={DAYS} />
        </Form.Item>
      )}
      {(every === 'day' || every === 'week') && (
        <Form.Item name="hour" label="时间">
          <Select options={HOURS} />
        </Form.Item>
      )}
    </FormDialog>
  )
}

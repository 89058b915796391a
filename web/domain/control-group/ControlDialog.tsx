import { useQuery } from '@tanstack/react-query'
import { Alert, App, Checkbox, Form, InputNumber, Modal } from 'antd'
import { SHARE_MAX, SHARE_MIN } from '#contract/control-group/membership.ts'
import { type ControlGroup, ControlShare, getControlGroup, setControlGroup } from '#contract/control-group.ts'
import { getCustomCrowd, listCustomCrowds } from '#contract/custom-crowd.ts'
import { checkPush } from '#contract/push.ts'
import { getRuleCrowd, listRuleCrowds } from '#contract/rule-crowd.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import space from '../../components/space.module.css'
import { formatTime } from '../../lib/format.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'

/** A crowd whose pushes may hold people out. */
export interface Held {
  kind: 'custom' | 'rule'
  id: number
  name: string
  adv_id: number
}

const SHARE_OFFERED = 10
const shareRule = zodRule(ControlShare)
const titleOf = ({ name }: Held) => `「${name}」的对照组`

/** Sets the part of a crowd that its pushes hold out. */
export function ControlDialog({ crowd, onClose }: { crowd: Held; onClose: () => void }) {
  const { kind, id } = crowd
  const group = useQuery({
    ...queryOf(getControlGroup, { query: { kind, id } }),
    meta: { inPlace: true },
  })
  if (group.data) return <ShareForm crowd={crowd} group={group.data.group} onClose={onClose} />
  return (
    <Modal open title={titleOf(crowd)} footer={null} onCancel={onClose}>
      <QueryState query={group} errorTitle="对照组加载失败">
        {() => null}
      </QueryState>
    </Modal>
  )
}

interface Fields {
  isOn: boolean
  share: number | null
}

function ShareForm({ crowd, group, onClose }: { crowd: Held; group: ControlGroup | null; onClose: () => void }) {
  const { kind, id } = crowd
  const { message } = App.useApp()
  const [form] = Form.useForm<Fields>()
  const initial: Fields = { isOn: group !== null, share: group?.share ?? SHARE_OFFERED }
  const isOn = Form.useWatch('isOn', form) ?? initial.isOn
  const share = Form.useWatch('share', form) ?? initial.share
  const isPushed = group !== null && group.pushed_at !== null
  const restarts = isPushed && (!isOn || share !== group.share)
  const save = useAction(
    setControlGroup,
    [getControlGroup, checkPush, listCustomCrowds, getCustomCrowd, listRuleCrowds, getRuleCrowd],
    { meta: { quiet: true } },
  )
  return (
    <FormDialog<Fields>
      title={titleOf(crowd)}
      form={form}
      isBusy={save.isPending}
      initialValues={initial}
      refusalUnder="isOn"
      {...(restarts ? { okText: isOn ? '重新分组' : '取消对照组', isDangerous: true } : {})}
      onSave={async (fields) => {
        const wanted = fields.isOn ? (fields.share ?? SHARE_OFFERED) : null
        await save.mutateAsync({ body: { kind, id, share: wanted, restart: restarts } })
        message.success(wanted === null ? '已取消对照组' : `已设置对照组 ${wanted}%，从下次推送起生效`)
        onClose()
      }}
      onCancel={onClose}
    >
      {isPushed && (
        <Alert
          type={restarts ? 'warning' : 'info'}
          showIcon
          className={space.above}
          title={
            restarts
              ? '已有推送用过这个对照组：改变或取消会重新随机分组，此前的对比到此为止。'
              : `${group.share}% 的对照组自 ${formatTime(group.pushed_at)} 用于推送，不再变动。`
          }
        />
      )}
      <Form.Item
        name="isOn"
        valuePropName="checked"
        extra="留出的人按 One ID 固定地随机抽取，重新计算或重复推送都不会换人；他们不会发送到任何投放账户，其他人照常推送；已推送过的账户，再推送一次后才移出他们。活动的分日数据里可以对比两组的转化。"
      >
        <Checkbox>推送时留出一部分人，作为对照组</Checkbox>
      </Form.Item>
      {isOn && (
        <Form.Item name="share" label="留出的比例" rules={[shareRule]}>
          <InputNumber min={SHARE_MIN} max={SHARE_MAX} precision={0} suffix="%" />
        </Form.Item>
      )}
    </FormDialog>
  )
}

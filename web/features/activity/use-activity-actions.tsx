import { App } from 'antd'
import { copyActivity, deleteActivity, getActivity } from '#contract/activity.ts'
import { type ActivityRow, listActivities, type PlanRow, totalActivities } from '#contract/activity-list.ts'
import { listActivityLog } from '#contract/activity-log.ts'
import { switchActivity, switchPlan } from '#contract/activity-switch.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { listUnlinkedPlans } from '#contract/report.ts'
import { useConfirm, useRefusal } from '../../components/use-confirm.ts'
import { useOnce } from '../../lib/once.ts'
import { useAction } from '../../lib/query.ts'
import { turnedWords, useAwaitedSwitches } from './awaited-switches.ts'

/** What shows activities, and is read again after a change. */
export const AFTER_CHANGE = [listActivities, totalActivities, getActivity, listActivityLog, listUnlinkedPlans]

export const isPlanRow = (row: ActivityRow | PlanRow): row is PlanRow => row.campaign_mold === 2

/** Actions on activities of the list, with their questions and messages. `rows`: undefined while they are another list's. */
export function useActivityActions(rows: readonly ActivityRow[] | undefined) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const showRefusal = useRefusal()
  const quiet = { meta: { quiet: true } }
  const switching = useAction(switchActivity, AFTER_CHANGE, quiet)
  const switchingPlan = useAction(switchPlan, AFTER_CHANGE, quiet)
  const copying = useAction(copyActivity, AFTER_CHANGE, quiet)
  const removing = useAction(deleteActivity, AFTER_CHANGE, quiet)

  const refuseTurn = (is_open: 0 | 1, why: string) => showRefusal(is_open === 1 ? '没有启用' : '没有关闭', why)
  const awaitTurn = useAwaitedSwitches(rows, ({ name, campaign_mold, is_open, refusal }) =>
    refusal === null
      ? void message.success(`${turnedWords(campaign_mold)}：「${name}」`)
      : void refuseTurn(is_open, `「${name}」已复原：${refusal}`),
  )

  const turn = async (row: ActivityRow | PlanRow, is_open: 0 | 1): Promise<void> => {
    const body = { body: { id: row.id, is_open } }
    const isPlan = isPlanRow(row)
    await (isPlan ? switchingPlan.mutateAsync(body) : switching.mutateAsync(body)).then(
      ({ is_syncing }) => {
        if (!is_syncing) return void message.success(turnedWords(row.campaign_mold))
        awaitTurn(row, is_open)
        message.info('同步中：平台还没有答复，没有接受时会复原并说明原因')
      },
      (error: Error) => void refuseTurn(is_open, error.message || '操作失败'),
    )
  }

  const copy = async ({ id }: ActivityRow) => {
    await copying.mutateAsync({ body: { id } }).then(
      () => void message.success('复制活动成功'),
      (error: Error) => void message.error(error.message || '复制失败'),
    )
  }

  /** The way on where the platforms do not answer, or refuse. */
  const removeHere = (row: ActivityRow, why: string) =>
    confirm({
      title: `仍然删除「${row.name}」？`,
      content: `${why}。只在这里删除时，平台上的计划保持原样，需要时请到平台暂停。`,
      okText: '仍然删除',
      isDanger: true,
      isSafeFirst: true,
      onOk: () =>
        removing.mutateAsync({ query: { campaign_id: row.id, leave_running: '1' } }).then(
          () => void message.success('删除成功'),
          (error: Error) => void showRefusal('没有删除', error.message || '删除失败'),
        ),
    })

  const remove = (row: ActivityRow) => {
    const linked = row.children.filter((plan) => !plan.is_local).length
    confirm({
      title: `删除活动「${row.name}」？`,
      content: `${row.children.length === 0 ? '' : `其 ${row.children.length} 个计划一并删除，`}删除后不能恢复。${
        linked === 0
          ? ''
          : `其中 ${linked} 个计划在平台上：删除时系统会先在平台上暂停它们；平台上的计划会保留，只从这里删除。`
      }`,
      okText: '删除',
      isDanger: true,
      isSafeFirst: true,
      onOk: () =>
        removing.mutateAsync({ query: { campaign_id: row.id } }).then(
          ({ is_deleted, problems }) =>
            is_deleted
              ? void message.success('删除成功')
              : void removeHere(row, `平台还没有答复，暂停后会删除：${problems.map(sentenceOf).join('；')}`),
          (error: Error) =>
            linked === 0
              ? void showRefusal('没有删除', error.message || '删除失败')
              : void removeHere(row, error.message || '删除失败'),
        ),
    })
  }

  return {
    turn,
    copy: useOnce(copy),
    remove,
  }
}

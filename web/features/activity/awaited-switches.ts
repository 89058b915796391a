import { useEffect, useEffectEvent, useState } from 'react'
import type { ActivityRow, PlanRow } from '#contract/activity-list.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { isUnderWay, plansOfRow } from './plan-sync.ts'

/** A switch whose platforms had not answered when its call did. */
interface Awaited {
  /** 1 an activity's, 2 a plan's. */
  campaign_mold: 1 | 2
  id: number
  is_open: 0 | 1
}

export interface Ended extends Awaited {
  name: string
  /** What its platforms refused; null where the switch stands as it was wanted. */
  refusal: string | null
}

/** What is said of a switch that stands as it was wanted, whether its platforms answered at once or late. */
export const turnedWords = (campaign_mold: 1 | 2): string =>
  campaign_mold === 1 ? '修改活动状态成功' : '修改计划状态成功'

/** What became of awaited switches that are no longer under way; those that are not listed are left out. */
export function endedSwitches(awaited: readonly Awaited[], rows: readonly ActivityRow[]): Ended[] {
  const all: readonly (ActivityRow | PlanRow)[] = rows.flatMap((row) => [row, ...row.children])
  return awaited.flatMap((one) => {
    const row = all.find(({ campaign_mold, id }) => campaign_mold === one.campaign_mold && id === one.id)
    if (!row || plansOfRow(row).some(({ sync }) => isUnderWay(sync))) return []
    const reasons = plansOfRow(row).flatMap(({ name, sync }) =>
      sync.reason ? [`计划「${name}」：${sentenceOf(sync.reason)}`] : [],
    )
    const refusal = row.is_open === one.is_open ? null : reasons.join('；') || '平台没有接受'
    return [{ ...one, name: row.name, refusal }]
  })
}

/**
 * Waits for switches that the platforms answer late, and calls `onEnded` once for each. `rows`: undefined while they are
 * another list's.
 */
export function useAwaitedSwitches(rows: readonly ActivityRow[] | undefined, onEnded: (ended: Ended) => void) {
  const [awaited, setAwaited] = useState<readonly Awaited[]>([])
  const look = useEffectEvent((list: readonly ActivityRow[] | undefined, waiting: readonly Awaited[]) => {
    const ended = endedSwitches(waiting, list ?? [])
    if (ended.length === 0) return
    const isEnded = (one: Awaited) =>
      ended.some(({ campaign_mold, id }) => campaign_mold === one.campaign_mold && id === one.id)
    setAwaited((now) => now.filter((one) => !isEnded(one)))
    for (const one of ended) onEnded(one)
  })
  useEffect(() => look(rows, awaited), [rows, awaited])
  /** A newer switch of the same replaces an older one. */
  return ({ campaign_mold, id }: ActivityRow | PlanRow, is_open: 0 | 1) =>
    setAwaited((now) => [
      ...now.filter((one) => one.campaign_mold !== campaign_mold || one.id !== id),
      { campaign_mold, id, is_open },
    ])
}

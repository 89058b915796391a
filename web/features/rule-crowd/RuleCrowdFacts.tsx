import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { getRuleCrowd, type RuleCrowd } from '#contract/rule-crowd.ts'
import { formatDuration, formatTime } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import { updateWords } from './next-words.ts'
import { RuleCrowdStatusTag } from './RuleCrowdStatusTag.tsx'
import styles from './rule-crowd.module.css'
import { isComputing, problemOf } from './rule-crowd-actions.ts'

const POLL_MS = 2_000

/** The crowd's current state: the page may stay open while the crowd is computed. */
export const useRuleCrowdNow = (opened: RuleCrowd): RuleCrowd =>
  useQuery({
    ...queryOf(getRuleCrowd, { params: { id: opened.id } }),
    initialData: opened,
    refetchInterval: ({ state }) => (state.data && isComputing([state.data]) ? POLL_MS : false),
    meta: { silent: 'polled' },
  }).data

/** Has the page load the crowd anew when a newer result is there, so that it says one number and one time. */
export function useNewResult(opened: RuleCrowd | undefined, reload: () => unknown): void {
  const { data } = useQuery({
    ...queryOf(getRuleCrowd, { params: { id: opened?.id ?? 0 } }),
    enabled: opened !== undefined,
    meta: { silent: 'polled' },
  })
  const isNewer = data !== undefined && opened !== undefined && (data.computedAt ?? 0) > (opened.computedAt ?? 0)
  const load = useEffectEvent(reload)
  useEffect(() => {
    if (isNewer) load()
  }, [isNewer])
}

/** Status and last computation, as items of a list of facts. */
export function RuleCrowdFacts({ opened }: { opened: RuleCrowd }) {
  const ruleCrowd = useRuleCrowdNow(opened)
  return (
    <>
      <div>
        <dt>状态</dt>
        <dd>
          <RuleCrowdStatusTag ruleCrowd={ruleCrowd} />
        </dd>
      </div>
      <div>
        <dt>最近计算</dt>
        <dd>
          {formatTime(ruleCrowd.computedAt)}
          {ruleCrowd.tookMs !== null && `，用时 ${formatDuration(ruleCrowd.tookMs / 1000)}`}
        </dd>
      </div>
      <div>
        <dt>下次更新</dt>
        <dd>
          {updateWords(ruleCrowd)}
          {ruleCrowd.dataChanged && '，数据已有变化，到时计入'}
        </dd>
      </div>
      {ruleCrowd.control_share !== null && (
        <div>
          <dt>对照组</dt>
          <dd>推送时留出 {ruleCrowd.control_share}%</dd>
        </div>
      )}
      {ruleCrowd.tellShare !== null && (
        <div>
          <dt>变化通知</dt>
          <dd>超过 {ruleCrowd.tellShare}% 时</dd>
        </div>
      )}
    </>
  )
}

/** Why a crowd has no valid result; nothing if it has one. */
export function RuleCrowdProblem({ opened }: { opened: RuleCrowd }) {
  const ruleCrowd = useRuleCrowdNow(opened)
  const problem = problemOf(ruleCrowd)
  if (problem === null) return null
  const type = ruleCrowd.status === 'failed' ? 'error' : 'warning'
  return <Alert type={type} showIcon title={problem} className={styles.problem} />
}

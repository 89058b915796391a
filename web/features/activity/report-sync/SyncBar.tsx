import { SyncOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Flex, Popover } from 'antd'
import { useEffect, useEffectEvent, useRef } from 'react'
import { listActivities, totalActivities } from '#contract/activity-list.ts'
import { listActivityTrends } from '#contract/activity-trends.ts'
import { getDayReport } from '#contract/day-report.ts'
import { getReportSync, listDayMarks, listReportMarks, listUnlinkedPlans, syncReports } from '#contract/report.ts'
import { ChangeButton } from '../../../components/ChangeButton.tsx'
import { RowAction } from '../../../components/RowAction.tsx'
import text from '../../../components/text.module.css'
import { keyOf, queryOf, useAction } from '../../../lib/query.ts'
import { type Changes, useReadOnly } from '../../../lib/read-only.ts'
import { AccountStates } from './AccountStates.tsx'
import styles from './report-sync.module.css'
import { accountsWords, syncRefusal } from './sync-words.ts'

const POLL_MS = 2000
/** What shows numbers of reports, and plans. */
const NUMBERS = [
  ...[listActivities, totalActivities, listActivityTrends, getDayReport],
  ...[listReportMarks, listDayMarks, listUnlinkedPlans],
]

interface Props {
  /** Of an activity's accounts, or of all accounts of an advertiser that plans are linked to, or of all advertisers. */
  of: { campaign_id: number } | { adv_id: number } | 'all'
  /** The advertiser whose reports are read. */
  changes: Changes
}

/** When reports were read last, how each account stands, and a button that reads them now. */
export function SyncBar({ of, changes }: Props) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const state = useQuery({
    ...queryOf(getReportSync, { query: of === 'all' ? {} : of }),
    meta: { silent: 'optional' },
    refetchInterval: ({ state: { data } }) => (data?.list.some((one) => one.state === 'waiting') ? POLL_MS : false),
  })
  const refusalOf = useReadOnly()
  const sync = useAction(syncReports, [getReportSync])
  const accounts = state.data?.list
  const isRunning = accounts?.some((one) => one.state === 'waiting') ?? false
  const times = accounts?.map(({ synced_at, plans_read_at }) => [synced_at, plans_read_at]).join()
  const before = useRef(times)
  const onTimes = useEffectEvent((now: string | undefined) => {
    // The numbers of the page are older than a reading that has ended since.
    const isOld = before.current !== undefined && before.current !== now
    before.current = now
    if (!isOld) return
    for (const one of NUMBERS) void client.invalidateQueries({ queryKey: [keyOf(one)] })
  })
  useEffect(() => onTimes(times), [times])

  if (!accounts && state.isError) {
    return (
      <span className={`${text.problem} ${text.nowrap}`}>
        同步状态加载失败 <RowAction onClick={() => void state.refetch()}>重试</RowAction>
      </span>
    )
  }
  if (!accounts || accounts.length === 0) return null
  const { words, problem } = accountsWords(accounts)
  // Of all advertisers, those whose things the viewer may change.
  const own = of === 'all' ? accounts.filter(({ advertiser_id }) => refusalOf(advertiser_id) === null) : accounts
  const bodies =
    of === 'all' ? [...new Set(own.map(({ advertiser_id }) => advertiser_id))].map((adv_id) => ({ adv_id })) : [of]
  const start = () =>
    Promise.all(bodies.map((body) => sync.mutateAsync({ body }))).then(
      () => void message.success('已开始同步报表与计划，完成后会更新这里的数据'),
      // The failed call itself is announced.
      () => {},
    )
  return (
    <Flex gap={8} align="center">
      <Popover
        // A click opens it by the focus; as a trigger of its own it would close what the pointer had opened.
        trigger={['hover', 'focus']}
        placement="bottomRight"
        title="平台数据"
        content={
          <div className={styles.popover}>
            <AccountStates accounts={accounts} />
          </div>
        }
      >
        <button type="button" className={`${text.link} ${text.nowrap}`}>
          {words}
          {problem !== null && <span className={text.problem}>，{problem}</span>}
        </button>
      </Popover>
      <ChangeButton
        changes={changes}
        refusal={syncRefusal(own)}
        icon={<SyncOutlined spin={isRunning} />}
        onClick={() => void start()}
      >
        同步
      </ChangeButton>
    </Flex>
  )
}

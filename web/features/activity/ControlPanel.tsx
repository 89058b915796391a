import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Alert, Card, Flex, Select, Table, Tooltip } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { comparisonWords, percentOf, unpushedWords } from '#contract/control-group/words.ts'
import {
  COMPARED_DAYS,
  COMPARED_EVENTS,
  type ComparedEvent,
  type ControlComparison,
  compareControlGroups,
} from '#contract/control-group.ts'
import { openReportLinkControl } from '#contract/report-link.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import text from '../../components/text.module.css'
import { formatAsOf, formatCount, formatTime } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { ASKED_FIRST, type AskedControl } from './asked-control.ts'

const EVENTS = Object.entries(COMPARED_EVENTS).map(([value, label]) => ({ value: value as ComparedEvent, label }))
const DAYS = COMPARED_DAYS.map((days) => ({ value: days, label: `${days} 天内` }))

interface Asking {
  asked: AskedControl
  onAsked: (asked: AskedControl) => void
}

/** Whether people who were pushed convert more than those who were held out, for each crowd of an activity's plans. */
export function ControlPanel({ id, ...asking }: { id: number } & Asking) {
  const compared = useQuery({
    ...queryOf(compareControlGroups, { query: { campaign_id: id, ...asking.asked } }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
  })
  return <Comparisons compared={compared} {...asking} />
}

/** The same for somebody without an account, whose link it is; nothing where nothing is compared. */
export function SharedControlPanel({ token }: { token: string }) {
  const [asked, onAsked] = useState(ASKED_FIRST)
  const compared = useQuery({
    ...queryOf(openReportLinkControl, { body: { token, ...asked } }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
  if (compared.data?.list.length === 0) return null
  return <Comparisons compared={compared} asked={asked} onAsked={onAsked} isShared />
}

function Comparisons({
  compared,
  asked,
  onAsked,
  isShared = false,
}: Asking & {
  compared: UseQueryResult<{ crowds: number; list: readonly ControlComparison[] }>
  /** Whoever reads it cannot open the crowds. */
  isShared?: boolean
}) {
  const { event, days } = asked
  // An activity without crowds can have no control group.
  if (compared.data?.crowds === 0) return null
  return (
    <section aria-label="对照组">
      <Card>
        <Flex gap={8} align="center" justify="space-between">
          <h2 className={text.cardTitle}>对照组</h2>
          <Flex gap={8} align="center">
            <span className={text.secondary}>第一次推送起</span>
            <Select
              aria-label="对比的天数"
              value={days}
              onChange={(next) => onAsked({ ...asked, days: next })}
              options={DAYS}
            />
            <Select
              aria-label="对比的转化"
              value={event}
              onChange={(next) => onAsked({ ...asked, event: next })}
              options={EVENTS}
            />
          </Flex>
        </Flex>
        <QueryState query={compared} errorTitle="对照组加载失败">
          {({ crowds, list }) =>
            list.length === 0 ? (
              <EmptyState
                title="计划使用的人群没有对照组"
                hint={`计划使用了 ${crowds} 个人群；在人群的「对照组」中留出一部分人不推送，这里就对比两组的转化。`}
              />
            ) : (
              <Flex vertical gap={16} className={compared.isPlaceholderData ? text.stale : undefined}>
                {list.map((one) => (
                  <Comparison
                    key={`${one.kind} ${one.crowd_id}`}
                    comparison={one}
                    label={COMPARED_EVENTS[event]}
                    isShared={isShared}
                  />
                ))}
              </Flex>
            )
          }
        </QueryState>
      </Card>
    </section>
  )
}

function Comparison({
  comparison,
  label,
  isShared,
}: {
  comparison: ControlComparison
  label: string
  isShared: boolean
}) {
  const { kind, crowd_id, name, share, from, to, is_over, unpushed, test, control, problem, verdict } = comparison
  const said = comparisonWords(comparison, label)
  const smaller = unpushedWords(unpushed)
  return (
    <Flex vertical gap={8} component="section" aria-label={name}>
      <Flex gap={12} align="baseline" wrap>
        {isShared ? <span>{name}</span> : <Link to={paths.pushesOf({ kind, id: crowd_id })}>{name}</Link>}
        <span className={text.secondary}>留出 {share}%</span>
        {from !== null && (
          <span className={text.small}>
            {formatTime(from)} 第一次推送，{formatAsOf(to)}
            {!is_over && '，所选天数还没有过完'}
          </span>
        )}
      </Flex>
      {smaller !== null && <Alert type="warning" showIcon title={smaller} />}
      {test !== null && control !== null ? (
        <>
          <Table
            size="small"
            rowKey="group"
            aria-label={`「${name}」两组的转化`}
            pagination={false}
            dataSource={[
              { group: '实验组', hint: '第一次推送时在人群中、没有留出的人', ...test },
              { group: '对照组', hint: '第一次推送时在人群中、留出不发送的人', ...control },
            ]}
            columns={[
              {
                title: '组',
                dataIndex: 'group',
                render: (group: string, { hint }) => (
                  <Tooltip title={hint}>
                    <span>{group}</span>
                  </Tooltip>
                ),
              },
              { title: '人数', dataIndex: 'people', align: 'right', render: formatCount },
              { title: `${label}人数`, dataIndex: 'converted', align: 'right', render: formatCount },
              { title: `${label}率`, dataIndex: 'rate', align: 'right', render: percentOf },
            ]}
          />
          <Alert
            type={verdict === 'more' ? 'success' : verdict === 'less' ? 'warning' : 'info'}
            showIcon
            title={said}
          />
        </>
      ) : (
        <div>
          暂无：<span className={text.secondary}>{problem}</span>
        </div>
      )}
    </Flex>
  )
}

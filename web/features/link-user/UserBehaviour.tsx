import { DownloadOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Card, Descriptions, Flex, Skeleton } from 'antd'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { DataOf } from '#contract/endpoint.ts'
import { getLinkUser, LINK_USER_DOWNLOAD_PATH } from '#contract/link-user.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { DateRange } from '../../components/DateRange.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import text from '../../components/text.module.css'
import { formatTime, NONE } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { BehaviourTimeline } from './BehaviourTimeline.tsx'
import { EventSelect } from './EventSelect.tsx'
import { EventTotal } from './EventTotal.tsx'
import { choiceOf, type EventChoice, readEventChoice, writeEventChoice } from './list-state.ts'
import { PersonProfile } from './PersonProfile.tsx'

/** Whom the page is about, as the calls name them. */
export interface Somebody {
  adv_id: number
  oneID?: string
  person?: number
}

type Shown = DataOf<typeof getLinkUser>

/** A page of the timeline, and what it goes by: the first page that was read. */
interface Turned {
  page: number
  as_of?: number
  pin?: string
}

interface Props {
  who: Somebody
  /** What can be done with the person, beside the facts. */
  actionsOf?: (user: Shown['user']) => ReactNode
}

/** What one person did: how much and when, and each event. */
export function UserBehaviour({ who, actionsOf }: Props) {
  const [params, setParams] = useSearchParams()
  const choice = readEventChoice(params)
  const [turned, setTurned] = useState<Turned>({ page: 1 })
  const change = (to: Partial<EventChoice>) => {
    setTurned({ page: 1 })
    setParams((now) => writeEventChoice(now, { ...choice, ...to }), { replace: true })
  }
  const hasNoEvent = choice.events !== 'all' && choice.events.length === 0
  const query = useQuery({
    ...queryOf(getLinkUser, {
      query: { ...who, ...choiceOf(choice), ...(hasNoEvent && { event: undefined }), ...turned },
    }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
    enabled: !hasNoEvent,
    // The page stays as it was read until somebody asks anew.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const shown = query.data
  if (query.error && !shown) {
    return (
      <Card>
        <LoadError error={query.error} onRetry={query.refetch} title="用户行为加载失败" />
        <Flex justify="center">
          <LinkButton to={paths.userList()}>回到用户列表</LinkButton>
        </Flex>
      </Card>
    )
  }
  const download = new URLSearchParams(
    Object.entries({ ...who, ...choiceOf(choice) }).map(([name, value]) => [name, String(value)]),
  )
  return (
    <Flex vertical gap={16}>
      <Card title={<h2 className={text.cardTitle}>用户</h2>} extra={shown && actionsOf?.(shown.user)}>
        {shown ? <Facts user={shown.user} /> : <Skeleton active title={false} paragraph={{ rows: 2 }} />}
      </Card>
      <Card title={<h2 className={text.cardTitle}>个人档案</h2>}>
        <PersonProfile who={who} />
      </Card>
      <Card
        title={<h2 className={text.cardTitle}>事件总量</h2>}
        extra={
          <Button
            icon={<DownloadOutlined />}
            href={`${LINK_USER_DOWNLOAD_PATH}?${download}`}
            download
            disabled={hasNoEvent || !shown?.total}
          >
            数据下载
          </Button>
        }
      >
        <Flex wrap gap={12} role="search" aria-label="筛选">
          <DateRange label="事件周期" lastDay="yesterday" value={choice.time} onChange={(time) => change({ time })} />
          <EventSelect events={shown?.event ?? []} value={choice.events} onChange={(events) => change({ events })} />
        </Flex>
        {hasNoEvent ? (
          <EmptyState title="请选择事件" />
        ) : shown ? (
          <EventTotal shown={shown} isOpen={choice.time === null} isLoading={query.isPlaceholderData} />
        ) : (
          <Skeleton active title={false} paragraph={{ rows: 6, width: '100%' }} />
        )}
      </Card>
      <Card title={<h2 className={text.cardTitle}>行为详情</h2>}>
        {hasNoEvent ? (
          <EmptyState title="请选择事件" />
        ) : shown ? (
          <BehaviourTimeline
            shown={shown}
            page={turned.page}
            onPage={(page) => setTurned({ page, as_of: shown.as_of, pin: shown.pin })}
            isLoading={query.isPlaceholderData}
          />
        ) : (
          <Skeleton active title={false} paragraph={{ rows: 6, width: '100%' }} />
        )}
      </Card>
    </Flex>
  )
}

const Facts = ({ user }: { user: Shown['user'] }) => (
  <Descriptions
    column={{ xs: 1, md: 2, xl: 4 }}
    items={[
      {
        key: 'oneID',
        label: 'One ID',
        children: (
          <span className={text.anywhere}>
            {user.oneID} <CopyIcon text={user.oneID} what=" One ID" />
          </span>
        ),
      },
      { key: 'name', label: '姓名', children: user.name || NONE },
      { key: 'phone', label: '手机号', children: user.phone ?? NONE },
      { key: 'enter_time', label: '最近访问时间', children: formatTime(user.enter_time) },
    ]}
  />
)

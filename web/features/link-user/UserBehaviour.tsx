import { DownloadOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Card, Descriptions, Flex, Skeleton } from 'antd'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { PAGE_SIZE } from '#contract/common.ts'
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
import { readPage, writePage } from '../../lib/url-page.ts'
import { BehaviourTimeline } from './BehaviourTimeline.tsx'
import { EventSelect } from './EventSelect.tsx'
import { EventTotal } from './EventTotal.tsx'
import styles from './link-user.module.css'
import { choiceOf, choosesNone, type EventChoice, readEventChoice, writeEventChoice } from './list-state.ts'
import { PersonProfile } from './PersonProfile.tsx'

const FIRST_PAGE = { page: 1, page_size: PAGE_SIZE }

/** Whom the page is about, as the calls name them. */
export interface Somebody {
  adv_id: number
  oneID?: string
  person?: number
}

type Shown = DataOf<typeof getLinkUser>

/** What the pages of the timeline go by: the first one that was read. */
interface Pinned {
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
  const { page } = readPage(params)
  const [pinned, setPinned] = useState<Pinned>({})
  const change = (to: Partial<EventChoice>) => {
    setPinned({})
    setParams((now) => writePage(writeEventChoice(now, { ...choice, ...to }), FIRST_PAGE), { replace: true })
  }
  const hasNoEvent = choosesNone(choice.events)
  const query = useQuery({
    ...queryOf(getLinkUser, {
      query: { ...who, ...choiceOf(choice), page, ...pinned },
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
    <div className={styles.person}>
      <Flex vertical gap={16} className={styles.who}>
        <Card title={<h2 className={text.cardTitle}>用户</h2>} extra={shown && actionsOf?.(shown.user)}>
          {shown ? <Facts user={shown.user} /> : <Skeleton active title={false} paragraph={{ rows: 2 }} />}
        </Card>
        <Card title={<h2 className={text.cardTitle}>个人档案</h2>}>
          <PersonProfile who={who} />
        </Card>
      </Flex>
      <Flex vertical gap={16} className={styles.did}>
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
              page={page}
              onPage={(to) => {
                setPinned({ as_of: shown.as_of, pin: shown.pin })
                setParams((now) => writePage(now, { ...FIRST_PAGE, page: to }), { replace: true })
              }}
              isLoading={query.isPlaceholderData}
            />
          ) : (
            <Skeleton active title={false} paragraph={{ rows: 6, width: '100%' }} />
          )}
        </Card>
      </Flex>
    </div>
  )
}

const Facts = ({ user }: { user: Shown['user'] }) => (
  <Descriptions
    column={{ xs: 1, md: 2, xl: 1 }}
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

import { DownloadOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Card, Flex, Skeleton } from 'antd'
import { useSearchParams } from 'react-router'
import { PAGE_SIZE } from '#contract/common.ts'
import type { LinkEvent } from '#contract/link-user.ts'
import { LINK_USER_DOWNLOAD_PATH, listLinkUsers } from '#contract/link-user.ts'
import { DateRange } from '../../components/DateRange.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { FilterText } from '../../components/FilterText.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import space from '../../components/space.module.css'
import text from '../../components/text.module.css'
import { formatAsOf, formatCount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { useWithinPages } from '../../lib/use-drawer-list.ts'
import { EventSelect } from './EventSelect.tsx'
import { LinkUserTable } from './LinkUserTable.tsx'
import { choosesNone, filterOf, type LinkUserListState, readLinkUserState, writeLinkUserState } from './list-state.ts'

/** The people of an advertiser, filtered by One ID, time of visits and events. */
export function LinkUserList({ advId }: { advId: number }) {
  const [params, setParams] = useSearchParams()
  const state = readLinkUserState(params)
  const { page, page_size } = state
  const setState = (change: Partial<LinkUserListState>) => setParams(writeLinkUserState({ ...state, ...change }))
  const search = (change: Partial<LinkUserListState>) => setState({ ...change, page: 1, page_size: PAGE_SIZE })
  const filter = filterOf(state)
  // Nobody has any of no events.
  const hasNoEvent = choosesNone(state.events)
  const users = useQuery({
    ...queryOf(listLinkUsers, {
      query: { adv_id: advId, page, per_page: page_size, ...filter },
    }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
    enabled: !hasNoEvent,
  })
  const data = users.data
  useWithinPages(
    { paged: { page, page_size }, turn: (to) => setParams(writeLinkUserState({ ...state, ...to }), { replace: true }) },
    { isLoaded: users.isSuccess && !users.isPlaceholderData && !hasNoEvent, rows: data?.data.length ?? 0 },
  )
  const isFiltered = hasNoEvent || Object.keys(filter).length > 0
  const total = hasNoEvent ? 0 : (data?.total ?? 0)
  return (
    <Card>
      <Filters
        state={state}
        events={data?.event ?? []}
        onSearch={search}
        extra={
          total > 0 && (
            <Button
              icon={<DownloadOutlined />}
              href={`${LINK_USER_DOWNLOAD_PATH}?${new URLSearchParams({ adv_id: String(advId), ...texts(filter), list: '1' })}`}
              download
            >
              {isFiltered ? `下载符合条件的 ${formatCount(total)} 人` : '下载'}
            </Button>
          )
        }
      />
      {users.error && !data ? (
        <LoadError error={users.error} onRetry={users.refetch} title="用户列表加载失败" />
      ) : !data && !hasNoEvent ? (
        <Skeleton active title={false} paragraph={{ rows: 8, width: '100%' }} />
      ) : (
        <>
          {data && !hasNoEvent && (
            <p className={text.hint}>{formatAsOf(data.as_of)}，人数与事件数均为准确值；下载的文件按接入先后排列</p>
          )}
          <LinkUserTable
            advId={advId}
            rows={hasNoEvent ? [] : (data?.data ?? [])}
            total={total}
            state={state}
            onState={setState}
            isLoading={users.isPlaceholderData && !hasNoEvent}
            empty={<Nobody hasNoEvent={hasNoEvent} isFiltered={isFiltered} />}
          />
        </>
      )}
    </Card>
  )
}

const texts = (filter: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]))

function Filters(props: {
  state: LinkUserListState
  events: readonly LinkEvent[]
  onSearch: (change: Partial<LinkUserListState>) => void
  extra: React.ReactNode
}) {
  const { state, events, onSearch, extra } = props
  return (
    <Flex wrap gap={12} align="center" className={space.filters} role="search" aria-label="筛选">
      <FilterText
        label="完整的 One ID"
        width={220}
        value={state.oneID}
        onChange={(oneID) => onSearch({ oneID: oneID.trim() })}
      />
      <DateRange label="访问时间" value={state.time} onChange={(time) => onSearch({ time })} />
      <EventSelect events={events} value={state.events} onChange={(chosen) => onSearch({ events: chosen })} />
      {extra}
    </Flex>
  )
}

function Nobody({ hasNoEvent, isFiltered }: { hasNoEvent: boolean; isFiltered: boolean }) {
  if (hasNoEvent) return <EmptyState title="请选择事件" />
  if (isFiltered)
    return <EmptyState title="没有符合条件的用户" hint="One ID 按完整的编号查找；访问时间与事件要同时符合。" />
  return (
    <EmptyState
      title="还没有用户"
      hint="接入用户或事件后，每个人在这里有一行。"
      action={<LinkButton to={paths.dataAccess()}>接入数据</LinkButton>}
    />
  )
}

import { Button, Flex, Spin, Timeline, Typography } from 'antd'
import type { DataOf } from '#contract/endpoint.ts'
import type { getLinkUser } from '#contract/link-user.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import text from '../../components/text.module.css'
import { CategoryIcon } from '../../domain/tag/category-icon.tsx'
import { formatCount } from '../../lib/format.ts'
import styles from './link-user.module.css'
import { byDay } from './timeline-days.ts'

type Shown = DataOf<typeof getLinkUser>

interface Props {
  shown: Shown
  page: number
  onPage: (page: number) => void
  isLoading: boolean
}

/** What somebody did, the newest first, day by day and page by page. */
export function BehaviourTimeline({ shown, page, onPage, isLoading }: Props) {
  const { list, total_page } = shown
  if (list.length === 0) return <Nothing isBeyond={total_page > 0} onFirst={() => onPage(1)} />
  return (
    <Spin spinning={isLoading}>
      {byDay(shown).map(({ day, total, events }) => (
        <section key={day} aria-label={day}>
          <h3 className={styles.day}>
            {day}
            {total !== null && <span className={text.small}>{formatCount(total)} 次</span>}
          </h3>
          <Timeline
            className={styles.timeline}
            items={events.map((event, index) => ({
              key: index,
              icon: <CategoryIcon icon={event.icon} />,
              content: <Event event={event} />,
            }))}
          />
        </section>
      ))}
      {total_page > 1 && (
        <Flex justify="center" align="center" gap={12}>
          <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
            上一页
          </Button>
          <span className={text.secondary}>
            第 {formatCount(page)} / {formatCount(total_page)} 页
          </span>
          <Button disabled={page >= total_page} onClick={() => onPage(page + 1)}>
            下一页
          </Button>
        </Flex>
      )}
    </Spin>
  )
}

const Event = ({ event: { title, info, date } }: { event: Shown['list'][number] }) => (
  <div className={styles.event}>
    <time className={styles.eventTime} title={date}>
      {date.slice(11)}
    </time>
    <div>
      <div className={text.anywhere}>{title}</div>
      {info !== '' && <Info text={info} />}
    </div>
  </div>
)

/** Characters that stand in the lines that are shown of a long content at any width. */
const INFO_SHORT = 60
const INFO_LINES = 3

/** What is known of an event. A message may bring 32 KB, which is folded until somebody asks for it. */
function Info({ text: info }: { text: string }) {
  const look = `${text.hint} ${styles.eventInfo}`
  if (info.length <= INFO_SHORT) return <div className={look}>{info}</div>
  return (
    <Typography.Paragraph
      className={look}
      ellipsis={{ rows: INFO_LINES, expandable: 'collapsible', symbol: (isOpen) => (isOpen ? '收起' : '展开') }}
    >
      {info}
    </Typography.Paragraph>
  )
}

/** `isBeyond`: the address names a page after the last one. */
function Nothing({ isBeyond, onFirst }: { isBeyond: boolean; onFirst: () => void }) {
  if (isBeyond) return <EmptyState title="这一页没有行为" action={<Button onClick={onFirst}>回到第一页</Button>} />
  return <EmptyState title="没有行为" hint="所选的时间与事件里，这个人什么也没有做。" />
}

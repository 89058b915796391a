import { Button, Flex, Spin, Timeline } from 'antd'
import type { DataOf } from '#contract/endpoint.ts'
import type { getLinkUser } from '#contract/link-user.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import text from '../../components/text.module.css'
import { formatCount } from '../../lib/format.ts'
import styles from './link-user.module.css'

/** What somebody did, the newest first, page by page. */
export function BehaviourTimeline(props: {
  shown: DataOf<typeof getLinkUser>
  page: number
  onPage: (page: number) => void
  isLoading: boolean
}) {
  const { shown, page, onPage, isLoading } = props
  const { list, total_page } = shown
  if (list.length === 0) return <EmptyState title="没有行为" hint="所选的时间与事件里，这个人什么也没有做。" />
  return (
    <Spin spinning={isLoading}>
      <Timeline
        className={styles.timeline}
        items={list.map(({ title, info, date }, index) => ({
          key: index,
          content: (
            <div className={styles.event}>
              <span className={styles.eventTime}>{date}</span>
              <div>
                <div>{title}</div>
                {info !== '' && <div className={`${text.hint} ${styles.eventInfo}`}>{info}</div>}
              </div>
            </div>
          ),
        }))}
      />
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

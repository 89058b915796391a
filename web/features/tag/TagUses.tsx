import { useQuery } from '@tanstack/react-query'
import { Flex, Popover, Skeleton } from 'antd'
import { useState } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import { getTagUsage } from '#contract/tag.ts'
import { paths } from '../../app/paths.ts'
import { LoadError } from '../../components/LoadError.tsx'
import text from '../../components/text.module.css'
import { queryOf } from '../../lib/query.ts'
import styles from './tag.module.css'

type Uses = DataOf<typeof getTagUsage>['list']

/** Where a tag is used. Plain links in new tabs: this is read in drawers and dialogs that should stay. */
export const UseList = ({ list }: { list: Uses }) => (
  <Flex vertical gap={4} className={styles.uses}>
    {list.map((use) =>
      use.kind === 'crowd' ? (
        <a key={`crowd ${use.id}`} href={paths.ruleCrowdWatch(use.id)} target="_blank" rel="noreferrer">
          {use.name}
        </a>
      ) : (
        <span key={`draft ${use.id}`}>{use.name || `未保存的规则 ${use.id}`}</span>
      ),
    )}
  </Flex>
)

/** The number of crowds that use a tag; which ones, on click. */
export function TagUsesButton({ tagId, count }: { tagId: number; count: number }) {
  const [isOpen, setOpen] = useState(false)
  const uses = useQuery({ ...queryOf(getTagUsage, { params: { id: tagId } }), enabled: isOpen })
  if (count === 0) return <span className={text.hint}>0</span>
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      trigger="click"
      title="使用此标签的人群"
      content={
        uses.data ? (
          <UseList list={uses.data.list} />
        ) : uses.error ? (
          <LoadError error={uses.error} onRetry={uses.refetch} />
        ) : (
          <Skeleton active title={false} paragraph={{ rows: 2, width: 160 }} />
        )
      }
    >
      <button type="button" className={`${text.link} ${styles.linkButton}`} aria-label={`被 ${count} 个人群使用`}>
        {count}
      </button>
    </Popover>
  )
}

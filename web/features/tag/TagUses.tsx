import { useQuery } from '@tanstack/react-query'
import { Flex, Popover, Skeleton } from 'antd'
import { useState } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import { getTagUsage } from '#contract/tag.ts'
import { LoadError } from '../../components/LoadError.tsx'
import text from '../../components/text.module.css'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './tag.module.css'

/** The crowds that keep a tag from being deleted; a draft rule does not. */
export const crowdsIn = (uses: DataOf<typeof getTagUsage>) => uses.list.filter((use) => use.kind === 'crowd')

/** The crowds that use a tag. Links open new tabs, so that the drawer or dialog stays open. */
export const UseList = ({ list }: { list: readonly { id: number; name: string }[] }) => (
  <Flex vertical gap={4} className={styles.uses}>
    {list.map(({ id, name }) => (
      <a key={id} href={paths.ruleCrowdWatch(id)} target="_blank" rel="noreferrer">
        {name}
      </a>
    ))}
  </Flex>
)

/** The number of crowds that use a tag; a click lists them. */
export function TagUsesButton({ tagId, count }: { tagId: number; count: number }) {
  const [isOpen, setOpen] = useState(false)
  const uses = useQuery({
    ...queryOf(getTagUsage, { params: { id: tagId } }),
    enabled: isOpen,
    meta: { inPlace: true },
  })
  if (count === 0) return <span className={text.hint}>0</span>
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      trigger="click"
      title="使用此标签的人群"
      content={
        uses.data ? (
          <UseList list={crowdsIn(uses.data)} />
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

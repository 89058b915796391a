import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Flex, Select, Spin, Statistic } from 'antd'
import { getCrowdChanges } from '#contract/crowd-profile.ts'
import type { DataOf } from '#contract/endpoint.ts'
import { QueryState } from '../../components/QueryState.tsx'
import text from '../../components/text.module.css'
import { formatCount, formatShare, formatTime } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './crowd-profile.module.css'
import { inOrder, type Size } from './size-changes.ts'

/** The versions that are compared; the first came into force before the second. */
export interface Compared {
  from: number
  to: number
}

/** Who entered and left a crowd between two of its versions. */
export function VersionChanges(props: {
  id: number
  sizes: readonly Size[]
  compared: Compared
  onCompare: (compared: Compared) => void
}) {
  const { id, sizes, compared, onCompare } = props
  const changes = useQuery({
    ...queryOf(getCrowdChanges, { params: { id }, query: compared }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
  const options = sizes.toReversed().map(({ version, counted_at, count, has_members }) => ({
    value: version,
    label: `${formatTime(counted_at)}，${formatCount(count)} 人${has_members ? '' : '（已清理）'}`,
  }))
  return (
    <section aria-label="两次之间的变化" className={styles.changes}>
      <Flex gap={8} wrap align="center">
        <span>从</span>
        <Select
          aria-label="从哪一次"
          className={styles.version ?? ''}
          value={compared.from}
          options={options}
          onChange={(from: number) => onCompare(inOrder(sizes, { ...compared, from }))}
        />
        <span>到</span>
        <Select
          aria-label="到哪一次"
          className={styles.version ?? ''}
          value={compared.to}
          options={options}
          onChange={(to: number) => onCompare(inOrder(sizes, { ...compared, to }))}
        />
      </Flex>
      <QueryState query={changes} errorTitle="进入与离开的人数加载失败">
        {(found) => (
          <Spin spinning={changes.isPlaceholderData}>
            <Counts changes={found} />
          </Spin>
        )}
      </QueryState>
    </section>
  )
}

function Counts({ changes }: { changes: DataOf<typeof getCrowdChanges> }) {
  const { from, entered, left, stayed } = changes
  if (entered === null) {
    return (
      <p className={text.hint}>
        所选的一次已清理：过去的用户只保存最近 48 次和更早的每天最后一次，最多 90 天；人数一直保留。
      </p>
    )
  }
  const ofBefore = (count: number | null) => `占原来的 ${formatShare(count, from.count)}`
  return (
    <Flex gap={48} wrap className={styles.counts}>
      <Count title="进入" count={entered} more={ofBefore(entered)} />
      <Count title="离开" count={left} more={ofBefore(left)} />
      <Count title="一直在" count={stayed} more={ofBefore(stayed)} />
    </Flex>
  )
}

const Count = ({ title, count, more }: { title: string; count: number | null; more: string }) => (
  <div>
    <Statistic title={title} value={formatCount(count)} suffix="人" />
    <span className={text.small}>{more}</span>
  </div>
)

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Flex, Spin } from 'antd'
import { countOverlap, OVERLAP_MAX } from '#contract/crowd-overlap.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import space from '../../components/space.module.css'
import { type ChosenCrowd, CrowdSelect } from '../../domain/crowd/CrowdSelect.tsx'
import { queryOf } from '../../lib/query.ts'
import styles from './crowd-profile.module.css'
import { OverlapParts, type SavePart } from './OverlapParts.tsx'
import { useUrlCrowds } from './use-url-crowds.ts'

/** How a crowd overlaps with up to four others. */
export function CrowdOverlap({ crowd, advId, onSave }: { crowd: ChosenCrowd; advId: number; onSave: SavePart }) {
  const others = useUrlCrowds({ key: 'with', max: OVERLAP_MAX - 1, without: crowd.id })
  const overlap = useQuery({
    ...queryOf(countOverlap, { body: { ids: [crowd.id, ...others.ids] } }),
    enabled: others.ids.length > 0,
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
  return (
    <>
      <Flex gap={12} wrap className={space.filters}>
        <CrowdSelect
          advId={advId}
          label="与哪些人群重叠"
          placeholder={`选择要一起看的人群，最多 ${OVERLAP_MAX - 1} 个`}
          className={styles.others}
          chosen={others.named(overlap.data?.crowds ?? [])}
          max={OVERLAP_MAX - 1}
          without={[crowd.id]}
          onChange={others.choose}
        />
      </Flex>
      {others.ids.length === 0 ? (
        <EmptyState
          title="还没有选择要一起看的人群"
          hint={`选择一到 ${OVERLAP_MAX - 1} 个人群，查看每一种重叠的准确人数。`}
        />
      ) : (
        <QueryState query={overlap} errorTitle="人群重叠加载失败">
          {(found) => (
            <Spin spinning={overlap.isPlaceholderData}>
              <OverlapParts overlap={found} advId={advId} onSave={onSave} />
            </Spin>
          )}
        </QueryState>
      )}
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { packageLines } from '#contract/targeting/lines.ts'
import type { LeftOutWords } from '#contract/targeting/there.ts'
import { getTargeting, type TargetingPackage } from '#contract/targeting-package.ts'
import { QueryState } from '../../components/QueryState.tsx'
import { baseLine } from '../../domain/targeting/base-line.ts'
import { CompareTable } from '../../domain/targeting/CompareTable.tsx'
import { onlyThereLines } from '../../domain/targeting/only-there-lines.ts'
import { useRegionNames } from '../../domain/targeting/use-region-names.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './targeting-package.module.css'

interface Side {
  name: string
  targeting: Record<string, unknown>
  left_out: readonly LeftOutWords[]
}

/** A package beside its copy that somebody changed on the platform. */
export function BothCopies({ of: { id, platform, advertiser_id } }: { of: TargetingPackage }) {
  const detail = useQuery({ ...queryOf(getTargeting, { query: { id } }), meta: { inPlace: true } })
  const there = detail.data?.on_platform ?? undefined
  const names = useRegionNames(advertiser_id, detail.data?.targeting, there?.targeting)
  const side = (title: string, { name, targeting, left_out }: Side) => ({
    title,
    lines: [baseLine('name', '名称', name), ...packageLines(platform, targeting, names), ...onlyThereLines(left_out)],
  })
  return (
    <div className={styles.copies}>
      <QueryState query={detail} errorTitle="定向包加载失败">
        {(here) =>
          there ? (
            <CompareTable left={side('这里的版本', here)} right={side('平台上的版本', there)} />
          ) : (
            '平台上的副本已与这里相同，或已由他人处理'
          )
        }
      </QueryState>
    </div>
  )
}

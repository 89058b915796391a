import { Flex } from 'antd'
import type { ReactNode } from 'react'
import { RowAction } from '../../../components/RowAction.tsx'
import text from '../../../components/text.module.css'
import { embedding } from '../../../lib/embedding.ts'
import styles from './workbench.module.css'

export interface Way {
  label: string
  to: string
  /** Why the viewer may not. */
  refusal?: string | null
}

interface Props {
  /** What is missing; null where nothing is. */
  missing: ReactNode
  /** The pages where what is missing is made. They open in new tabs, since what is filled in here is not saved. */
  ways: readonly Way[]
  /** Where that is, for a frame of another site, which has no links to other pages. */
  place: string
  /** Looks again; a field that looks by itself needs none. */
  onRefresh?: () => unknown
  isRefreshing?: boolean
}

/** What a field of a plan lacks, and where to make it: under the field, since a new account has nothing to choose from. */
export function WayOn({ missing, ways, place, onRefresh, isRefreshing = false }: Props) {
  const isFramed = embedding() !== null
  if (missing === null && (isFramed || ways.length === 0)) return null
  return (
    <Flex gap="0 12px" wrap align="center" className={styles.wayOn}>
      {missing !== null && (
        <span role="status" className={text.hint}>
          {missing}
          {isFramed && `可以在控制台的「${place}」处理，完成后回到这里`}
        </span>
      )}
      {!isFramed &&
        ways.map(({ label, to, refusal = null }) => (
          <RowAction key={to} to={to} inNewTab refusal={refusal}>
            {label}
          </RowAction>
        ))}
      {missing !== null && onRefresh && (
        <RowAction loading={isRefreshing} onClick={() => void onRefresh()}>
          刷新
        </RowAction>
      )}
    </Flex>
  )
}

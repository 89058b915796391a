import { Tooltip } from 'antd'
import { CountUp } from '../../../components/CountUp.tsx'
import { formatAsOf, formatCount, formatShare } from '../../../lib/format.ts'
import { type NodeCount, shareOf } from '../state/counts.ts'
import styles from './canvas.module.css'
import { useCanvas } from './canvas-context.ts'

interface Props {
  count: NodeCount
  /** The count of the box around this one; of all people for the whole rule. */
  parent?: NodeCount | undefined
  beside?: readonly NodeCount[]
  isWhole?: boolean
}

/** A box's count, with a bar for its share. */
export function Measure({ count, parent, beside = [], isWhole = false }: Props) {
  const { counts } = useCanvas()
  const share = parent ? shareOf(count.people, [parent.people, ...beside.map((other) => other.people)]) : null
  return (
    <Tooltip
      title={
        <Words count={count} parent={parent} whole={isWhole ? '全部' : '上一级'} asOf={formatAsOf(counts.countedAt)} />
      }
    >
      <span className={styles.measure}>
        <span className={`${styles.people} ${count.isStale ? styles.stale : ''}`}>
          <CountUp value={count.people} />
        </span>
        {parent && (
          <span className={styles.bar} aria-hidden>
            <span style={{ width: `${(share ?? 0) * 100}%` }} />
          </span>
        )}
      </span>
    </Tooltip>
  )
}

interface WordsProps {
  count: NodeCount
  parent: NodeCount | undefined
  whole: string
  asOf: string
}

function Words({ count, parent, whole: name, asOf }: WordsProps) {
  const people = count.people
  const whole = parent?.people
  const relation =
    people === null || whole === null || whole === undefined || people === 0
      ? null
      : people <= whole
        ? `占${name} ${formatShare(people, whole)}`
        : `${name}为其 ${formatShare(whole, people)}`
  return (
    <>
      {formatCount(people)} 人{relation && `，${relation}`}
      {count.isStale ? <div>正在更新</div> : asOf && <div>{asOf}</div>}
    </>
  )
}

import type { ReactNode } from 'react'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatAsOf, formatCount } from '../../lib/format.ts'
import styles from './rule-editor.module.css'
import type { ShownTag } from './state/shown-tags.ts'
import { useMeaning } from './state/use-meaning.ts'

interface Props {
  advId: number
  shown: ShownTag
  placement: 'topLeft' | 'right'
  children: ReactNode
}

/** On hover: what a tag or history crowd means, how many people it holds, and when that was counted. */
export const TagTip = ({ advId, shown, placement, children }: Props) => (
  <WholeOnHover text={<Told advId={advId} shown={shown} />} placement={placement}>
    {children}
  </WholeOnHover>
)

/** Created when the tooltip opens, so that only then the definition is fetched. */
function Told({ advId, shown }: Pick<Props, 'advId' | 'shown'>) {
  const meaning = useMeaning(advId, shown)
  return (
    <div className={styles.told}>
      <div>{shown.path || shown.name}</div>
      {meaning !== null && <div>{meaning}</div>}
      <div>
        {shown.count === null ? '正在计算人数' : `${formatCount(shown.count)} 人 ${formatAsOf(shown.countedAt)}`}
      </div>
    </div>
  )
}

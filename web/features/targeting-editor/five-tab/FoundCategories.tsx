import { Checkbox } from 'antd'
import type { Fan } from '#contract/targeting/five-tab/schema.ts'
import type { TagNode } from '#contract/targeting-tags.ts'
import text from '../../../components/text.module.css'
import styles from '../editor.module.css'
import { keyOf } from './fan-key.ts'

interface Props {
  categories: readonly TagNode[]
  /** They are of an earlier word. */
  isStale: boolean
  /** Keys of what is chosen. */
  chosen: ReadonlySet<string>
  isFull: boolean
  isReadOnly: boolean
  onToggle: (fan: Fan) => void
}

/** Categories of creators that a word found, each to be chosen; nothing where it found none. */
export function FoundCategories({ categories, isStale, chosen, isFull, isReadOnly, onToggle }: Props) {
  if (categories.length === 0) return null
  return (
    <ul className={styles.categories} aria-label="可选的达人分类" aria-busy={isStale}>
      {categories.map(({ value, label, num }) => {
        const fan: Fan = { type: 'category', value, label }
        const isChosen = chosen.has(keyOf(fan))
        return (
          <li key={value}>
            <Checkbox checked={isChosen} disabled={isReadOnly || (isFull && !isChosen)} onChange={() => onToggle(fan)}>
              {label}
            </Checkbox>
            <span className={text.small}>分类{num === null ? '' : `，${num}`}</span>
          </li>
        )
      })}
    </ul>
  )
}

import { Button, Flex } from 'antd'
import { Fragment } from 'react'
import { useEdition } from '../../lib/edition.ts'
import styles from './crowd-list.module.css'
import { type Filters, isFiltered, type ListState, noFilters, type ValuesOf } from './list-state.ts'

/** The filters of a list in one row that wraps; each takes effect at once. */
export function ListFilters<F extends Filters>(props: {
  filters: F
  state: ListState<F>
  onChange: (change: Partial<ValuesOf<F>>) => void
  advertisers: readonly { id: number; name: string }[]
  advId: number | undefined
  /** Filters by what this viewer may not see. */
  hidden?: readonly (keyof F)[]
}) {
  const { filters, state, onChange, advertisers, advId, hidden = [] } = props
  const { deployment } = useEdition()
  const shown = Object.entries(filters).filter(
    ([name, { shownIn = deployment }]) => shownIn === deployment && !hidden.includes(name),
  )
  return (
    <Flex wrap gap={8} role="search" aria-label="筛选">
      {shown.map(([name, { field }]) => (
        <Fragment key={name}>
          {field({
            value: state.filters[name],
            // A filter's own field gives values of its own type.
            onChange: (value) => onChange({ [name]: value } as Partial<ValuesOf<F>>),
            advertisers,
            advId,
          })}
        </Fragment>
      ))}
      {isFiltered(filters, state) && (
        <Button type="link" className={styles.clear} onClick={() => onChange(noFilters(filters))}>
          清除筛选
        </Button>
      )}
    </Flex>
  )
}

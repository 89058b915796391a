import type { TableColumnType } from 'antd'
import type { FilterDropdownProps } from 'antd/es/table/hooks/useFilter/FilterDropdown'
import { lazy, Suspense } from 'react'

const FilterDropdown = lazy(() => import('antd/es/table/hooks/useFilter/FilterDropdown'))

type Filters = NonNullable<TableColumnType['filters']>

/** The head of a column that can be filtered; its title alone until the menu's code has arrived. */
export default (props: FilterDropdownProps) => (
  <Suspense fallback={props.children}>
    <FilterDropdown {...props} />
  </Suspense>
)

/** The values of filters and of those below them. The table asks for them before the menu is drawn. */
export const flattenKeys = (filters: Filters = []): Filters[number]['value'][] =>
  filters.flatMap(({ value, children }) => [value, ...flattenKeys(children)])

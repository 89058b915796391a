import { ACTIVITY_STATUS } from '#contract/activity/status.ts'
import { DateRange } from '../../components/DateRange.tsx'
import {
  advertiserFilter,
  creatorNameFilter,
  creatorsFilter,
  idFilter,
  nameFilter,
  statusFilter,
} from '../../domain/crowd/filters.tsx'
import type { Filter, Filters } from '../../domain/crowd/list-state.ts'
import { readSpan, writeSpan } from '../../lib/span.ts'
import { shownSpan } from './shown-span.ts'

/** Which days the metrics are of; null: the last 30. */
const daysFilter: Filter<[number, number] | null> = {
  empty: null,
  read: readSpan,
  write: writeSpan,
  field: ({ value, onChange }) => <DateRange label="数据时间" value={shownSpan(value)} onChange={onChange} />,
}

export const ACTIVITY_FILTERS = {
  time_range: daysFilter,
  name: nameFilter,
  status: statusFilter(ACTIVITY_STATUS),
  create_by: creatorsFilter('activity'),
  creator: creatorNameFilter,
  id: idFilter('活动ID'),
  adv_id: advertiserFilter,
} satisfies Filters

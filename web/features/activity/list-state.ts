import { useSearchParams } from 'react-router'
import { ALL_FOLDERS, type ChangeList, readState, writeState } from '../../domain/crowd/list-state.ts'
import { ACTIVITY_FILTERS } from './filters.tsx'

/** What the list shows; the URL holds all of it. */
export function useActivityListState() {
  const [params, setParams] = useSearchParams()
  const state = readState(ACTIVITY_FILTERS, params, ALL_FOLDERS)
  const change: ChangeList<typeof ACTIVITY_FILTERS> = (next) =>
    setParams((now) => {
      const written = writeState(ACTIVITY_FILTERS, next(readState(ACTIVITY_FILTERS, now, ALL_FOLDERS)))
      written.delete('dir_id')
      return written
    })
  return [state, change] as const
}

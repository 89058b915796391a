import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CntType } from '#contract/audience.ts'
import { listCrowdFiles } from '#contract/custom-crowd.ts'
import { pageChange } from '../../components/table-parts.tsx'
import { queryOf } from '../../lib/query.ts'
import { readSpan, writeSpan } from '../../lib/span.ts'
import { useDrawerList, useWithinPages } from '../../lib/use-drawer-list.ts'

const POLL_MS = 2_000

export type FilesOf = { id: number; cnt_type?: CntType }

export interface FileFilter {
  name: string
  op_at: [number, number] | null
}
export const NO_FILTER: FileFilter = { name: '', op_at: null }

/** A page of a crowd's files, fetched again while one is checked. The URL holds the page and the filters. */
export function useCrowdFiles(of: FilesOf) {
  const list = useDrawerList('files', ['name', 'op_at'])
  const { paged } = list
  const filter: FileFilter = { name: list.filters.name, op_at: readSpan(list.filters.op_at) }
  const name = filter.name.trim()
  const files = useQuery({
    ...queryOf(listCrowdFiles, {
      query: { ...of, ...paged, name: name || undefined, op_at: writeSpan(filter.op_at) || undefined },
    }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
    refetchInterval: ({ state }) =>
      state.data?.files.some((file) => file.status === 'waiting' || file.status === 'checking') ? POLL_MS : false,
  })
  useWithinPages(list, { isLoaded: files.isSuccess && !files.isPlaceholderData, rows: files.data?.files.length ?? 0 })
  return {
    files,
    filter,
    isFiltered: name !== '' || filter.op_at !== null,
    paged,
    change: ({ name, op_at }: Partial<FileFilter>) =>
      list.filter({ ...(name !== undefined && { name }), ...(op_at !== undefined && { op_at: writeSpan(op_at) }) }),
    turn: (page = 1, size = paged.page_size) => list.turn(pageChange(paged, page, size)),
  }
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CntType } from '#contract/audience.ts'
import { PAGE_SIZE } from '#contract/common.ts'
import { listCrowdFiles } from '#contract/custom-crowd.ts'
import { pageChange } from '../../components/table-parts.tsx'
import { queryOf } from '../../lib/query.ts'

const POLL_MS = 2_000
const FIRST_PAGE = { page: 1, page_size: PAGE_SIZE }

export type FilesOf = { id: number; cnt_type?: CntType }

export interface FileFilter {
  name: string
  op_at: [number, number] | null
}
export const NO_FILTER: FileFilter = { name: '', op_at: null }

/** A page of a crowd's files, fetched again while one is checked. */
export function useCrowdFiles(of: FilesOf) {
  const [filter, setFilter] = useState(NO_FILTER)
  const [paged, setPaged] = useState(FIRST_PAGE)
  const name = filter.name.trim()
  const files = useQuery({
    ...queryOf(listCrowdFiles, {
      query: { ...of, ...paged, name: name || undefined, op_at: filter.op_at?.join(',') ?? undefined },
    }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
    refetchInterval: ({ state }) =>
      state.data?.files.some((file) => file.status === 'waiting' || file.status === 'checking') ? POLL_MS : false,
  })
  return {
    files,
    filter,
    isFiltered: name !== '' || filter.op_at !== null,
    paged,
    change: (part: Partial<FileFilter>) => {
      setFilter({ ...filter, ...part })
      setPaged(FIRST_PAGE)
    },
    turn: (page = 1, size = paged.page_size) => setPaged(pageChange(paged, page, size)),
  }
}

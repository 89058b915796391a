import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { type DrawerList, type Filtered, filtered, readDrawerList, turned } from './drawer-list.ts'
import type { Paged } from './url-page.ts'

/** The page and the filters of a list in a drawer. The URL holds them, so that a reload shows the same. */
export function useDrawerList<Name extends string = never>(list: DrawerList, names: readonly Name[] = []) {
  const [params, setParams] = useSearchParams()
  const { paged, filters } = readDrawerList(params, list, names)
  // The entry of the history is replaced, so that the browser's back button closes the drawer.
  const change = (next: (now: URLSearchParams) => URLSearchParams) => setParams(next, { replace: true })
  return {
    paged,
    filters,
    turn: (to: Paged) => change((now) => turned(now, list, to)),
    filter: (to: Partial<Filtered<Name>>) => change((now) => filtered(now, list, to)),
  }
}

/** Shows the first page where a link or a deletion leads beyond the last one. */
export function useWithinPages(
  { paged, turn }: { paged: Paged; turn: (to: Paged) => void },
  { isLoaded, rows }: { isLoaded: boolean; rows: number },
): void {
  const isBeyond = isLoaded && rows === 0 && paged.page > 1
  useEffect(() => {
    if (isBeyond) turn({ ...paged, page: 1 })
  })
}

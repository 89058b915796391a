import { useSearchParams } from 'react-router'
import { type Paged, readPage, writePage } from './url-page.ts'

/** The page of a drawer's list where no other list has pages. The URL holds it; back closes the drawer. */
export function useUrlPage(): [page: Paged, setPage: (next: Paged) => void] {
  const [params, setParams] = useSearchParams()
  return [readPage(params), (to) => setParams((now) => writePage(now, to), { replace: true })]
}

import { useSearchParams } from 'react-router'
import { FIELDS_PAGE_MAX } from '#contract/tag-field.ts'
import { type Paged, readPage, writePage } from '../../lib/url-page.ts'

export const FIELD_KINDS = { attributes: '属性', events: '事件' } as const
export type FieldKind = keyof typeof FIELD_KINDS

interface FieldState extends Paged {
  kind: FieldKind
  keyword: string
}

/** Begins the keys of the list of fields, which stands below the list of imports. */
const PREFIX = 'field_'
const KIND = `${PREFIX}kind`
const NAME = `${PREFIX}name`

const read = (params: URLSearchParams): FieldState => ({
  kind: params.get(KIND) === 'events' ? 'events' : 'attributes',
  keyword: params.get(NAME) ?? '',
  ...readPage(params, PREFIX, FIELDS_PAGE_MAX),
})

/** What is as at the start is left out. */
function write(params: URLSearchParams, { kind, keyword, ...paged }: FieldState): URLSearchParams {
  const next = writePage(params, paged, PREFIX)
  if (kind === 'attributes') next.delete(KIND)
  else next.set(KIND, kind)
  if (keyword === '') next.delete(NAME)
  else next.set(NAME, keyword)
  return next
}

/** What the list of fields shows, kept in the URL. */
export function useFieldState(): [FieldState, (change: Partial<FieldState>) => void] {
  const [params, setParams] = useSearchParams()
  return [read(params), (change) => setParams((now) => write(now, { ...read(now), ...change }))]
}

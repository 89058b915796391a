import type { ReactNode } from 'react'
import { PAGE_SIZE, PAGE_SIZE_MAX } from '#contract/common.ts'

export interface FieldProps<Value> {
  value: Value
  onChange(value: Value): void
  advertisers: readonly { id: number; name: string }[]
  /** The advertiser of the top bar. */
  advId: number | undefined
}

/** One filter of a list. Its name in the list's table is its name in the URL and in the call. */
export interface Filter<Value> {
  empty: Value
  /** Reads the URL's text; '' if there is none. */
  read(text: string): Value
  /** The text for the URL and the call; '' means no filter. */
  write(value: Value): string
  /** The only deployment that shows it; both if left out. */
  shownIn?: 'saas' | 'rps'
  field(props: FieldProps<Value>): ReactNode
}

/** The filters of one list, in the order shown. */
export type Filters = Record<string, Filter<unknown>>
export type ValuesOf<F extends Filters> = { [Name in keyof F]: F[Name] extends Filter<infer Value> ? Value : never }

/** In place of a folder's id: the crowds of all folders. */
export const ALL_FOLDERS = 0

/** What a list of crowds shows; the URL holds all of it, in the wire's spelling. */
export interface ListState<F extends Filters = Filters> {
  /** A folder's id, or ALL_FOLDERS. */
  dir_id: number
  filters: ValuesOf<F>
  page: number
  page_size: number
  sort: 'created_at' | '-created_at'
}

/** Changes the list from what it shows at that moment. */
export type ChangeList<F extends Filters> = (next: (now: ListState<F>) => ListState<F>) => void

export const asId = (text: string | null): number | null => (text && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null)

const asFolder = (text: string | null) => (text === String(ALL_FOLDERS) ? ALL_FOLDERS : asId(text))

// Names are kept, so the caller knows the shape of the result.
const mapFilters = <F extends Filters, Result>(
  filters: F,
  change: (filter: Filter<unknown>, name: string) => unknown,
) => Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, change(filter, name)])) as Result

const written = <F extends Filters>(filters: F, state: ListState<F>) =>
  mapFilters<F, { [Name in keyof F]: string }>(filters, (filter, name) => filter.write(state.filters[name]))

/** Reads the URL; what is missing or invalid falls back to the default, the folder to the one given. */
export function readState<F extends Filters>(filters: F, params: URLSearchParams, folder: number): ListState<F> {
  const size = asId(params.get('page_size'))
  return {
    dir_id: asFolder(params.get('dir_id')) ?? folder,
    filters: mapFilters<F, ValuesOf<F>>(filters, (filter, name) => filter.read(params.get(name) ?? '')),
    page: asId(params.get('page')) ?? 1,
    page_size: size && size <= PAGE_SIZE_MAX ? size : PAGE_SIZE,
    sort: params.get('sort') === 'created_at' ? 'created_at' : '-created_at',
  }
}

/** The URL of a state, without defaults; the folder is always in it. */
export function writeState<F extends Filters>(filters: F, state: ListState<F>): URLSearchParams {
  const params = new URLSearchParams({ dir_id: String(state.dir_id) })
  for (const [name, text] of Object.entries(written(filters, state))) if (text) params.set(name, text)
  if (state.page > 1) params.set('page', String(state.page))
  if (state.page_size !== PAGE_SIZE) params.set('page_size', String(state.page_size))
  if (state.sort === 'created_at') params.set('sort', state.sort)
  return params
}

/** Changed filters or another folder start on page 1 with the default page size. */
export const searched = <F extends Filters>(
  state: ListState<F>,
  change: { dir_id?: number; filters?: Partial<ValuesOf<F>> },
): ListState<F> => ({
  ...state,
  dir_id: change.dir_id ?? state.dir_id,
  filters: { ...state.filters, ...change.filters },
  page: 1,
  page_size: PAGE_SIZE,
})

export const noFilters = <F extends Filters>(filters: F) =>
  mapFilters<F, ValuesOf<F>>(filters, (filter) => filter.empty)

/** Whether anything but the folder narrows the list. */
export const isFiltered = <F extends Filters>(filters: F, state: ListState<F>): boolean =>
  Object.values(written(filters, state)).some((text) => text !== '')

/** The list's query; undefined values are left out of the call's URL. */
export const queryOfState = <F extends Filters>(filters: F, state: ListState<F>) => ({
  ...mapFilters<F, { [Name in keyof F]: string | undefined }>(
    filters,
    (filter, name) => filter.write(state.filters[name]).trim() || undefined,
  ),
  dir_id: state.dir_id === ALL_FOLDERS ? undefined : state.dir_id,
  page: state.page,
  page_size: state.page_size,
  sort: state.sort,
})

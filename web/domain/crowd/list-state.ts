import { PAGE_SIZE, PAGE_SIZE_MAX } from '#contract/common.ts'

/** What a list of crowds shows; the URL holds all of it, in the wire's spelling. */
export interface ListState<Status extends string = string> {
  dir_id: number
  name: string
  creator_id: number[]
  creator: string
  status: Status[]
  /** Digits; a platform's ids are longer than a number holds. */
  tag_id: string
  created_at: [number, number] | null
  adv_id: number | null
  page: number
  page_size: number
  sort: 'created_at' | '-created_at'
}

const asId = (text: string | null): number | null => (text && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null)
const list = (text: string | null): string[] => (text ?? '').split(',').filter(Boolean)

/** Reads the URL; what is missing or nonsense there falls back, the folder to the one remembered. */
export function readState<Status extends string>(
  statuses: Record<Status, string>,
  params: URLSearchParams,
  folder: number,
): ListState<Status> {
  const isStatus = (text: string): text is Status => Object.hasOwn(statuses, text)
  const [from, to] = list(params.get('created_at')).map(Number)
  const size = asId(params.get('page_size'))
  return {
    dir_id: asId(params.get('dir_id')) ?? folder,
    name: params.get('name') ?? '',
    creator_id: list(params.get('creator_id')).flatMap((id) => asId(id) ?? []),
    creator: params.get('creator') ?? '',
    status: list(params.get('status')).filter(isStatus),
    tag_id: /^\d{1,30}$/.exec(params.get('tag_id') ?? '')?.[0] ?? '',
    created_at:
      from !== undefined && to !== undefined && Number.isInteger(from) && Number.isInteger(to) ? [from, to] : null,
    adv_id: asId(params.get('adv_id')),
    page: asId(params.get('page')) ?? 1,
    page_size: size && size <= PAGE_SIZE_MAX ? size : PAGE_SIZE,
    sort: params.get('sort') === 'created_at' ? 'created_at' : '-created_at',
  }
}

/** The URL of a state, without what is as it would be anyway; the folder always stands there. */
export function writeState(state: ListState): URLSearchParams {
  const params = new URLSearchParams({ dir_id: String(state.dir_id) })
  const put = (name: string, value: string | number | null) => value && params.set(name, String(value))
  put('name', state.name)
  put('creator_id', state.creator_id.join(','))
  put('creator', state.creator)
  put('status', state.status.join(','))
  put('tag_id', state.tag_id)
  put('created_at', state.created_at?.join(',') ?? null)
  put('adv_id', state.adv_id)
  put('page', state.page > 1 ? state.page : null)
  put('page_size', state.page_size === PAGE_SIZE ? null : state.page_size)
  put('sort', state.sort === '-created_at' ? null : state.sort)
  return params
}

/** A search or another folder begins on page 1 with 10 rows. */
export const searched = <Status extends string>(
  state: ListState<Status>,
  change: Partial<ListState<Status>>,
): ListState<Status> => ({
  ...state,
  ...change,
  page: 1,
  page_size: PAGE_SIZE,
})

/** No filter at all. */
export const UNFILTERED = {
  name: '',
  creator_id: [],
  creator: '',
  status: [],
  created_at: null,
  adv_id: null,
  tag_id: '',
} satisfies Partial<ListState>

/** Whether anything but the folder narrows the list: decides what an empty list says. */
export const isFiltered = (state: ListState): boolean =>
  Boolean(
    state.name ||
      state.creator ||
      state.creator_id.length ||
      state.status.length ||
      state.tag_id ||
      state.created_at ||
      state.adv_id,
  )

/** The list's query; empty filters are dropped when the URL of the call is made. */
export const queryOfState = <Status extends string>(state: ListState<Status>) => ({
  dir_id: state.dir_id,
  name: state.name.trim() || undefined,
  creator_id: state.creator_id.length ? state.creator_id.join(',') : undefined,
  creator: state.creator.trim() || undefined,
  status: state.status.length ? state.status.join(',') : undefined,
  tag_id: state.tag_id || undefined,
  created_at: state.created_at?.join(',') ?? undefined,
  adv_id: state.adv_id ?? undefined,
  page: state.page,
  page_size: state.page_size,
  sort: state.sort,
})

import { PAGE_SIZE } from '#contract/common.ts'
import { type Paged, readPage, writePage } from './url-page.ts'

/** The lists in drawers. Their keys in the URL begin with these, because the list below the drawer has keys of its own. */
const LISTS = ['files', 'logs', 'pushes'] as const
export type DrawerList = (typeof LISTS)[number]

/** A filter's text for the URL; '' for none. */
export type Filtered<Name extends string> = Record<Name, string>

export interface DrawerState<Name extends string> {
  paged: Paged
  filters: Filtered<Name>
}

const keyOf = (list: DrawerList, name: string) => `${list}_${name}`

export const readDrawerList = <Name extends string>(
  params: URLSearchParams,
  list: DrawerList,
  names: readonly Name[],
): DrawerState<Name> => ({
  paged: readPage(params, keyOf(list, '')),
  filters: Object.fromEntries(names.map((name) => [name, params.get(keyOf(list, name)) ?? ''])) as Filtered<Name>,
})

export const turned = (params: URLSearchParams, list: DrawerList, paged: Paged) =>
  writePage(params, paged, keyOf(list, ''))

/** Changed filters start on page 1 with the usual page size. */
export function filtered<Name extends string>(
  params: URLSearchParams,
  list: DrawerList,
  change: Partial<Filtered<Name>>,
): URLSearchParams {
  const next = turned(params, list, { page: 1, page_size: PAGE_SIZE })
  for (const [name, text] of Object.entries<string | undefined>(change)) {
    if (text) next.set(keyOf(list, name), text)
    else next.delete(keyOf(list, name))
  }
  return next
}

/** The URL without what the lists of a drawer showed: for a drawer that closes or opens. */
export function withoutDrawerLists(params: URLSearchParams): URLSearchParams {
  const isOfDrawer = (key: string) => LISTS.some((list) => key.startsWith(keyOf(list, '')))
  return new URLSearchParams([...params].filter(([key]) => !isOfDrawer(key)))
}

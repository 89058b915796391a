import { IdentifierType } from '#contract/identifier.ts'
import { type Paged, readPage, writePage } from '../../lib/url-page.ts'

/** What the suppression list shows; the URL holds all of it. */
export interface SuppressionListState extends Paged {
  keyword: string
  type: IdentifierType | null
}

export function readSuppressionState(params: URLSearchParams): SuppressionListState {
  return {
    keyword: params.get('keyword') ?? '',
    type: IdentifierType.safeParse(params.get('type')).data ?? null,
    ...readPage(params),
  }
}

/** The URL with this list; what else it holds stays. */
export function writeSuppressionState(state: SuppressionListState, params = new URLSearchParams()): URLSearchParams {
  const next = writePage(params, state)
  const write = (name: string, value: string) => (value === '' ? next.delete(name) : next.set(name, value))
  write('keyword', state.keyword)
  write('type', state.type ?? '')
  return next
}

/** The filter of the list as its calls take it. */
export const filterOf = ({ keyword, type }: SuppressionListState) => ({
  ...(keyword === '' ? {} : { keyword }),
  ...(type === null ? {} : { type }),
})

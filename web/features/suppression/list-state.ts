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

export function writeSuppressionState(state: SuppressionListState): URLSearchParams {
  const params = new URLSearchParams()
  if (state.keyword !== '') params.set('keyword', state.keyword)
  if (state.type !== null) params.set('type', state.type)
  return writePage(params, state)
}

/** The filter of the list as its calls take it. */
export const filterOf = ({ keyword, type }: SuppressionListState) => ({
  ...(keyword === '' ? {} : { keyword }),
  ...(type === null ? {} : { type }),
})

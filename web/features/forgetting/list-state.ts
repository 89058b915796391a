import { type Paged, readPage, writePage } from '../../lib/url-page.ts'

/** The list stands below another one: its keys in the URL begin with this. */
const PREFIX = 'forgotten_'
const ONE_ID = `${PREFIX}oneID`

/** What the list of forgotten people shows; the URL holds all of it. */
export interface ForgottenListState extends Paged {
  oneID: string
}

export const readForgottenState = (params: URLSearchParams): ForgottenListState => ({
  oneID: params.get(ONE_ID) ?? '',
  ...readPage(params, PREFIX),
})

/** The URL with this list; what else it holds stays. */
export function writeForgottenState(params: URLSearchParams, state: ForgottenListState): URLSearchParams {
  const next = writePage(params, state, PREFIX)
  if (state.oneID === '') next.delete(ONE_ID)
  else next.set(ONE_ID, state.oneID)
  return next
}

import type { z } from 'zod'
import type { Generation } from '#contract/targeting/social/platform.ts'
import type { AccountSession, StepHooks } from '../audience-platform.ts'
import type { SocialWire } from './wire.ts'

const PAGE_SIZE = 100
const PAGES_MOST = 50

interface Paged {
  list: unknown[]
  page_info?: { total_page: number } | undefined
}

/** The pages of a list, one call each. */
export async function* pagesOf<T extends Paged>(
  wire: SocialWire,
  shape: z.ZodType<T>,
  asked: {
    account: AccountSession
    on: StepHooks
    path: string
    version?: Generation
    query?: Record<string, unknown>
  },
): AsyncGenerator<T> {
  const { account, query, ...call } = asked
  for (let page = 1; page <= PAGES_MOST; page++) {
    const about = { account_id: account.external_id, ...query, page, page_size: PAGE_SIZE }
    const answer = await wire.get(shape, { ...call, account, query: about })
    yield answer
    if (answer.list.length === 0 || page >= (answer.page_info?.total_page ?? 1)) return
  }
}

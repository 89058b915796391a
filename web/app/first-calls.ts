import type { QueryClient } from '@tanstack/react-query'
import { getConsole, getViewer } from '#contract/viewer.ts'
import { FIRST_ADVERTISERS } from '../features/advertiser/use-advertisers.ts'
import { isFramed } from '../lib/embedding.ts'
import { paths } from '../lib/paths.ts'
import { queryOf } from '../lib/query.ts'

/** The part that asks for it too shows a failure. */
const meta = { silent: 'caller' } as const

/** Begins together what the frame of every page would ask for one after the other. */
export function beginFirstCalls(client: QueryClient): void {
  void client.prefetchQuery({ ...queryOf(getConsole), meta })
  if (isFramed() || location.pathname === paths.login() || location.pathname === paths.sharedReport()) return
  void client.prefetchQuery({ ...queryOf(getViewer), meta })
  void client.prefetchQuery({ ...FIRST_ADVERTISERS, meta })
}

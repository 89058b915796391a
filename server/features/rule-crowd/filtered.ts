import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { listRuleCrowds } from '#contract/rule-crowd.ts'
import { historyFilters, listFilters } from '../../crowds/crowd-list.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { crowdRows, statusSql } from './store.ts'

type Query = z.output<typeof listRuleCrowds.query>

/** The rule crowds that the filters of a list find. */
export async function filteredCrowds(
  db: Kysely<Database>,
  viewer: Viewer,
  adv_ids: readonly number[],
  query: Omit<Query, 'page' | 'page_size' | 'sort'>,
  at: number,
) {
  const status = query.ordinary ? (['completed', 'in_use'] as const) : query.status
  const filters = query.ordinary
    ? await historyFilters(db, viewer, 'rule', adv_ids, query)
    : listFilters(viewer, 'rule', adv_ids, query)
  let rows = crowdRows(db, at).where(filters)
  if (query.tag_id) rows = rows.where('people.tag_id', '=', query.tag_id)
  if (status?.length) rows = rows.where(statusSql(db, at), 'in', [...status])
  return { rows }
}

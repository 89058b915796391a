import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import { FOLLOWS_DATA } from '#contract/crowd-schedule.ts'
import { type listRuleCrowds, NEVER, type RuleCrowdRow } from '#contract/rule-crowd.ts'
import { historyFilters, listPage } from '../../crowds/crowd-list.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'

/** Uploaded crowds that rules may use, in the shape of the list: the size is their matched people, and they never expire. */
export async function uploadedCrowds(
  db: Kysely<Database>,
  { viewer, adv_ids }: { viewer: Viewer; adv_ids: readonly number[] },
  query: z.output<typeof listRuleCrowds.query>,
  limit: number,
): Promise<{ rows: RuleCrowdRow[]; total: number }> {
  // Their folders are in another tree.
  if (query.dir_id !== undefined) return { rows: [], total: 0 }
  const crowds = db
    .selectFrom('custom_crowd')
    .innerJoin('advertiser', 'advertiser.id', 'custom_crowd.adv_id')
    .innerJoin('viewer', 'viewer.id', 'custom_crowd.creator_id')
    .where(await historyFilters(db, viewer, 'custom', adv_ids, query))
    .where('custom_crowd.deleted_at', 'is', null)
    .where('custom_crowd.version', '>', 0)
    .$if(query.tag_id !== undefined, (rows) => rows.where('custom_crowd.id', '=', query.tag_id ?? 0))
    .select([
      'custom_crowd.id',
      'custom_crowd.name',
      'custom_crowd.adv_id',
      'advertiser.name as adv_name',
      'custom_crowd.dir_id',
      'custom_crowd.creator_id',
      sql<string>`coalesce(nullif(viewer.realname, ''), viewer.username)`.as('creator'),
      'custom_crowd.created_at',
      'custom_crowd.matched',
      'custom_crowd.counted_at',
    ])
  const { page, total } = await listPage(crowds, 'custom', { sort: query.sort, limit })
  return {
    total,
    rows: page.map((row) => ({
      kind: 'custom',
      id: row.id,
      name: row.name,
      tagId: row.id,
      rId: 0,
      adv_id: row.adv_id,
      adv_name: row.adv_name,
      dirId: row.dir_id,
      status: 'completed',
      refreshing: false,
      progress: null,
      creatorId: row.creator_id,
      creator: row.creator,
      createTime: row.created_at,
      invalidTime: NEVER,
      magnitude: row.matched,
      computedAt: row.counted_at,
      tookMs: null,
      failReason: null,
      fail_outcome: null,
      schedule: FOLLOWS_DATA,
      nextAt: null,
      dataChanged: false,
      tellShare: null,
      control_share: null,
      ver: 1,
      audiences: [],
    })),
  }
}

/** Sorts rows of both kinds into one list. */
export function inOrder(rows: readonly RuleCrowdRow[], sort: 'created_at' | '-created_at'): RuleCrowdRow[] {
  const sign = sort === 'created_at' ? 1 : -1
  return rows.toSorted((one, other) => sign * (one.createTime - other.createTime || one.id - other.id))
}

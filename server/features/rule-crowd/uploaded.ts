import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import { type listPeople, NEVER, type PeopleRow } from '#contract/rule-crowd.ts'
import { holding } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'

/** Uploaded crowds that rules may use, in the shape of the list: people of ours among them, and no expiry. */
export async function uploadedCrowds(
  db: Kysely<Database>,
  adv_ids: readonly number[],
  query: z.output<typeof listPeople.query>,
  limit: number,
): Promise<{ rows: PeopleRow[]; total: number }> {
  // Their folders are another tree.
  if (query.dir_id !== undefined) return { rows: [], total: 0 }
  let crowds = db
    .selectFrom('custom_crowd')
    .innerJoin('advertiser', 'advertiser.id', 'custom_crowd.adv_id')
    .innerJoin('viewer', 'viewer.id', 'custom_crowd.creator_id')
    .where('custom_crowd.adv_id', 'in', [...adv_ids])
    .where('custom_crowd.deleted_at', 'is', null)
    .where('custom_crowd.version', '>', 0)
  if (query.name) crowds = crowds.where('custom_crowd.name', 'ilike', holding(query.name))
  if (query.creator_id?.length) crowds = crowds.where('custom_crowd.creator_id', 'in', query.creator_id)
  if (query.creator) {
    const like = holding(query.creator)
    crowds = crowds.where((eb) => eb.or([eb('viewer.realname', 'ilike', like), eb('viewer.username', 'ilike', like)]))
  }
  if (query.tag_id) crowds = crowds.where('custom_crowd.id', '=', query.tag_id)
  if (query.created_at) {
    const [from, to] = query.created_at
    crowds = crowds.where('custom_crowd.created_at', '>=', from).where('custom_crowd.created_at', '<=', to)
  }
  const { total } = await crowds.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const direction = query.sort === 'created_at' ? 'asc' : 'desc'
  const rows = await crowds
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
    .orderBy('custom_crowd.created_at', direction)
    .orderBy('custom_crowd.id', direction)
    .limit(limit)
    .execute()
  return {
    total,
    rows: rows.map((row) => ({
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
      ver: 1,
    })),
  }
}

/** Rows of both kinds as one list. */
export function inOrder(rows: readonly PeopleRow[], direction: 'asc' | 'desc'): PeopleRow[] {
  const sign = direction === 'asc' ? 1 : -1
  return rows.toSorted((one, other) => sign * (one.createTime - other.createTime || one.id - other.id))
}

import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'

export interface NamedCrowd {
  id: number
  name: string
}

/** The crowds that use each of the tags; a tag that none uses is missing. */
export async function crowdsOfTags(
  tx: Kysely<Database>,
  tag_ids: readonly number[],
): Promise<ReadonlyMap<number, NamedCrowd[]>> {
  if (tag_ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('crowd_use')
    .innerJoin('people', 'people.id', 'crowd_use.people_id')
    .select(['people.id', 'people.name', 'crowd_use.uses_id'])
    .where('crowd_use.uses_kind', '=', 'tag')
    .where('crowd_use.uses_id', 'in', [...tag_ids])
    .where('people.deleted_at', 'is', null)
    .orderBy('people.id')
    .execute()
  const byTag = Map.groupBy(rows, (row) => row.uses_id)
  return new Map([...byTag].map(([tag, crowds]) => [tag, crowds.map(({ id, name }) => ({ id, name }))]))
}

/** Deletes tags that no crowd uses; what the warehouse holds of them is dropped later. */
export async function removeTags(
  tx: Transaction<Database>,
  adv_id: number,
  tags: readonly { id: number; version: number }[],
): Promise<void> {
  if (tags.length === 0) return
  const ids = tags.map(({ id }) => id)
  await tx.deleteFrom('tag').where(sql<boolean>`id = any(${ids}::int[])`).execute()
  const built = tags.filter(({ version }) => version > 0)
  if (built.length === 0) return
  const since = now()
  await tx
    .insertInto('tag_leftover')
    .values(built.map(({ id, version }) => ({ adv_id, tag_id: id, version, since })))
    .execute()
}

const NAMES_LISTED = 5
/** The first names, and how many there are. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_LISTED).map((name) => `「${name}」`)
  return `${shown.join('、')}${names.length > NAMES_LISTED ? ` 等 ${names.length} 个人群` : ''}`
}

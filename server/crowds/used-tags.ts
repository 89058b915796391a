import { type Kysely, sql } from 'kysely'
import { CROWD_TAG } from '#contract/rule.ts'
import type { Database } from '../postgres/schema.ts'

/** A select of the ids of the tags that a row of `rule` names; crowds in it are none. */
export const tagsOfRule = () => sql`
  select found.id::int from jsonb_path_query(rule.def, '$.**.subTags[*] ? (@.tag_type != $crowd).id',
    jsonb_build_object('crowd', ${CROWD_TAG}::int)) as found (id)`

/** Those of the advertiser's tags that a crowd (also a deleted one, which may be restored) or a draft uses. */
export async function usedTags(
  db: Kysely<Database>,
  adv_id: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select uses_id as id from crowd_use where uses_kind = 'tag' and uses_id = any(${[...ids]}::int[])
    union select named.id from rule cross join lateral (${tagsOfRule()}) as named (id) where rule.adv_id = ${adv_id}
    `.execute(db)
  return new Set(rows.map(({ id }) => id))
}

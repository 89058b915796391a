import { type Kysely, sql } from 'kysely'
import type { AttributeUses } from '#contract/attribute-removal.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { slotColumn } from '../../clickhouse/person-sql.ts'
import { tagsOfRule } from '../../crowds/used-tags.ts'
import type { Database } from '../../postgres/schema.ts'

interface Of {
  adv_id: number
  name: string
  slot: number
}

/** The files that brought an attribute: those whose import names it, and those of earlier versions whose rows have values of it. */
export async function filesOf(db: Kysely<Database>, load: AcrossShards, { adv_id, name, slot }: Of): Promise<string[]> {
  const found = await load.query<{ import_id: number }>(
    `SELECT DISTINCT import_id FROM person_row WHERE adv_id = {adv_id:UInt32} AND ${slotColumn(slot)} != ''`,
    { adv_id },
  )
  const rows = await db
    .selectFrom('import')
    .select('file_name')
    .where('adv_id', '=', adv_id)
    .where('source', '=', 'file')
    .where('status', '!=', 'undone')
    .where(
      sql<boolean>`(id = any(${found.map(({ import_id }) => import_id)}::int[])
        or brought->'attributes' @> ${JSON.stringify([{ name }])}::jsonb)`,
    )
    .orderBy('id')
    .execute()
  return [...new Set(rows.map(({ file_name }) => file_name))]
}

/** What uses an attribute in the records. */
export async function usesOf(
  db: Kysely<Database>,
  { adv_id, name }: Omit<Of, 'slot'>,
): Promise<Omit<AttributeUses, 'files'>> {
  const tags = await db
    .selectFrom('tag')
    .select(['id', 'name', 'is_automatic'])
    .where('adv_id', '=', adv_id)
    .where(sql<boolean>`definition->>'attribute' = ${name}`)
    .orderBy('id')
    .execute()
  const ids = tags.map(({ id }) => id)
  const { rows: crowds } = await sql<{ name: string }>`
    select distinct p.id, p.name from crowd_use u join people p on p.id = u.people_id
    where u.uses_kind = 'tag' and u.uses_id = any(${ids}::int[]) order by p.id`.execute(db)
  const { rows: drafts } = await sql<{ n: number }>`
    select count(*)::int as n from rule where adv_id = ${adv_id}
      and not exists (select 1 from people where people.rule_id = rule.id)
      and exists (select 1 from (${tagsOfRule()}) as named (id) where named.id = any(${ids}::int[]))`.execute(db)
  const consent = await db
    .selectFrom('consent')
    .select('adv_id')
    .where('adv_id', '=', adv_id)
    .where('attribute', '=', name)
    .executeTakeFirst()
  return {
    crowds: crowds.map((crowd) => crowd.name),
    tags: tags.filter(({ is_automatic }) => !is_automatic).map((tag) => tag.name),
    drafts: drafts[0]?.n ?? 0,
    consent: consent !== undefined,
  }
}

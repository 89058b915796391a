import type { Kysely } from 'kysely'
import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { IDENTIFIERS_SHOWN } from '#contract/link-user-profile.ts'
import { maskedIdentifier } from '#contract/masked-identifier.ts'
import type { AcrossShards, Handles } from '../../clickhouse/handles.ts'
import { attributeValues } from '../../clickhouse/person-values.ts'
import { BY_TABLE_ORDER } from '../../clickhouse/read-options.ts'
import { allCrowds } from '../../crowds/all-crowds.ts'
import { offeredTags } from '../../crowds/offered-tags.ts'
import { personTextSql } from '../../identifiers/forms-sql.ts'
import type { Database } from '../../postgres/schema.ts'
import { setsHolding } from './memberships.ts'

interface Deps {
  db: Kysely<Database>
  live: Handles
  personKey: Buffer
}

interface Whom {
  adv_id: number
  uid: number
}

/** What is stored about a person besides their events. */
export async function profileOf({ db, live, personKey }: Deps, whom: Whom) {
  const [identifiers, attributes, tags, crowds] = await Promise.all([
    identifiersOf(live.acrossShards, whom, personKey),
    attributesOf(db, live.acrossShards, whom),
    tagsOf(db, live, whom),
    crowdsOf(db, live, whom),
  ])
  return { identifiers, attributes, tags, crowds }
}

async function identifiersOf(engine: AcrossShards, { adv_id, uid }: Whom, personKey: Buffer) {
  const texts = (Object.keys(IDENTIFIERS) as IdentifierType[]).map(
    (type) => `id_type = '${type}', ${personTextSql(type, 'value_hash', personKey)}`,
  )
  const rows = await engine.query<{ id_type: IdentifierType; total: number; some: string[] }>(
    `SELECT id_type, count() AS total, arraySlice(arraySort(groupArray(text)), 1, ${IDENTIFIERS_SHOWN}) AS some
     FROM (SELECT DISTINCT toString(id_type) AS id_type, multiIf(${texts.join(', ')}, '') AS text FROM identifier
           WHERE adv_id = {adv_id:UInt32} AND uid = {uid:UInt32})
     GROUP BY id_type`,
    { adv_id, uid },
    BY_TABLE_ORDER,
  )
  const byType = new Map(rows.map((row) => [row.id_type, row]))
  return (Object.keys(IDENTIFIERS) as IdentifierType[]).flatMap((id_type) => {
    const row = byType.get(id_type)
    if (!row) return []
    const shown = row.some.map((text) => maskedIdentifier(id_type, text))
    return [{ id_type, label: IDENTIFIERS[id_type].label, total: Number(row.total), shown }]
  })
}

async function attributesOf(db: Kysely<Database>, engine: AcrossShards, whom: Whom) {
  const known = await db
    .selectFrom('attribute')
    .select(['slot', 'display_name', 'dictionary'])
    .where('adv_id', '=', whom.adv_id)
    .orderBy('id')
    .execute()
  const values = await attributeValues(
    engine,
    whom,
    known.map(({ slot }) => slot),
  )
  return known.flatMap(({ slot, display_name, dictionary }) => {
    const value = values.get(slot) ?? ''
    if (value === '') return []
    return [{ name: display_name, text: dictionary.find((one) => one.value === value)?.label ?? value }]
  })
}

async function tagsOf(db: Kysely<Database>, { everyShard }: Handles, whom: Whom) {
  const tags = await offeredTags(db, whom.adv_id)
  const held = await setsHolding(everyShard, 'tag', whom, tags)
  return tags
    .filter(({ id }) => held.has(id))
    .map(({ id, tag_type, name, category, counted_at }) => ({ id, tag_type, name, category, counted_at }))
}

async function crowdsOf(db: Kysely<Database>, { everyShard }: Handles, whom: Whom) {
  const crowds = await allCrowds(db)
    .selectAll()
    .where('adv_id', '=', whom.adv_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const holding = await setsHolding(everyShard, 'crowd', whom, crowds)
  return crowds
    .filter(({ id }) => holding.has(id))
    .map(({ id, kind, name, counted_at }) => ({ id, kind, name, counted_at }))
}

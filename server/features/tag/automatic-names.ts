import { sql, type Transaction } from 'kysely'
import { ATTRIBUTE_TAG, EVENT_TAG, type TagType } from '#contract/tag.ts'
import type { Database, StoredEntry } from '../../postgres/schema.ts'

type Tx = Transaction<Database>

const TAG_NAME_MAX = 60

/** The name of an automatic tag for a value or its label. */
export function shownName(value: string): string {
  // A name of control characters and blanks alone would be invisible.
  const text = [...(/[^\p{C}\p{Z}]/u.test(value) ? value.trim() : '（空白）')]
  return text.length > TAG_NAME_MAX ? `${text.slice(0, TAG_NAME_MAX - 6).join('')}…` : text.join('')
}

/** The name of the automatic tag of an event. */
export const didName = (shown: string) => (/^\p{Script=Han}/u.test(shown) ? `做过${shown}` : `做过 ${shown}`)

interface NamedField {
  name: string
  display_name: string
}

/**
 * Gives an attribute's category and the tags of its values the names that are settled now. What a viewer named himself
 * stays, and rules stay as they are: they know tags by id, and definitions name the attribute as it was imported.
 */
export async function syncAttributeNames(
  tx: Tx,
  adv_id: number,
  { name, display_name, dictionary }: NamedField & { dictionary: readonly StoredEntry[] },
): Promise<void> {
  await renameCategory(tx, adv_id, { tag_type: ATTRIBUTE_TAG, source: name, shown: display_name || name })
  const labels = new Map(dictionary.map(({ value, label }) => [value, label]))
  const tags = await automaticTags(
    tx,
    adv_id,
    sql<boolean>`definition->>'attribute' = ${name}
    and definition->'condition'->>'is' = 'equals'`,
  )
  const wanted = tags.flatMap(({ definition, ...tag }) =>
    definition.kind === 'attribute' && definition.condition.is === 'equals'
      ? { ...tag, wanted: shownName(labels.get(definition.condition.value) ?? definition.condition.value) }
      : [],
  )
  await renameTags(tx, wanted)
}

/** Gives an event's category and automatic tag the name that is settled now. */
export async function syncEventNames(tx: Tx, adv_id: number, { name, display_name }: NamedField): Promise<void> {
  const shown = display_name || name
  await renameCategory(tx, adv_id, { tag_type: EVENT_TAG, source: name, shown })
  const tags = await automaticTags(tx, adv_id, sql<boolean>`definition->>'event' = ${name}`)
  await renameTags(
    tx,
    tags.map((tag) => ({ ...tag, wanted: didName(shown) })),
  )
}

const automaticTags = (tx: Tx, adv_id: number, where: ReturnType<typeof sql<boolean>>) =>
  tx
    .selectFrom('tag')
    .select(['id', 'name', 'category_id', 'definition'])
    .where('adv_id', '=', adv_id)
    .where('is_automatic', '=', true)
    .where('is_renamed', '=', false)
    .where(where)
    .orderBy('id')
    .execute()

/** Leaves the old name where another category has the new one already. */
async function renameCategory(
  tx: Tx,
  adv_id: number,
  { tag_type, source, shown }: { tag_type: TagType; source: string; shown: string },
): Promise<void> {
  await sql`
    update tag_category c set name = ${shown}
    where adv_id = ${adv_id} and tag_type = ${tag_type} and source = ${source} and not is_renamed and name <> ${shown}
      and not exists (select 1 from tag_category o
        where o.adv_id = c.adv_id and o.tag_type = c.tag_type and o.name = ${shown})`.execute(tx)
}

interface Renamed {
  id: number
  name: string
  category_id: number
  wanted: string
}

const withoutNumber = (name: string) => name.replace(/ \(\d+\)$/, '')

async function renameTags(tx: Tx, tags: readonly Renamed[]): Promise<void> {
  const due = tags.filter(({ name, wanted }) => name !== wanted && withoutNumber(name) !== wanted)
  for (const [category_id, group] of Map.groupBy(due, (tag) => tag.category_id)) {
    const ids = group.map(({ id }) => id)
    const others = await tx
      .selectFrom('tag')
      .select('name')
      .where('category_id', '=', category_id)
      .where(sql<boolean>`id <> all(${ids}::int[])`)
      .execute()
    const taken = new Set(others.map(({ name }) => name))
    const names = group.map(({ wanted }) => {
      let name = wanted
      for (let copy = 2; taken.has(name); copy++) name = `${wanted} (${copy})`
      taken.add(name)
      return name
    })
    // Two tags may swap their names, and a name is unique in its category at every moment.
    await sql`update tag set name = 'renamed ' || id || ' ' || md5(name) where id = any(${ids}::int[])`.execute(tx)
    await sql`
      update tag set name = new.name from unnest(${ids}::int[], ${names}::text[]) as new (id, name)
      where tag.id = new.id`.execute(tx)
  }
}

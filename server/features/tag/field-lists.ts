import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import { FIELD_KINDS } from '#contract/outcomes/tag.ts'
import type { EventMeaning } from '#contract/standard-event.ts'
import {
  type AttributeInfo,
  type DictionaryEntry,
  FIELD_VALUES_SHOWN,
  type getAttribute,
  type getEvent,
  type getPropertyValues,
  type listFields,
  PROPERTIES_SHOWN,
} from '#contract/tag-field.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { AppError } from '../../errors.ts'
import { phonesFor } from '../../files/mask-phones.ts'
import type { Viewer } from '../../http/viewer.ts'
import { mayKnowName, textHolds } from '../../postgres/like.ts'
import type { AttributeTable, Database } from '../../postgres/schema.ts'
import { propertyTypes } from './property-types.ts'

type Row = Pick<AttributeTable, 'name' | 'type' | 'display_name'> & {
  is_type_fixed: boolean
  distinct_values: number
  values: string[]
  left_out: AttributeInfo['left_out']
  dictionary: { value: string; label: string }[]
}

function shownAttribute(row: Row, say: (text: string) => string): AttributeInfo {
  return {
    name: row.name,
    type: row.type,
    is_type_fixed: row.is_type_fixed,
    display_name: row.display_name,
    // Suggested values may be phone numbers, whatever the attribute is called.
    values: row.values.slice(0, FIELD_VALUES_SHOWN).map(say),
    distinct: row.distinct_values,
    named: row.dictionary.length,
    left_out: row.left_out,
  }
}

/** The attributes and events of an advertiser, as forms offer them and as their settings are shown. */
export function fieldLists({ db, live }: { db: Kysely<Database>; live: AcrossShards }) {
  return {
    async fields(viewer: Viewer, query: z.output<typeof listFields.query>) {
      const { adv_id, keyword, page, page_size } = query
      viewer.mustBeMember(adv_id)
      const say = phonesFor(viewer)
      const wanted = matching(viewer, adv_id, keyword?.trim() ?? '')
      const offset = (page - 1) * page_size
      const total = sql<number>`count(*) over ()`.as('total')
      const [attributes, events] = await Promise.all([
        db
          .selectFrom('attribute')
          .selectAll()
          .select(total)
          .where(wanted)
          .orderBy('slot')
          .limit(page_size)
          .offset(offset)
          .execute(),
        db
          .selectFrom('event_name')
          .selectAll()
          .select(total)
          .where(wanted)
          .orderBy('id')
          .limit(page_size)
          .offset(offset)
          .execute(),
      ])
      const totalOf = async (table: 'attribute' | 'event_name', [row]: { total: number }[]) =>
        row ? row.total : offset === 0 ? 0 : countOf(db, table, wanted)
      return {
        attributes: attributes.map((row) => shownAttribute(row, say)),
        attributes_total: await totalOf('attribute', attributes),
        events: events.map(({ name, display_name, properties, meaning }) => ({
          name,
          display_name,
          standard: meaning?.standard ?? null,
          properties: properties.filter((property) => mayKnow(viewer, property)).slice(0, PROPERTIES_SHOWN),
        })),
        events_total: await totalOf('event_name', events),
      }
    },

    async attribute(viewer: Viewer, { adv_id, name }: z.output<typeof getAttribute.query>) {
      viewer.mustBeMember(adv_id)
      mustKnowField(viewer, { attribute: name })
      const row = await mustFindAttribute(db, { adv_id, name })
      return { ...shownAttribute(row, phonesFor(viewer)), dictionary: shownDictionary(row.dictionary, viewer) }
    },

    async propertyValues(viewer: Viewer, { adv_id, name, property }: z.output<typeof getPropertyValues.query>) {
      viewer.mustBeMember(adv_id)
      mustKnowField(viewer, { event: name, property })
      const row = await mustFindEvent(db, { adv_id, name })
      if (!row.properties.includes(property)) throw new AppError('notFound', { what: `事件属性「${property}」` })
      return { dictionary: shownDictionary(row.property_settings[property]?.dictionary ?? [], viewer) }
    },

    async event(viewer: Viewer, { adv_id, name }: z.output<typeof getEvent.query>, signal?: AbortSignal) {
      viewer.mustBeMember(adv_id)
      mustKnowField(viewer, { event: name })
      const row = await mustFindEvent(db, { adv_id, name })
      const guessed = await propertyTypes(live, { adv_id, event: name }, signal)
      return {
        name,
        display_name: row.display_name,
        meaning: row.meaning && shownMeaning(row.meaning, viewer),
        properties: row.properties
          .filter((property) => mayKnow(viewer, property))
          .map((property) => {
            const { display_name = property, type, dictionary = [] } = row.property_settings[property] ?? {}
            return {
              name: property,
              display_name,
              type: type ?? guessed.get(property) ?? null,
              is_type_fixed: Boolean(type),
              named: dictionary.length,
            }
          }),
      }
    },
  }
}
export type FieldLists = ReturnType<typeof fieldLists>

/** A property with a phone as its name is not told. */
const shownMeaning = ({ standard, amount, goods }: EventMeaning, viewer: Viewer): EventMeaning => {
  const told = (name: string | null) => (name !== null && mayKnow(viewer, name) ? name : null)
  return { standard, amount: told(amount), goods: told(goods) }
}

/** Entries with masked phones for viewers who may not see them. */
function shownDictionary(entries: readonly DictionaryEntry[], viewer: Viewer) {
  const say = phonesFor(viewer)
  return entries.map(({ value, label }) => {
    const shown = { value: say(value), label: say(label) }
    return { ...shown, is_masked: shown.value !== value || shown.label !== label }
  })
}

function matching(viewer: Viewer, adv_id: number, text: string) {
  const holds = (column: string) => textHolds(viewer, sql.ref(column), text)
  const isFound = text === '' ? sql<boolean>`true` : sql<boolean>`(${holds('name')} or ${holds('display_name')})`
  return sql<boolean>`adv_id = ${adv_id} and ${mayKnowName(viewer, sql.ref('name'))} and ${isFound}`
}

/** A file without a header gives fields the cells of its first line as names, which may be phones. */
const mayKnow = (viewer: Viewer, name: string) => phonesFor(viewer)(name) === name

/** Refuses a field that the lists leave out for the viewer, as if the advertiser did not have it. */
export function mustKnowField(
  viewer: Viewer,
  field: { attribute: string } | { event: string; property?: string },
): void {
  const [what, names] =
    'attribute' in field
      ? [FIELD_KINDS.attribute, [field.attribute]]
      : [FIELD_KINDS.event, [field.event, field.property ?? '']]
  const unknown = names.find((name) => !mayKnow(viewer, name))
  if (unknown !== undefined) throw new AppError('tagUnknownField', { what, name: unknown })
}

/** A page beyond the last one has no row that says how many there are. */
async function countOf(db: Kysely<Database>, table: 'attribute' | 'event_name', where: ReturnType<typeof matching>) {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where ${where}`.execute(db)
  return rows[0]?.n ?? 0
}

interface FieldKey {
  adv_id: number
  name: string
}

/** Refuses names that the advertiser does not have. */
export async function mustFindAttribute(db: Kysely<Database>, { adv_id, name }: FieldKey) {
  const rows = db.selectFrom('attribute').selectAll().where('adv_id', '=', adv_id)
  const row = await rows.where('name', '=', name).executeTakeFirst()
  if (!row) throw new AppError('tagUnknownField', { what: FIELD_KINDS.attribute, name })
  return row
}
export async function mustFindEvent(db: Kysely<Database>, { adv_id, name }: FieldKey) {
  const rows = db.selectFrom('event_name').selectAll().where('adv_id', '=', adv_id)
  const row = await rows.where('name', '=', name).executeTakeFirst()
  if (!row) throw new AppError('tagUnknownField', { what: FIELD_KINDS.event, name })
  return row
}

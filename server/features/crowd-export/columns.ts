import type { Kysely } from 'kysely'
import {
  attributeColumn,
  EXPORT_COLUMNS,
  EXPORT_TAGS_MAX,
  type FixedColumn,
  identifierColumn,
  readColumn,
  tagsColumn,
} from '#contract/crowd-export.ts'
import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { maskedIdentifier } from '#contract/masked-identifier.ts'
import { outcome } from '#contract/outcome.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { offeredTags } from '../../crowds/offered-tags.ts'
import { AppError } from '../../errors.ts'
import { phonesFor } from '../../files/mask-phones.ts'
import type { Viewer } from '../../http/viewer.ts'
import { phoneFor } from '../../identifiers/person-phone.ts'
import type { Database } from '../../postgres/schema.ts'
import { timeText } from '../../time/day.ts'
import type { Described } from './people.ts'

type Reader = Pick<Viewer, 'see_phones'>
type Tag = Awaited<ReturnType<typeof offeredTags>>[number]
export type CountedTag = Tag & { count: number }

/** Between the identifiers, or the names of tags, of one cell. */
const BETWEEN = '；'

interface Column {
  key: string
  label: string
  cell(person: Described): string
}

/** What a file is made of: its columns, and what must be read for them. */
export interface ChosenColumns {
  columns: Column[]
  slots: number[]
  types: IdentifierType[]
  tags: CountedTag[]
  needs: ReadonlySet<FixedColumn>
}

const attributesOf = async (db: Kysely<Database>, viewer: Reader, adv_id: number) => {
  const say = phonesFor(viewer)
  const rows = await db
    .selectFrom('attribute')
    .select(['id', 'name', 'slot', 'display_name', 'dictionary'])
    .where('adv_id', '=', adv_id)
    .orderBy('id')
    .execute()
  // A file without a header may have given a field a phone as its name.
  return rows.filter(({ name }) => say(name) === name)
}

/** The columns that a file of an advertiser's people may have, by kind. */
export async function offeredColumns(db: Kysely<Database>, engine: AcrossShards, viewer: Reader, adv_id: number) {
  const [attributes, tags, types] = await Promise.all([
    attributesOf(db, viewer, adv_id),
    offeredTags(db, adv_id),
    engine.query<{ id_type: string }>(
      'SELECT DISTINCT toString(id_type) AS id_type FROM identifier WHERE adv_id = {adv_id:UInt32}',
      { adv_id },
    ),
  ])
  const known = new Set(types.map(({ id_type }) => id_type))
  const fixed = (...keys: FixedColumn[]) => keys.map((key) => ({ key, label: EXPORT_COLUMNS[key] }))
  const categories = new Map(tags.map(({ category_id, category }) => [category_id, category]))
  return [
    { kind: 'person' as const, columns: fixed('one_id', 'name', 'phone') },
    {
      kind: 'identifier' as const,
      columns: (Object.keys(IDENTIFIERS) as IdentifierType[])
        .filter((type) => known.has(type))
        .map((type) => ({ key: identifierColumn(type), label: IDENTIFIERS[type].label })),
    },
    {
      kind: 'attribute' as const,
      columns: attributes.map(({ id, display_name }) => ({ key: attributeColumn(id), label: display_name })),
    },
    { kind: 'tags' as const, columns: [...categories].map(([id, label]) => ({ key: tagsColumn(id), label })) },
    { kind: 'events' as const, columns: fixed('first_event', 'last_event', 'events') },
  ].filter(({ columns }) => columns.length > 0)
}

const ORDER = ['one_id', 'name', 'phone', 'identifier', 'attribute', 'tags', 'first_event', 'last_event', 'events']

/** The columns that were asked for, in the order of the offer. Refuses one that there is not. */
export async function chooseColumns(
  db: Kysely<Database>,
  viewer: Reader,
  { adv_id, timezone, personKey }: { adv_id: number; timezone: string; personKey: Buffer },
  keys: readonly string[],
): Promise<ChosenColumns> {
  const say = phonesFor(viewer)
  const asked = [...new Set(keys)].map((key) => ({ key, column: readColumn(key) }))
  if (asked.length === 0) throw new AppError('badInput', { reason: outcome('export_columns_missing') })
  const attributes = new Map((await attributesOf(db, viewer, adv_id)).map((one) => [one.id, one]))
  const tags = await offeredTags(db, adv_id)
  const slots: number[] = []
  const types: IdentifierType[] = []
  const chosenTags: CountedTag[] = []
  const needs = new Set<FixedColumn>()
  const time = (at: number | undefined) => (at === undefined ? '' : timeText(at, timezone))
  const fixed: Record<FixedColumn, (person: Described) => string> = {
    one_id: ({ one_id }) => say(one_id),
    name: ({ name }) => say(name),
    phone: ({ phone }) => phoneFor(viewer, phone, personKey) ?? '',
    first_event: ({ visits }) => time(visits?.first),
    last_event: ({ visits }) => time(visits?.last),
    events: ({ visits }) => String(visits?.n ?? 0),
  }

  const columns = asked.map(({ key, column }): Column & { place: [number, number] } => {
    if (column === null) throw unknown(key)
    const place = (at = 0): [number, number] => [
      ORDER.indexOf(column.kind === 'fixed' ? column.column : column.kind),
      at,
    ]
    switch (column.kind) {
      case 'fixed':
        needs.add(column.column)
        return { key, label: EXPORT_COLUMNS[column.column], cell: fixed[column.column], place: place() }
      case 'identifier': {
        const { type } = column
        types.push(type)
        return {
          key,
          label: IDENTIFIERS[type].label,
          cell: ({ identifiers }) => identifiersCell(viewer, type, identifiers.get(type)),
          place: place(Object.keys(IDENTIFIERS).indexOf(type)),
        }
      }
      case 'attribute': {
        const attribute = attributes.get(column.id)
        if (!attribute) throw unknown(key)
        const labels = new Map(attribute.dictionary.map(({ value, label }) => [value, label]))
        const at = slots.push(attribute.slot) - 1
        return {
          key,
          label: say(attribute.display_name),
          cell: ({ values }) => {
            const value = values[at] ?? ''
            return say(labels.get(value) ?? value)
          },
          place: place(attribute.id),
        }
      }
    }
    const own = tags.filter(({ category_id }) => category_id === column.id)
    const [first] = own
    if (!first) throw unknown(key)
    const names = own.map((tag) => {
      const { id, name, version, count } = tag
      if (version === 0 || count === null) throw new AppError('tagNotReady', { name: say(name) })
      chosenTags.push({ ...tag, count })
      return { id, name: say(name) }
    })
    return {
      key,
      // Categories of automatic tags are called like their attributes.
      label: `标签：${say(first.category)}`,
      cell: (person) =>
        names
          .filter(({ id }) => person.tags.has(id))
          .map(({ name }) => name)
          .join(BETWEEN),
      place: place(tags.indexOf(first)),
    }
  })
  if (chosenTags.length > EXPORT_TAGS_MAX) {
    const reason = outcome('export_tags_too_many', { count: chosenTags.length, max: EXPORT_TAGS_MAX })
    throw new AppError('badInput', { reason })
  }
  const inOrder = columns.toSorted((one, other) => one.place[0] - other.place[0] || one.place[1] - other.place[1])
  return { columns: inOrder, slots, types, tags: chosenTags, needs }
}

const unknown = (column: string) => new AppError('badInput', { reason: outcome('export_column_unknown', { column }) })

function identifiersCell(viewer: Reader, type: IdentifierType, own: { total: number; some: string[] } | undefined) {
  if (!own) return ''
  const shown = viewer.see_phones ? own.some : own.some.map((text) => maskedIdentifier(type, text))
  const rest = own.total - shown.length
  return shown.join(BETWEEN) + (rest > 0 ? `${BETWEEN}另有 ${rest} 个` : '')
}

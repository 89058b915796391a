import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import { type EventMeaning, isPurchase } from '#contract/standard-event.ts'
import {
  DICTIONARY_MAX,
  type DictionaryEntry,
  EVENT_DICTIONARY_MAX,
  type FieldType,
  type updateAttribute,
  type updateEvent,
} from '#contract/tag-field.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import { slotColumn } from '../../clickhouse/person-sql.ts'
import { readsAsSql } from '../../clickhouse/typed-text.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import { AppError } from '../../errors.ts'
import { phonesFor } from '../../files/mask-phones.ts'
import { keptText } from '../../files/written-names.ts'
import type { Viewer } from '../../http/viewer.ts'
import { fileValues } from '../../ingest/attribute-values.ts'
import { audit } from '../../postgres/audit.ts'
import type { AttributeTable, Database, StoredEntry } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { newestValues } from './attribute-sql.ts'
import { syncAttributeNames, syncEventNames } from './automatic-names.ts'
import { personRows } from './build.ts'
import { mustFindAttribute, mustFindEvent } from './field-lists.ts'
import type { TagJobs } from './jobs.ts'
import { lockTags } from './store.ts'
import { isRangeOfOtherType, removeAutomatic } from './unused-tags.ts'

interface Deps {
  db: Kysely<Database>
  live: Handles
  timezone: string
  jobs: TagJobs
}
type WantedAttribute = z.output<typeof updateAttribute.body>
type WantedEvent = z.output<typeof updateEvent.body>
type Attribute = Awaited<ReturnType<typeof mustFindAttribute>>

/** What viewers settle about imported fields: display names, types, and names of values. */
export function fieldSettings({ db, live, timezone, jobs }: Deps) {
  /** Refuses a type that the stored values are not of, with the number of people whose values are not. */
  async function mustReadAs(attribute: Attribute, type: FieldType, allowsSome: boolean) {
    if (type === 'text') return
    const people = newestValues(await personRows(live.everyShard, attribute.adv_id), attribute.slot)
    const [found] = await live.acrossShards.query<{ all: number; unreadable: number }>(
      `SELECT count() AS all, countIf(NOT ${readsAsSql(type, 'value', timezone)}) AS unreadable FROM (${people})`,
    )
    const { all = 0, unreadable = 0 } = found ?? {}
    if (unreadable === 0) return
    if (unreadable === all) throw new AppError('badInput', { reason: outcome('attribute_never_of_type', { type }) })
    if (!allowsSome)
      throw new AppError('attributeNotOfType', { reason: outcome('attribute_not_of_type', { type, unreadable, all }) })
  }

  async function guessedType({ adv_id, slot, type }: Attribute): Promise<FieldType> {
    const column = slotColumn(slot)
    const found = await fileValues(live.acrossShards, `(SELECT * FROM person_row WHERE adv_id = ${adv_id})`, [column])
    return found.get(column)?.type ?? type
  }

  return {
    async updateAttribute(viewer: Viewer, wanted: WantedAttribute): Promise<void> {
      const { adv_id, name } = wanted
      viewer.mustBeMember(adv_id)
      const before = await mustFindAttribute(db, wanted)
      if (wanted.type && wanted.type !== before.type) {
        await mustReadAs(before, wanted.type, wanted.allow_unreadable)
      }
      const wantedType = wanted.type === null ? await guessedType(before) : wanted.type
      const isRetagged = await transaction(db, async (tx) => {
        await lockCrowds(tx, adv_id)
        await lockTags(tx, adv_id)
        // An import changes the row without the lock of the tags.
        await lockField(tx, 'attribute', wanted)
        const now = await mustFindAttribute(tx, wanted)
        const type = wantedType ?? now.type
        const dictionary = wanted.dictionary
          ? mergedDictionary(now.dictionary, wanted.dictionary, viewer)
          : now.dictionary
        const display_name = keptText(viewer, wanted.display_name, now.display_name)
        const isRetyped = type !== now.type
        await tx
          .updateTable('attribute')
          .set({
            display_name,
            ...(wantedType === undefined ? {} : { type, is_type_fixed: wanted.type !== null }),
            // null: its tags are made as at the first import.
            ...(isRetyped && now.tagged_by === 'ranges' ? { tagged_by: null } : {}),
            ...(wanted.dictionary === undefined ? {} : { dictionary: JSON.stringify(dictionary) }),
          })
          .where('id', '=', now.id)
          .execute()
        const isRetagged = isRetyped || wanted.dictionary !== undefined
        if (isRetagged) await removeUnfit(tx, { ...now, type }, dictionary)
        await syncAttributeNames(tx, adv_id, { name, display_name, dictionary })
        const named = { type: wanted.type, display_name: wanted.display_name, dictionary: wanted.dictionary?.length }
        await audit(tx, viewer, 'attribute.update', { adv_id, name, ...named })
        return isRetagged
      })
      if (isRetagged) await jobs.onData(adv_id, { attributes: [{ name }], events: [], days: [] }, viewer.id)
    },

    updateEvent: (viewer: Viewer, wanted: WantedEvent): Promise<void> =>
      transaction(db, async (tx) => {
        const { adv_id, name, properties = [] } = wanted
        viewer.mustBeMember(adv_id)
        await lockTags(tx, adv_id)
        await lockField(tx, 'event_name', wanted)
        const event = await mustFindEvent(tx, wanted)
        const settings = { ...event.property_settings }
        for (const { name: property, dictionary, ...change } of properties) {
          if (!event.properties.includes(property)) throw new AppError('notFound', { what: `事件属性「${property}」` })
          const before = settings[property]
          const shown = keptText(viewer, change.display_name, before?.display_name ?? property)
          const named = change.display_name === undefined ? {} : { display_name: shown }
          const labels = dictionary && { dictionary: mergedDictionary(before?.dictionary ?? [], dictionary, viewer) }
          settings[property] = { ...before, ...definedOf(change), ...named, ...labels }
        }
        const entries = Object.values(settings).reduce((sum, one) => sum + (one.dictionary?.length ?? 0), 0)
        if (entries > EVENT_DICTIONARY_MAX) {
          throw new AppError('badInput', { reason: outcome('dictionary_too_long', { max: EVENT_DICTIONARY_MAX }) })
        }
        const display_name = keptText(viewer, wanted.display_name, event.display_name)
        await tx
          .updateTable('event_name')
          .set({ display_name, property_settings: JSON.stringify(settings), ...meaningOf(event, wanted.meaning) })
          .where('id', '=', event.id)
          .execute()
        await syncEventNames(tx, adv_id, { name, display_name })
        const { standard } = wanted.meaning ?? {}
        await audit(tx, viewer, 'event.update', { adv_id, name, display_name, standard, properties: properties.length })
      }),
  }
}
export type FieldSettings = ReturnType<typeof fieldSettings>

/** Locks the row of a field until the transaction ends; what is read of it afterwards is what is stored. */
const lockField = (
  tx: Transaction<Database>,
  table: 'attribute' | 'event_name',
  { adv_id, name }: { adv_id: number; name: string },
) => tx.selectFrom(table).select('id').where('adv_id', '=', adv_id).where('name', '=', name).forUpdate().execute()

/** What the event stands for from now on; a purchase's amount and number of goods are properties that it has. */
function meaningOf(event: { properties: string[] }, wanted: EventMeaning | null | undefined) {
  if (wanted === undefined) return {}
  if (wanted === null) return { meaning: null }
  const { standard, ...named } = wanted
  for (const property of Object.values(named)) {
    if (property === null) continue
    if (!isPurchase(standard)) throw new AppError('badInput', { reason: outcome('event_buys_nothing') })
    if (!event.properties.includes(property)) throw new AppError('notFound', { what: `事件属性「${property}」` })
  }
  return { meaning: JSON.stringify(wanted) }
}

/** What the call leaves out stays as it is. */
const definedOf = <T extends object>(change: T) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

/** The new entries. A viewer who may not see phones neither sees nor sends those with phones: they stay. */
function mergedDictionary(
  before: readonly StoredEntry[],
  wanted: readonly DictionaryEntry[],
  viewer: Viewer,
): StoredEntry[] {
  const say = phonesFor(viewer)
  // A named value gets a tag exactly if somebody has it, and a label that is taken gets a number: both confirm a guess.
  if (wanted.some(({ value, label }) => say(value) !== value || say(label) !== label)) {
    throw new AppError('phonesHidden', { reason: outcome('phone_as_value') })
  }
  const hidden = before.filter(({ value, label }) => say(value) !== value || say(label) !== label)
  const tagged = new Set(before.flatMap((entry) => (entry.is_tagged ? [entry.value] : [])))
  const sent = new Set(wanted.map(({ value }) => value))
  const all = [
    ...wanted.map((entry) => (tagged.has(entry.value) ? { ...entry, is_tagged: true } : entry)),
    ...hidden.filter(({ value }) => !sent.has(value)),
  ]
  if (all.length > DICTIONARY_MAX) {
    throw new AppError('badInput', { reason: outcome('dictionary_too_long', { max: DICTIONARY_MAX }) })
  }
  return all
}

/** Removes tags that the new settings do not ask for: ranges of another type, and values that only the old dictionary named. */
async function removeUnfit(
  tx: Transaction<Database>,
  { adv_id, name, type, tagged_by, dictionary: before }: Attribute & { type: AttributeTable['type'] },
  dictionary: readonly StoredEntry[],
): Promise<void> {
  const named = new Set(dictionary.map(({ value }) => value))
  const dropped = new Set(before.flatMap(({ value }) => (named.has(value) ? [] : [value])))
  await removeAutomatic(tx, { adv_id, attribute: name }, ({ definition }) => {
    if (definition.kind !== 'attribute') return false
    if (isRangeOfOtherType({ definition }, { name, type })) return true
    const { condition } = definition
    return condition.is === 'equals' && tagged_by !== 'values' && dropped.has(condition.value)
  })
}

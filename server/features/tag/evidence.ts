import type { Kysely } from 'kysely'
import { definitionText, type FieldNames, type TagDefinition } from '#contract/tag-definition.ts'
import type { EventDefinition } from '#contract/tag-event.ts'
import { attributeEvidence, type EventFacts, eventEvidence } from '#contract/tag-evidence.ts'
import { quote } from '../../clickhouse/bind.ts'
import type { AcrossShards, Handles } from '../../clickhouse/handles.ts'
import { attributeValues } from '../../clickhouse/person-values.ts'
import { numberSql } from '../../clickhouse/typed-text.ts'
import type { Database } from '../../postgres/schema.ts'
import { conditionSql } from './condition-sql.ts'
import { dayOf } from './day-window.ts'
import { periodOf } from './event-sql.ts'
import { namesOfFields } from './field-names.ts'
import { shownDefinition } from './left-out.ts'
import { dayWithinSql, decimalSql, propertySql } from './measure-sql.ts'

/** Tags whose facts are read; a rule that names more says nothing of the others. */
const EVIDENCE_MAX = 200
/** Tags of one statement. */
const AT_ONCE = 40

/** A tag whose facts are asked for. */
interface Asked {
  id: number
  definition: TagDefinition
  /** When the data were read that the tag counts. */
  counted_at: number
}

interface About {
  adv_id: number
  uid: number
  timezone: string
  names: FieldNames
  /** Slots of the advertiser's attributes by name. */
  slots: ReadonlyMap<string, number>
}

/** What tags ask, and what decides whether somebody holds them, in words. */
export function tagFacts({ db, live, timezone }: { db: Kysely<Database>; live: Handles; timezone: string }) {
  return async (whom: { adv_id: number; uid: number }, tags: readonly Asked[]) => {
    const { adv_id } = whom
    const [names, attributes] = await Promise.all([
      namesOfFields(
        db,
        adv_id,
        tags.map(({ definition }) => definition),
      ),
      db.selectFrom('attribute').select(['name', 'slot']).where('adv_id', '=', adv_id).execute(),
    ])
    const about = { ...whom, timezone, names, slots: new Map(attributes.map(({ name, slot }) => [name, slot])) }
    const told = tags.slice(0, EVIDENCE_MAX)
    const [ofAttributes, ofEvents] = await Promise.all([
      attributeWords(live.acrossShards, told, about),
      eventWords(live.acrossShards, told, about),
    ])
    const evidence = new Map([...ofAttributes, ...ofEvents])
    return new Map(
      tags.map(({ id, definition }) => [
        id,
        { meaning: definitionText(shownDefinition(definition), names), evidence: evidence.get(id) ?? null },
      ]),
    )
  }
}

async function attributeWords(engine: AcrossShards, tags: readonly Asked[], about: About) {
  const asked = tags.flatMap(({ id, definition }) =>
    definition.kind === 'attribute' ? [{ id, attribute: definition.attribute }] : [],
  )
  const slotOf = (attribute: string) => about.slots.get(attribute)
  const slots = [...new Set(asked.flatMap(({ attribute }) => slotOf(attribute) ?? []))]
  const values = await attributeValues(engine, about, slots)
  return asked.map(({ id, attribute }): [number, string] => {
    const slot = slotOf(attribute)
    const value = slot === undefined ? '' : (values.get(slot) ?? '')
    const label = value === '' ? '' : (about.names.value?.(attribute, value) ?? value)
    return [id, attributeEvidence(about.names.attribute?.(attribute) ?? attribute, label)]
  })
}

type EventAsked = Omit<Asked, 'definition'> & { definition: EventDefinition }

async function eventWords(engine: AcrossShards, tags: readonly Asked[], about: About) {
  const asked = tags.filter((tag): tag is EventAsked => tag.definition.kind === 'event')
  const told: [number, string][] = []
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    const some = asked.slice(from, from + AT_ONCE)
    const facts = await eventFacts(engine, some, about)
    some.forEach(({ id, definition }, at) => {
      const found = facts[at]
      if (!found) return
      const { event } = definition
      const words = eventEvidence(definition, found, {
        event: about.names.event?.(event) ?? event,
        property: (name) => about.names.property?.(event, name) ?? name,
      })
      told.push([id, words])
    })
  }
  return told
}

/** A row of these columns for each tag. */
type Found = [times: number, days: number, last: string, firstEver: string, lastEver: string, number: string]

async function eventFacts(engine: AcrossShards, tags: readonly EventAsked[], about: About): Promise<EventFacts[]> {
  const zone = quote(about.timezone)
  const day = `toDate(ts, ${zone})`
  const written = (moment: string) =>
    `ifNull(formatDateTime(toDateTime(${moment}, ${zone}), '%Y-%m-%d %H:%i:%S', ${zone}), '')`
  const rows = tags.map(({ definition, counted_at }) => {
    const calendar = { timezone: about.timezone, today: dayOf(counted_at, about.timezone) }
    const meets = definition.properties.map(({ property, condition }) =>
      conditionSql(condition, propertySql(property), calendar),
    )
    const ever = [`name = ${quote(definition.event)}`, ...meets].join(' AND ')
    const within = `${ever} AND ${dayWithinSql(day, periodOf(calendar, { definition }))}`
    return `tuple(toUInt32(countIf(${within})), toUInt32(uniqExactIf(${day}, ${within})),
      ${written(`maxOrNullIf(ts, ${within})`)}, ${written(`minOrNullIf(ts, ${ever})`)}, ${written(`maxOrNullIf(ts, ${ever})`)},
      ${numberOf(definition, within)})`
  })
  const events = [...new Set(tags.map(({ definition }) => definition.event))]
  const [row] = await engine.query<{ found: Found[] }>(
    `SELECT [${rows.join(',\n')}] AS found FROM event
     WHERE adv_id = {adv_id:UInt32} AND uid = {uid:UInt32} AND name IN {events:Array(String)}`,
    { adv_id: about.adv_id, uid: about.uid, events },
  )
  return (row?.found ?? []).map(([times, days, last, first_ever, last_ever, number]) => ({
    times: Number(times),
    days: Number(days),
    last: last || null,
    first_ever: first_ever || null,
    last_ever: last_ever || null,
    number: number || null,
  }))
}

/** The number of a measure as text, '' without one. */
function numberOf({ measure }: EventDefinition, within: string): string {
  if (!measure || !('property' in measure)) return `''`
  const text = propertySql(measure.property)
  const number = numberSql(text)
  const hasNumber = `ifNull(isFinite(${number}), 0) AND ${within}`
  const sum = `sumOrNullIf(${decimalSql(text)}, ${within})`
  const made = {
    sum,
    average: `${sum} / nullIf(countIf(${decimalSql(text)} IS NOT NULL AND ${within}), 0)`,
    smallest: `minOrNullIf(${number}, ${hasNumber})`,
    largest: `maxOrNullIf(${number}, ${hasNumber})`,
  }[measure.of]
  return `ifNull(toString(${made}), '')`
}

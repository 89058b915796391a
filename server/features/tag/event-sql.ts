import type { EventDefinition } from '#contract/tag-event.ts'
import { quote } from '../../clickhouse/bind.ts'
import { conditionSql } from './condition-sql.ts'
import { addDays, type DayRange, pastDays } from './day-window.ts'
import { othersSelect } from './everyone-sql.ts'
import { type Definition, type Frame, first, groupBy, idsSql, last, type MemberSelect } from './frame.ts'
import { dayWithinSql, type EventRows, measureSql, propertySql } from './measure-sql.ts'

type EventTag = Definition<EventDefinition>

/** One pass over the days of an event for all its tags, one over its events for those that read properties. */
export function eventTagSelects(frame: Frame, tags: readonly EventTag[]): MemberSelect[] {
  const groupsOf = (negated: boolean) =>
    groupBy(
      tags.filter((tag) => tag.definition.negated === negated),
      (tag) => tag.definition.event,
    )
  return [
    ...groupsOf(false).flatMap((group) => eventSelects(frame, group)),
    ...groupsOf(true).map((group) => last(notDoneSelect(frame, group), group)),
  ]
}

/** Everyone except the people of the same definitions without negation. */
function notDoneSelect(frame: Frame, tags: readonly EventTag[]): string {
  const positive = tags.map((tag) => ({ ...tag, definition: { ...tag.definition, negated: false } }))
  return othersSelect(
    frame,
    tags,
    eventSelects(frame, positive).map(({ sql }) => sql),
  )
}

function eventSelects(frame: Frame, tags: readonly EventTag[]): MemberSelect[] {
  const { plain = [], detailed = [] } = Object.groupBy(tags, (tag) =>
    readsProperties(tag.definition) ? 'detailed' : 'plain',
  )
  return [
    ...(plain.length > 0 ? [first(byDaySelect(frame, plain), plain)] : []),
    ...(detailed.length > 0 ? [first(byEventSelect(frame, detailed), detailed)] : []),
  ]
}

const readsProperties = ({ properties, measure }: EventDefinition) =>
  properties.length > 0 || (measure !== undefined && 'property' in measure)

const BY_DAY: EventRows = { day: 'day', times: (condition) => `sumIf(n, ${condition})` }
const byEvent = (zone: string): EventRows => ({
  day: `toDate(ts, ${quote(zone)})`,
  times: (condition) => `countIf(${condition})`,
})

/** Reads the rollup of events by person and day. */
function byDaySelect(frame: Frame, tags: readonly EventTag[]): string {
  const { from, to } = readDays(frame, tags)
  const rows = `FROM event_day WHERE adv_id = ${frame.adv_id} AND name = ${quote(eventOf(tags))} AND ${dayWithinSql('day', { from, to })}`
  if (tags.every(({ definition: { at_least, at_most, measure } }) => at_least === 1 && !at_most && !measure)) {
    const hits = tags.map((tag) => dayWithinSql('day', periodOf(frame, tag)))
    if (hits.every((hit) => hit === '1')) {
      return `SELECT arrayJoin(${idsSql(tags)}) AS tag_id, bucket, bitmap
        FROM (SELECT bucket, groupBitmapState(uid) AS bitmap ${rows} GROUP BY bucket)`
    }
    return withHits(tags, hits, `SELECT uid, bucket, day ${rows}`)
  }
  return byPerson(frame, tags, BY_DAY, rows)
}

/** Reads the events themselves. */
function byEventSelect(frame: Frame, tags: readonly EventTag[]): string {
  const { from, to } = readDays(frame, tags)
  // A day more at each end, for any time zone: only lets the engine skip months.
  const since = from === null ? '' : ` AND ts >= toDateTime64('${addDays(from, -1)} 00:00:00', 3, 'UTC')`
  const until = to === null ? '' : ` AND ts < toDateTime64('${addDays(to, 2)} 00:00:00', 3, 'UTC')`
  const rows = `FROM event WHERE adv_id = ${frame.adv_id} AND name = ${quote(eventOf(tags))}${since}${until}`
  return byPerson(frame, tags, byEvent(frame.timezone), rows)
}

/** Groups events by person and applies each tag's measure to the groups. */
function byPerson(frame: Frame, tags: readonly EventTag[], rows: EventRows, from: string): string {
  const columns: string[] = []
  const column = (aggregate: string) => {
    if (!columns.includes(aggregate)) columns.push(aggregate)
    return `c${columns.indexOf(aggregate)}`
  }
  const hits = tags.map((tag) => {
    const { definition } = tag
    const period = periodOf(frame, tag)
    const meets = definition.properties.map(({ property, condition }) =>
      conditionSql(condition, propertySql(property), frame),
    )
    const within = [dayWithinSql(rows.day, period), ...meets].join(' AND ')
    const known = [dayWithinSql(rows.day, { from: null, to: knownUntil(frame, tag) }), ...meets].join(' AND ')
    return measureSql({ definition, rows, within, known, period, column })
  })
  const aggregates = columns.map((aggregate, index) => `${aggregate} AS c${index}`)
  return withHits(tags, hits, `SELECT uid, bucket, ${aggregates.join(', ')} ${from} GROUP BY uid, bucket`)
}

const withHits = (tags: readonly EventTag[], hits: readonly string[], people: string) =>
  `SELECT tag_id, bucket, groupBitmapState(uid) AS bitmap FROM (${people})
   ARRAY JOIN arrayFilter((id, hit) -> hit, ${idsSql(tags)}, [${hits.join(', ')}]) AS tag_id GROUP BY tag_id, bucket`

const eventOf = (tags: readonly EventTag[]) => tags[0]?.definition.event ?? ''

/** The days of a definition's time. */
export function periodOf(
  { today }: Pick<Frame, 'today'>,
  { definition: { window_days, before_days, dates } }: Pick<EventTag, 'definition'>,
): DayRange {
  if (window_days !== null) return pastDays(window_days, today)
  if (before_days !== undefined) return { from: null, to: addDays(today, -before_days - 1) }
  return { from: inCalendar(dates?.from, (day) => day > FIRST_DAY), to: inCalendar(dates?.to, (day) => day < LAST_DAY) }
}

/** The days that the engine's dates can hold; no event lies outside. */
const [FIRST_DAY, LAST_DAY] = ['1970-01-01', '2149-06-06']

/** An end of a range, which is open if it lies beyond the engine's calendar, such as 9999-12-31. */
function inCalendar(day: string | null | undefined, isEnd: (day: string) => boolean): string | null {
  if (!day || !isEnd(day)) return null
  return day < FIRST_DAY ? FIRST_DAY : day > LAST_DAY ? LAST_DAY : day
}

/** The last day on which a first or last time may lie: with relative days the data count until yesterday. */
const knownUntil = ({ today }: Frame, { definition: { window_days, before_days } }: EventTag) =>
  window_days !== null || before_days !== undefined ? addDays(today, -1) : null

/** The days that the definitions read: nothing before or after is needed by any of them. */
function readDays(frame: Frame, tags: readonly EventTag[]): DayRange {
  const ranges = tags.map((tag): DayRange => {
    const period = periodOf(frame, tag)
    const of = tag.definition.measure?.of
    if (of === 'first') return { from: null, to: period.to }
    if (of === 'last') return { from: period.from, to: knownUntil(frame, tag) }
    return period
  })
  const end = (days: readonly (string | null)[], pick: 'shift' | 'pop') =>
    days.includes(null) ? null : ((days as string[]).toSorted()[pick]() ?? null)
  return {
    from: end(
      ranges.map((range) => range.from),
      'shift',
    ),
    to: end(
      ranges.map((range) => range.to),
      'pop',
    ),
  }
}

import { z } from 'zod'
import { type Outcome, outcome } from './outcome.ts'
import {
  conditionFault,
  conditionText,
  Day,
  Days,
  daysFault,
  daysInOrder,
  rangeFault,
  rangeWords,
  spaced,
  ValueCondition,
} from './tag-condition.ts'

/** The name of an attribute, event or property, as imported. */
export const Field = z.string().min(1).max(200)
/** The most times, or days, that a definition asks for. */
export const TIMES_MAX = 1_000_000
export const PROPERTY_CONDITIONS_MAX = 10

// The time of the events

/** When the events of a definition happened, key to its name in forms. */
export const PERIODS = { all: '全部时间', past: '过去 N 天', before: 'N 天以前', dates: '固定日期' } as const
export type PeriodKey = keyof typeof PERIODS

const FixedDates = z
  .object({
    from: Day.nullable().describe('第一天（含），YYYY-MM-DD，按部署所在时区；null 表示不限'),
    to: Day.nullable().describe('最后一天（含），YYYY-MM-DD，按部署所在时区；null 表示不限'),
  })
  .describe('固定日期，如双11：2026-11-01 至 2026-11-11；填写它时 window_days 为 null')
export type FixedDates = z.infer<typeof FixedDates>

// What is counted or computed of each person's events

const MEASURE_HELP = {
  days: '活跃天数：做过的天数，在 at_least 与 at_most 之间',
  sum: '数值属性的合计',
  average: '数值属性的平均值',
  smallest: '数值属性的最小值',
  largest: '数值属性的最大值',
  first: '首次做的时间在所选时间内',
  last: '最近一次做的时间在所选时间内',
}
const numberOf = <Of extends keyof typeof MEASURE_HELP>(of: Of) =>
  z.object({
    of: z.literal(of).describe(MEASURE_HELP[of]),
    property: Field.describe('数值属性的名称；不是数字的值不计'),
    from: z.string().max(100).nullable().describe('下限（含），十进制数字；null 表示不限'),
    to: z.string().max(100).nullable().describe('上限（不含），十进制数字；null 表示不限'),
  })
const plain = <Of extends keyof typeof MEASURE_HELP>(of: Of) =>
  z.object({ of: z.literal(of).describe(MEASURE_HELP[of]) })

/** What stands in the place of the number of times. `times` itself is written without a measure. */
export const Measure = z.discriminatedUnion('of', [
  plain('days'),
  numberOf('sum'),
  numberOf('average'),
  numberOf('smallest'),
  numberOf('largest'),
  plain('first'),
  plain('last'),
])
export type Measure = z.infer<typeof Measure>
export type MeasureKey = Measure['of'] | 'times'

/**
 * The measures, with their names in forms. `asks`: whole counts between at_least and at_most, the numbers of a property
 * between two ends, or only that the moment lies in the chosen time. The server's SQL has an entry for each
 * (`measure-sql.ts`).
 */
export const MEASURES = {
  times: { label: '次数', asks: 'count', unit: '次' },
  days: { label: '活跃天数', asks: 'count', unit: '天' },
  sum: { label: '合计', asks: 'number', unit: '' },
  average: { label: '平均值', asks: 'number', unit: '' },
  smallest: { label: '最小值', asks: 'number', unit: '' },
  largest: { label: '最大值', asks: 'number', unit: '' },
  first: { label: '首次时间', asks: 'moment', unit: '' },
  last: { label: '最近一次时间', asks: 'moment', unit: '' },
} as const satisfies Record<MeasureKey, { label: string; asks: 'count' | 'number' | 'moment'; unit: string }>

// The definition

/**
 * Everyone whose events of one name, within one time and with properties that meet all conditions, meet the measure:
 * at least `at_least` (and at most `at_most`) times, unless `measure` names another one.
 */
export const EventDefinition = z.object({
  kind: z.literal('event').describe('事件条件'),
  event: Field.describe('事件名称'),
  window_days: Days.nullable().describe('过去 N 天：截至昨天的 N 个整天；null 表示全部时间，或见 before_days、dates'),
  before_days: Days.optional().describe('N 天以前：比截至昨天的 N 个整天更早；填写它时 window_days 为 null'),
  dates: FixedDates.optional(),
  at_least: z.int().min(1).max(TIMES_MAX).default(1).describe('至少几次；measure 为 days 时是至少几天'),
  at_most: z.int().min(1).max(TIMES_MAX).optional().describe('至多几次（含）；没做过的人不计入；不填表示不限'),
  measure: Measure.optional().describe('代替次数的统计：活跃天数、数值属性的合计等、首次或最近一次时间'),
  properties: z
    .array(
      z.object({
        property: Field.describe('事件属性名称'),
        condition: ValueCondition.describe('对属性值的条件'),
      }),
    )
    .max(PROPERTY_CONDITIONS_MAX)
    .default([])
    .describe('事件属性的条件，须同时满足'),
  negated: z.boolean().default(false).describe('未做过：该广告主全部用户中不满足其余条件的人'),
})
export type EventDefinition = z.infer<typeof EventDefinition>

export const measureKeyOf = ({ measure }: Pick<EventDefinition, 'measure'>): MeasureKey => measure?.of ?? 'times'

export function periodKeyOf({
  window_days,
  before_days,
  dates,
}: Pick<EventDefinition, 'window_days' | 'before_days' | 'dates'>): PeriodKey {
  if (window_days !== null) return 'past'
  if (before_days !== undefined) return 'before'
  return dates ? 'dates' : 'all'
}

// What may be wrong beside the schema

/** The part of an event definition that is wrong; a number is the place of a property condition. */
export type EventPart = 'period' | 'measure' | number
export interface EventFault {
  at: EventPart
  reason: Outcome
}

export function eventFaults(definition: EventDefinition): EventFault[] {
  const found: [EventPart, Outcome | null][] = [
    ['period', periodFault(definition)],
    ['measure', measureFault(definition)],
    ...definition.properties.map(({ condition }, at): [number, Outcome | null] => [at, conditionFault(condition)]),
  ]
  return found.flatMap(([at, reason]) => (reason ? { at, reason } : []))
}

function periodFault(definition: EventDefinition): Outcome | null {
  const { window_days, before_days, dates } = definition
  const given = [window_days ?? undefined, before_days, dates].filter((one) => one !== undefined)
  if (given.length > 1) return outcome('tag_several_periods')
  const asks = MEASURES[measureKeyOf(definition)].asks
  if (asks === 'moment' && given.length === 0) return outcome('tag_moment_without_period')
  if (dates) {
    if (dates.from === null && dates.to === null) return outcome('tag_day_missing')
    return dates.from !== null && dates.to !== null ? daysInOrder(dates.from, dates.to) : null
  }
  const days = window_days ?? before_days
  return days === undefined ? null : daysFault(days)
}

function measureFault({ measure, at_least, at_most }: EventDefinition): Outcome | null {
  const { asks, label } = MEASURES[measure?.of ?? 'times']
  if (asks !== 'count' && (at_least !== 1 || at_most !== undefined))
    return outcome('tag_measure_without_times', { label })
  if (measure && 'property' in measure) return numberFault(measure)
  const isCount = (n: number) => Number.isInteger(n) && n >= 1 && n <= TIMES_MAX
  if (!isCount(at_least) || (at_most !== undefined && !isCount(at_most))) {
    return outcome('tag_times_out', { max: TIMES_MAX })
  }
  return at_most !== undefined && at_most < at_least ? outcome('tag_times_reversed') : null
}

/** Above it the product of an average and its count does not fit the digits that sums are computed with. */
const MEASURE_END_MAX = 1e30

function numberFault({ property, from, to }: { property: string; from: string | null; to: string | null }) {
  if (property === '') return outcome('tag_property_missing')
  const large = [from, to].find((end) => end !== null && Math.abs(Number(end)) > MEASURE_END_MAX)
  if (large) return outcome('tag_end_too_large', { end: large })
  return rangeFault({ from, to, as: 'number' })
}

// The sentence

/** How an event and its properties are shown. */
interface EventNames {
  event: string
  property(name: string): string
  value(property: string, value: string): string
}

/** An event definition as one Chinese phrase. */
export function eventText(definition: EventDefinition, names: EventNames): string {
  const { at_least, at_most, negated, measure } = definition
  const when = spaced(periodWords(definition))
  const what = `「${names.event}」${whereWords(definition, names)}`
  if (measure) {
    const words = measured(measure, definition, { what, names })
    return negated ? opposite(words) : words
  }
  if (at_most !== undefined) {
    const did = `${when}做过${what}${countWords(at_least, at_most, '次')}`
    return negated ? opposite(did) : did
  }
  // The negation of "at least N times" is "fewer than N times"; for once it is "never".
  if (at_least > 1) return `${when}做过${what}${negated ? '不足' : '至少'} ${at_least} 次`
  return `${when}${negated ? '未做过' : '做过'}${what}`
}

const opposite = (phrase: string) => `不满足“${phrase}”，从未做过的人也在内`

function measured(
  measure: Measure,
  definition: EventDefinition,
  { what, names }: { what: string; names: EventNames },
): string {
  const when = spaced(periodWords(definition))
  switch (measure.of) {
    case 'days':
      return `${when}做过${what}的天数${countWords(definition.at_least, definition.at_most, '天')}`
    case 'first':
      return `首次做过${what}的时间在${momentWords(definition)}`
    case 'last':
      return `最近一次做过${what}的时间在${momentWords(definition)}`
    default: {
      const range = rangeWords({ from: measure.from, to: measure.to, as: 'number' })
      return `${when}做过${what}，${spaced(names.property(measure.property))}的${MEASURES[measure.of].label}${range}`
    }
  }
}

function whereWords({ properties }: EventDefinition, { property, value }: EventNames): string {
  const words = (p: EventDefinition['properties'][number]) =>
    conditionText(property(p.property), p.condition, (one) => value(p.property, one))
  const where = properties.map(words).join('，且')
  return where ? `（${where}）` : ''
}

function countWords(least: number, most: number | undefined, unit: string): string {
  if (most === undefined) return `至少 ${least} ${unit}`
  if (most === least) return `恰好 ${least} ${unit}`
  return least === 1 ? `至多 ${most} ${unit}` : `${least} 到 ${most} ${unit}`
}

/** The time as words; empty for all time. */
function periodWords({ window_days, before_days, dates }: EventDefinition): string {
  if (window_days !== null) return `过去 ${window_days} 天`
  if (before_days !== undefined) return `${before_days} 天以前`
  if (!dates) return ''
  if (dates.from === null) return `${dates.to} 及以前`
  if (dates.to === null) return `${dates.from} 起`
  return dates.from === dates.to ? dates.from : `${dates.from} 至 ${dates.to}`
}

const momentWords = (definition: EventDefinition) =>
  definition.window_days === null ? ` ${periodWords(definition)}` : `${periodWords(definition)}内`

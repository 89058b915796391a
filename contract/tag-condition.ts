import { z } from 'zod'
import { keysOf } from './common.ts'
import { type Outcome, outcome } from './outcome.ts'

/** The longest value, in characters, that a condition names. */
export const VALUE_MAX = 1000
/** The most days that "past N days" and its like take. */
export const WINDOW_DAYS_MAX = 3650

const Value = z.string().max(VALUE_MAX).describe('要比较的值，文本原样比较，区分大小写')
const Values = z.array(Value).min(1, '请至少选择一个值').max(1000).describe('值的列表，1 到 1000 个')
const End = z.string().max(VALUE_MAX).nullable()
export const Day = z.iso.date('日期应为 YYYY-MM-DD').describe('日期，YYYY-MM-DD，按部署所在时区')
export const Days = z.int().min(1).max(WINDOW_DAYS_MAX)

/** How a relative condition on a date counts its days, key to Chinese words; N stands for the days. */
export const RELATIVE_DAYS = { past: '过去 N 天内', before: 'N 天以前', next: '未来 N 天内' } as const
export type RelativeDays = keyof typeof RELATIVE_DAYS

/** The type of an attribute's values; null where it is not known, as for the properties of events. */
export type ValueType = 'text' | 'number' | 'date' | null

/** One operator of conditions: its wire form, its name in forms, its words in sentences, and what may be wrong. */
interface Operator<S extends z.ZodType> {
  schema: S
  label: string
  /** The types of values for which a form offers it; `all` includes values of an unknown type. */
  offered: 'all' | readonly ValueType[]
  /** Follows the name of the value in a sentence. `say` gives a value its name. */
  words(condition: z.output<S>, say: (value: string) => string): string
  fault(condition: z.output<S>): Outcome | null
}
const operator = <S extends z.ZodType>(schema: S, rest: Omit<Operator<S>, 'schema'>): Operator<S> => ({
  schema,
  ...rest,
})

const VALUES_SHOWN = 5
function listed(values: readonly string[], say: (value: string) => string): string {
  const shown = values.slice(0, VALUES_SHOWN).map((value) => `「${say(value)}」`)
  return `${shown.join('')}${values.length > VALUES_SHOWN ? `等 ${values.length} 个值` : ''}`
}

const oneValue = ({ value }: { value: string }) => (value === '' ? outcome('tag_value_missing') : null)
const someValues = ({ values }: { values: readonly string[] }) =>
  values.length === 0 ? outcome('tag_values_missing') : null
const oneDay = ({ date }: { date: string }) => (isDay(date) ? null : outcome('tag_day_missing'))

/**
 * The operators of conditions on one value. The server's SQL has an entry for each (`condition-sql.ts`).
 * A missing value meets only `empty`: 不等于 and 不属于 ask for people who have a value, and another one.
 */
export const OPERATORS = {
  equals: operator(z.object({ is: z.literal('equals').describe('等于一个值'), value: Value }), {
    label: '等于',
    offered: 'all',
    words: ({ value }, say) => `等于「${say(value)}」`,
    fault: oneValue,
  }),
  not_equals: operator(
    z.object({ is: z.literal('not_equals').describe('有值且不等于一个值；没有值的人不计入'), value: Value }),
    {
      label: '不等于',
      offered: 'all',
      words: ({ value }, say) => `有值且不等于「${say(value)}」`,
      fault: oneValue,
    },
  ),
  in: operator(z.object({ is: z.literal('in').describe('属于若干值'), values: Values }), {
    label: '属于',
    offered: 'all',
    words: ({ values }, say) => `属于${listed(values, say)}`,
    fault: someValues,
  }),
  not_in: operator(
    z.object({ is: z.literal('not_in').describe('有值且不属于若干值；没有值的人不计入'), values: Values }),
    {
      label: '不属于',
      offered: 'all',
      words: ({ values }, say) => `有值且不属于${listed(values, say)}`,
      fault: someValues,
    },
  ),
  contains: operator(z.object({ is: z.literal('contains').describe('包含一段文字'), value: Value }), {
    label: '包含',
    offered: ['text', null],
    words: ({ value }) => `包含「${value}」`,
    fault: oneValue,
  }),
  starts_with: operator(z.object({ is: z.literal('starts_with').describe('以一段文字开头'), value: Value }), {
    label: '开头为',
    offered: ['text', null],
    words: ({ value }) => `开头为「${value}」`,
    fault: oneValue,
  }),
  range: operator(
    z
      .object({
        is: z.literal('range').describe('介于两端之间：from <= 值 < to'),
        from: End.describe('下限（含）；null 表示不限。数字，或日期 YYYY-MM-DD[ HH:MM:SS]'),
        to: End.describe('上限（不含）；null 表示不限。写法同 from'),
        as: z.enum(['number', 'date']).describe('按数字还是按日期比较'),
      })
      .refine((r) => r.from !== null || r.to !== null, '请至少填写范围的一端'),
    { label: '介于', offered: ['number', 'text', null], words: rangeWords, fault: rangeFault },
  ),
  on: operator(
    z.object({
      is: z.literal('on').describe('日期在两天之间，含首尾两天'),
      from: Day.describe('第一天（含），YYYY-MM-DD，按部署所在时区'),
      to: Day.describe('最后一天（含），YYYY-MM-DD，按部署所在时区；与 from 相同表示这一天'),
    }),
    {
      label: '在',
      offered: ['date', 'text', null],
      words: ({ from, to }) => (from === to ? `在 ${from}` : `在 ${from} 至 ${to} 之间（含首尾两天）`),
      fault: ({ from, to }) => (isDay(from) && isDay(to) ? daysInOrder(from, to) : outcome('tag_day_missing')),
    },
  ),
  not_before: operator(z.object({ is: z.literal('not_before').describe('日期不早于这一天'), date: Day }), {
    label: '不早于',
    offered: ['date', 'text', null],
    words: ({ date }) => `不早于 ${date}`,
    fault: oneDay,
  }),
  before: operator(z.object({ is: z.literal('before').describe('日期早于这一天，不含当天'), date: Day }), {
    label: '早于',
    offered: ['date', 'text', null],
    words: ({ date }) => `早于 ${date}（不含当天）`,
    fault: oneDay,
  }),
  days: operator(
    z.object({
      is: z.literal('days').describe('日期相对今天的天数'),
      when: z
        .enum(keysOf(RELATIVE_DAYS))
        .describe('past：截至昨天的 N 个整天内；before：比这 N 天更早；next：从今天起的 N 个整天内'),
      days: Days.describe('天数 N，按部署所在时区的整天计'),
    }),
    {
      label: '相对天数',
      offered: ['date', 'text', null],
      words: ({ when, days }) => relativeWords(when, days),
      fault: ({ days }) => daysFault(days),
    },
  ),
  exists: operator(z.object({ is: z.literal('exists').describe('有值') }), {
    label: '有值',
    offered: 'all',
    words: () => '有值',
    fault: () => null,
  }),
  empty: operator(z.object({ is: z.literal('empty').describe('为空：没有值') }), {
    label: '为空',
    offered: 'all',
    words: () => '为空',
    fault: () => null,
  }),
}
export type OperatorKey = keyof typeof OPERATORS
export const OPERATOR_KEYS = keysOf(OPERATORS)

/** A condition on one value, by its operator `is`. */
export const ValueCondition = z
  .discriminatedUnion('is', [
    OPERATORS.equals.schema,
    OPERATORS.not_equals.schema,
    OPERATORS.in.schema,
    OPERATORS.not_in.schema,
    OPERATORS.contains.schema,
    OPERATORS.starts_with.schema,
    OPERATORS.range.schema,
    OPERATORS.on.schema,
    OPERATORS.not_before.schema,
    OPERATORS.before.schema,
    OPERATORS.days.schema,
    OPERATORS.exists.schema,
    OPERATORS.empty.schema,
  ])
  .meta({ id: 'ValueCondition', description: '对一个值的条件' })
export type ValueCondition = z.infer<typeof ValueCondition>
export type ConditionOf<Op extends OperatorKey> = Extract<ValueCondition, { is: Op }>

/** The operator of a condition, for any condition: the compiler cannot see that both have the same key. */
const operatorOf = (condition: ValueCondition) => OPERATORS[condition.is] as unknown as Operator<typeof ValueCondition>

/** What is wrong with a condition beside its schema; null if nothing is. */
export const conditionFault = (condition: ValueCondition): Outcome | null => operatorOf(condition).fault(condition)

/** A condition as a phrase, such as 城市属于「上海」「北京」. */
export function conditionText(field: string, condition: ValueCondition, say = (value: string) => value): string {
  return `${spaced(field)}${operatorOf(condition).words(condition, say)}`
}

/** A Latin name is separated from the Chinese that follows by a blank. */
export const spaced = (name: string) => (/[!-~]$/.test(name) ? `${name} ` : name)

const relativeWords = (when: RelativeDays, days: number): string => {
  const words = RELATIVE_DAYS[when].replace('N', String(days))
  return when === 'before' ? `在 ${words}` : `在${words}${when === 'next' ? '（含今天）' : ''}`
}

/** The words of a range of which at least one end is given, such as `从 18 到 25（不含）`. */
export function rangeWords({
  from,
  to,
  as,
}: {
  from: string | null
  to: string | null
  as: 'number' | 'date'
}): string {
  if (from !== null && to !== null) return `从 ${from} 到 ${to}（不含）`
  if (from !== null) return `${as === 'date' ? '不早于' : '不小于'} ${from}`
  if (as === 'number') return `小于 ${to}`
  return `早于 ${to}${to !== null && isDay(to) ? '（不含当天）' : ''}`
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const DATE = /^\d{4}-\d{2}-\d{2}([ T]([01]\d|2[0-3]):\d{2}:\d{2})?$/

const isDay = (text: string) => text.length === 10 && isMoment(text)

/** Whether a day or time exists. JavaScript alone would read 30 February as a day in March, and accepts 24:00. */
function isMoment(text: string): boolean {
  const day = Date.parse(text.slice(0, 10))
  if (!DATE.test(text) || Number.isNaN(day) || Number.isNaN(Date.parse(text.replace(' ', 'T')))) return false
  return new Date(day).toISOString().startsWith(text.slice(0, 10))
}

/** Why the ends of a range are invalid. */
export function rangeFault(range: { from: string | null; to: string | null; as: 'number' | 'date' }): Outcome | null {
  const { from, to, as } = range
  if (from === null && to === null) return outcome('tag_range_open')
  for (const end of [from, to]) {
    if (end === null) continue
    if (as === 'number' && !NUMBER.test(end)) return outcome('tag_end_not_number', { end })
    if (as === 'date' && !isMoment(end)) return outcome('tag_end_not_date', { end })
  }
  return from !== null && to !== null && !isRangeInOrder(from, to, as) ? outcome('tag_range_reversed') : null
}

/** Whether a range with these ends can hold a value. A day alone means its first moment; a time follows a blank or a T. */
export function isRangeInOrder(from: string, to: string, as: 'number' | 'date'): boolean {
  if (as === 'number') return Number(from) < Number(to)
  const moment = (text: string) => (text.length === 10 ? `${text} 00:00:00` : text.replace('T', ' '))
  return moment(from) < moment(to)
}

/** Days in either order of which both are counted. */
export const daysInOrder = (from: string, to: string): Outcome | null =>
  from <= to ? null : outcome('tag_days_reversed')

export const daysFault = (days: number): Outcome | null =>
  Number.isInteger(days) && days >= 1 && days <= WINDOW_DAYS_MAX
    ? null
    : outcome('tag_days_out', { max: WINDOW_DAYS_MAX })

import { keysOf } from '#contract/common.ts'
import { sentenceOrNull } from '#contract/outcome.ts'
import {
  conditionFault,
  OPERATORS,
  type OperatorKey,
  type RelativeDays,
  type ValueCondition,
  type ValueType,
} from '#contract/tag-condition.ts'
import { TagDefinition, type TagKind } from '#contract/tag-definition.ts'
import {
  type EventDefinition,
  eventFaults,
  MEASURES,
  type Measure,
  type MeasureKey,
  measureKeyOf,
  type PeriodKey,
  periodKeyOf,
} from '#contract/tag-event.ts'

/** The kinds of tag that viewers define; the built-in one (everyone) has no form. */
export type DraftKind = Exclude<TagKind, 'everyone'>

/** A condition being edited. Fields keep their values while the operator changes; an empty text is not filled in. */
export interface ConditionDraft {
  is: OperatorKey
  value: string
  values: string[]
  from: string
  to: string
  as: 'number' | 'date'
  /** Days as YYYY-MM-DD. */
  day: string
  lastDay: string
  when: RelativeDays
  days: number | null
}

/** When the events happened; `from` and `to` are days as YYYY-MM-DD, empty for an open end. */
export interface PeriodDraft {
  key: PeriodKey
  days: number | null
  from: string
  to: string
}

/** What is counted of the events. */
export interface MeasureDraft {
  key: MeasureKey
  at_least: number | null
  /** null: no limit. */
  at_most: number | null
  property: string | null
  from: string
  to: string
}

export interface DefinitionDraft {
  kind: DraftKind
  attribute: string | null
  condition: ConditionDraft
  event: string | null
  negated: boolean
  period: PeriodDraft
  measure: MeasureDraft
  properties: { key: string; property: string | null; condition: ConditionDraft }[]
}

const CONDITION: ConditionDraft = {
  is: 'in',
  value: '',
  values: [],
  from: '',
  to: '',
  as: 'number',
  day: '',
  lastDay: '',
  when: 'past',
  days: 30,
}
const PERIOD: PeriodDraft = { key: 'all', days: 30, from: '', to: '' }
const MEASURE: MeasureDraft = { key: 'times', at_least: 1, at_most: null, property: null, from: '', to: '' }

let made = 0
/** Identifies a form row while others are removed. */
export const newProperty = () => ({ key: `p${++made}`, property: null, condition: CONDITION })

export const newDraft = (kind: DraftKind): DefinitionDraft => ({
  kind,
  attribute: null,
  condition: CONDITION,
  event: null,
  negated: false,
  period: PERIOD,
  measure: MEASURE,
  properties: [],
})

/** The condition for another attribute: its values are chosen anew, and dates begin with 在 instead of 属于. */
export function startCondition(was: ConditionDraft, type: ValueType = null): ConditionDraft {
  const { offered } = OPERATORS[was.is]
  const keeps = (offered === 'all' || offered.includes(type)) && !(type === 'date' && was.is === 'in')
  return { ...CONDITION, is: keeps ? was.is : type === 'date' ? 'on' : 'in' }
}

// From a stored definition to a draft

function conditionDraft(condition: ValueCondition): ConditionDraft {
  switch (condition.is) {
    case 'range':
      return { ...CONDITION, is: 'range', from: condition.from ?? '', to: condition.to ?? '', as: condition.as }
    case 'on':
      return { ...CONDITION, is: 'on', day: condition.from, lastDay: condition.to }
    case 'not_before':
    case 'before':
      return { ...CONDITION, is: condition.is, day: condition.date }
    default:
      return { ...CONDITION, ...condition }
  }
}

function periodDraft(definition: EventDefinition): PeriodDraft {
  const { window_days, before_days, dates } = definition
  return {
    key: periodKeyOf(definition),
    days: window_days ?? before_days ?? PERIOD.days,
    from: dates?.from ?? '',
    to: dates?.to ?? '',
  }
}

function measureDraft(definition: EventDefinition): MeasureDraft {
  const { measure, at_least, at_most } = definition
  const numbers =
    measure && 'property' in measure
      ? { property: measure.property, from: measure.from ?? '', to: measure.to ?? '' }
      : undefined
  return { ...MEASURE, key: measureKeyOf(definition), at_least, at_most: at_most ?? null, ...numbers }
}

/** The draft of a stored definition; the built-in one (everyone) cannot be edited. */
export function draftOf(definition: TagDefinition): DefinitionDraft {
  switch (definition.kind) {
    case 'attribute':
      return {
        ...newDraft('attribute'),
        attribute: definition.attribute,
        condition: conditionDraft(definition.condition),
      }
    case 'event':
      return {
        ...newDraft('event'),
        event: definition.event,
        negated: definition.negated,
        period: periodDraft(definition),
        measure: measureDraft(definition),
        properties: definition.properties.map(({ property, condition }) => ({
          ...newProperty(),
          property,
          condition: conditionDraft(condition),
        })),
      }
    case 'everyone':
      return newDraft('attribute')
  }
}

// From a draft to a definition, which may lack parts

/** The condition of a draft; what is not filled in is empty or 0, which `conditionFault` names. */
function conditionOf(draft: ConditionDraft): ValueCondition {
  const { is, value, values, as, day, lastDay, when, days } = draft
  switch (is) {
    case 'equals':
    case 'not_equals':
    case 'contains':
    case 'starts_with':
      return { is, value }
    case 'in':
    case 'not_in':
      return { is, values }
    case 'range':
      return { is, from: draft.from || null, to: draft.to || null, as }
    case 'on':
      return { is, from: day, to: lastDay }
    case 'not_before':
    case 'before':
      return { is, date: day }
    case 'days':
      return { is, when, days: days ?? 0 }
    case 'exists':
    case 'empty':
      return { is }
  }
}

function measureOf({ key, property, from, to }: MeasureDraft): Measure | undefined {
  switch (key) {
    case 'times':
      return undefined
    case 'days':
    case 'first':
    case 'last':
      return { of: key }
    default:
      return { of: key, property: property ?? '', from: from || null, to: to || null }
  }
}

function eventOf({ event, negated, period, measure, properties }: DefinitionDraft): EventDefinition {
  const { key, from, to } = period
  const days = period.days ?? 0
  const { at_least, at_most } = measure
  const isCount = MEASURES[measure.key].asks === 'count'
  const definition = measureOf(measure)
  return {
    kind: 'event',
    event: event ?? '',
    window_days: key === 'past' ? days : null,
    ...(key === 'before' ? { before_days: days } : {}),
    ...(key === 'dates' ? { dates: { from: from || null, to: to || null } } : {}),
    at_least: isCount ? (at_least ?? 0) : 1,
    ...(isCount && at_most !== null ? { at_most } : {}),
    ...(definition ? { measure: definition } : {}),
    properties: properties.map((row) => ({ property: row.property ?? '', condition: conditionOf(row.condition) })),
    negated,
  }
}

/** The problems, by field, and the definition of each kind of draft. */
const KINDS: Record<
  DraftKind,
  { problems(draft: DefinitionDraft): Record<string, string | null>; definition(draft: DefinitionDraft): unknown }
> = {
  attribute: {
    problems: ({ attribute, condition }) => ({
      attribute: attribute ? null : '请选择属性',
      condition: sentenceOrNull(conditionFault(conditionOf(condition))),
    }),
    definition: ({ attribute, condition }) => ({ kind: 'attribute', attribute, condition: conditionOf(condition) }),
  },
  event: {
    problems: (draft) => {
      const faults = new Map(eventFaults(eventOf(draft)).map(({ at, reason }) => [at, sentenceOrNull(reason)]))
      return {
        event: draft.event ? null : '请选择事件',
        period: faults.get('period') ?? null,
        measure: faults.get('measure') ?? null,
        ...Object.fromEntries(
          draft.properties.map(({ key, property }, at) => [
            key,
            property ? (faults.get(at) ?? null) : '请选择事件属性',
          ]),
        ),
      }
    },
    definition: eventOf,
  },
}
export const DRAFT_KINDS = keysOf(KINDS)

/** Problems by field: attribute, condition, event, period, measure, and each property row's key. */
export const problemsOf = (draft: DefinitionDraft): Record<string, string> =>
  Object.fromEntries(
    Object.entries(KINDS[draft.kind].problems(draft)).filter((entry): entry is [string, string] => entry[1] !== null),
  )

/** The definition of a draft; null while it has a problem. */
export function definitionOf(draft: DefinitionDraft): TagDefinition | null {
  if (Object.keys(problemsOf(draft)).length > 0) return null
  return TagDefinition.safeParse(KINDS[draft.kind].definition(draft)).data ?? null
}

export const isSameDefinition = (a: TagDefinition | null, b: TagDefinition | null): boolean =>
  JSON.stringify(a && TagDefinition.parse(a)) === JSON.stringify(b && TagDefinition.parse(b))

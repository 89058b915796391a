import { keysOf } from '#contract/common.ts'
import { isRangeInOrder, TagDefinition, type TagKind, type ValueCondition, WINDOW_DAYS_MAX } from '#contract/tag.ts'

/** The kinds of tag that viewers define; the built-in one (everyone) has no form. */
export type DraftKind = Exclude<TagKind, 'everyone'>

/** A condition being edited. Fields keep their values while the operator changes. */
export interface ConditionDraft {
  is: ValueCondition['is']
  value: string
  values: string[]
  from: string
  to: string
  as: 'number' | 'date'
}

export interface DefinitionDraft {
  kind: DraftKind
  attribute: string | null
  condition: ConditionDraft
  event: string | null
  negated: boolean
  /** null means all time. */
  window_days: number | null
  at_least: number
  properties: { key: string; property: string | null; condition: ConditionDraft }[]
}

const CONDITION: ConditionDraft = { is: 'in', value: '', values: [], from: '', to: '', as: 'number' }

let made = 0
/** Identifies a form row while others are removed. */
export const newProperty = () => ({ key: `p${++made}`, property: null, condition: CONDITION })

export const newDraft = (kind: DraftKind): DefinitionDraft => ({
  kind,
  attribute: null,
  condition: CONDITION,
  event: null,
  negated: false,
  window_days: null,
  at_least: 1,
  properties: [],
})

function conditionDraft(condition: ValueCondition): ConditionDraft {
  switch (condition.is) {
    case 'equals':
      return { ...CONDITION, is: 'equals', value: condition.value }
    case 'in':
      return { ...CONDITION, is: 'in', values: condition.values }
    case 'range':
      return { ...CONDITION, is: 'range', from: condition.from ?? '', to: condition.to ?? '', as: condition.as }
    case 'exists':
      return { ...CONDITION, is: 'exists' }
  }
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
    case 'event': {
      const { event, negated, window_days, at_least } = definition
      const properties = definition.properties.map(({ property, condition }) => ({
        ...newProperty(),
        property,
        condition: conditionDraft(condition),
      }))
      return { ...newDraft('event'), event, negated, window_days, at_least, properties }
    }
    case 'everyone':
      return newDraft('attribute')
  }
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))
const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}:\d{2})?$/.test(text)

/** What is wrong with a condition, as a sentence; null if nothing is. */
function problemOf(condition: ConditionDraft): string | null {
  switch (condition.is) {
    case 'exists':
      return null
    case 'equals':
      return condition.value === '' ? '请填写值' : null
    case 'in':
      return condition.values.length === 0 ? '请至少选择一个值' : null
    case 'range': {
      const { from, to, as } = condition
      if (!from && !to) return '请至少填写范围的一端'
      const isFit = as === 'number' ? isNumber : isDate
      if ((from && !isFit(from)) || (to && !isFit(to))) return as === 'number' ? '范围应为数字' : '范围应为日期'
      return from && to && !isRangeInOrder(from, to, as) ? '范围的起点应小于终点' : null
    }
  }
}

function conditionOf(draft: ConditionDraft): ValueCondition {
  switch (draft.is) {
    case 'equals':
      return { is: 'equals', value: draft.value }
    case 'in':
      return { is: 'in', values: draft.values }
    case 'range':
      return { is: 'range', from: draft.from || null, to: draft.to || null, as: draft.as }
    case 'exists':
      return { is: 'exists' }
  }
}

/** By field: what is wrong there, or null. */
type Problems = Record<string, string | null>
/** The problems and the definition of each kind of draft. */
const KINDS: Record<
  DraftKind,
  { problems(draft: DefinitionDraft): Problems; definition(draft: DefinitionDraft): object }
> = {
  attribute: {
    problems: ({ attribute, condition }) => ({
      attribute: attribute ? null : '请选择属性',
      condition: problemOf(condition),
    }),
    definition: ({ attribute, condition }) => ({ attribute, condition: conditionOf(condition) }),
  },
  event: {
    problems: ({ event, window_days, at_least, properties }) => ({
      event: event ? null : '请选择事件',
      window:
        window_days === null || (window_days >= 1 && window_days <= WINDOW_DAYS_MAX)
          ? null
          : `天数应在 1 到 ${WINDOW_DAYS_MAX} 之间`,
      times: at_least >= 1 ? null : '次数至少为 1',
      ...Object.fromEntries(
        properties.map(({ key, property, condition }) => [key, property ? problemOf(condition) : '请选择事件属性']),
      ),
    }),
    definition: ({ event, negated, window_days, at_least, properties }) => ({
      event,
      negated,
      window_days,
      at_least,
      properties: properties.map(({ property, condition }) => ({ property, condition: conditionOf(condition) })),
    }),
  },
}
export const DRAFT_KINDS = keysOf(KINDS)

/** Problems by field: attribute, condition, event, window, times, and each property row's key. */
export const problemsOf = (draft: DefinitionDraft): Record<string, string> =>
  Object.fromEntries(
    Object.entries(KINDS[draft.kind].problems(draft)).filter((entry): entry is [string, string] => entry[1] !== null),
  )

/** The definition of a draft; null while it has a problem. */
export function definitionOf(draft: DefinitionDraft): TagDefinition | null {
  if (Object.keys(problemsOf(draft)).length > 0) return null
  return TagDefinition.safeParse({ kind: draft.kind, ...KINDS[draft.kind].definition(draft) }).data ?? null
}

export const isSameDefinition = (a: TagDefinition | null, b: TagDefinition | null): boolean =>
  JSON.stringify(a && TagDefinition.parse(a)) === JSON.stringify(b && TagDefinition.parse(b))

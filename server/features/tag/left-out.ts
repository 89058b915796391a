import { type LeftOut, TAG_VALUE_MAX } from '#contract/tag.ts'
import type { ValueCondition } from '#contract/tag-condition.ts'
import { VALUE_MAX } from '#contract/tag-condition.ts'
import type { TagDefinition } from '#contract/tag-definition.ts'
import type { Measure } from '#contract/tag-event.ts'
import { maskPhones } from '../../files/mask-phones.ts'
import type { LeftOutCounts } from '../../ingest/attribute-values.ts'

/** The counts to store. A kind that was `known` before stays, with count 0 if no such value is left. */
export function leftOutOf(known: readonly LeftOut[], counts: LeftOutCounts): LeftOut[] {
  const isShown = (code: LeftOut['code']) => counts[code] > 0 || known.some((one) => one.code === code)
  const all: LeftOut[] = [
    { code: 'tooLong', params: { count: counts.tooLong, max: TAG_VALUE_MAX } },
    { code: 'notText', params: { count: counts.notText } },
  ]
  return all.filter(({ code }) => isShown(code))
}

/**
 * A definition within the contract's limits. Older versions made tags of values of any length, and those used by rules
 * remain; such a value is shortened.
 */
export function shownDefinition(definition: TagDefinition): TagDefinition {
  if (definition.kind !== 'attribute' || definition.condition.is !== 'equals') return definition
  const { value } = definition.condition
  if (value.length <= VALUE_MAX) return definition
  return { ...definition, condition: { is: 'equals', value: [...value].slice(0, VALUE_MAX).join('') } }
}

/** A definition as a viewer sees it: phones among its values are masked for those who may not see them. */
export function definitionFor(viewer: { see_phones: boolean }, definition: TagDefinition): TagDefinition {
  const shown = shownDefinition(definition)
  if (viewer.see_phones) return shown
  if (shown.kind === 'attribute') {
    return { ...shown, attribute: maskPhones(shown.attribute), condition: maskedCondition(shown.condition) }
  }
  if (shown.kind !== 'event') return shown
  const properties = shown.properties.map(({ property, condition }) => ({
    property: maskPhones(property),
    condition: maskedCondition(condition),
  }))
  return {
    ...shown,
    event: maskPhones(shown.event),
    properties,
    ...(shown.measure && { measure: maskedMeasure(shown.measure) }),
  }
}

const maskedEnd = (end: string | null) => (end === null ? null : maskPhones(end))

function maskedMeasure(measure: Measure): Measure {
  if (!('property' in measure)) return measure
  const { property, from, to } = measure
  return { ...measure, property: maskPhones(property), from: maskedEnd(from), to: maskedEnd(to) }
}

function maskedCondition(condition: ValueCondition): ValueCondition {
  if ('value' in condition) return { ...condition, value: maskPhones(condition.value) }
  if ('values' in condition) return { ...condition, values: condition.values.map(maskPhones) }
  if (condition.is === 'range') return { ...condition, from: maskedEnd(condition.from), to: maskedEnd(condition.to) }
  return condition
}

import { type LeftOut, TAG_VALUE_MAX, type TagDefinition, VALUE_MAX } from '#contract/tag.ts'
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

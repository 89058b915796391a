import { sql, type Transaction } from 'kysely'
import type { TagDefinition } from '#contract/tag-definition.ts'
import { usedTags } from '../../crowds/used-tags.ts'
import { type AttributeType, anyLeftOut, type FileValues } from '../../ingest/attribute-values.ts'
import type { Database } from '../../postgres/schema.ts'
import { removeTags } from './removal.ts'

/** The values that an attribute still has. `type`: the settled one, if a viewer settled it. */
export interface ValuesLeft extends FileValues {
  /** Each would get a tag of its own. */
  byValue: boolean
  /** Those that the dictionary names. */
  named: readonly string[]
}

export interface AutomaticTag {
  id: number
  version: number
  definition: TagDefinition
  created_at: number
}

interface Facts {
  /** When the import began that made the tags, in epoch seconds. */
  since: number
  /** The values that are left, by attribute. */
  values: ReadonlyMap<string, ValuesLeft>
  /** Events without rows. */
  events: readonly string[]
}

/**
 * Removes automatic tags that the data left do not ask for and that no crowd and no draft uses. Answers those that it
 * removed.
 */
export async function removeUnused(tx: Transaction<Database>, adv_id: number, facts: Facts): Promise<AutomaticTag[]> {
  const attributes = [...facts.values.keys()]
  const { free, used } = await automaticTags(tx, adv_id, { attributes, events: facts.events })
  // Ranges are cut together: what is left of them would never become whole again.
  const kept = new Set(used.flatMap(({ definition }) => rangesOf(definition) ?? []))
  const gone = free.filter(({ definition, created_at }) => {
    const ranges = rangesOf(definition)
    const isFresh = created_at >= facts.since && (ranges === null || !kept.has(ranges))
    return isGone(definition, isFresh, facts)
  })
  await removeTags(tx, adv_id, gone)
  return gone
}

interface Defined {
  definition: TagDefinition
}

/** A range of an attribute. */
export const isRangeOf = ({ definition }: Defined, attribute: string): boolean =>
  definition.kind === 'attribute' && definition.attribute === attribute && definition.condition.is === 'range'

/** A range of an attribute, cut when the attribute was of another type. */
export const isRangeOfOtherType = (tag: Defined, { name, type }: { name: string; type: AttributeType }): boolean =>
  isRangeOf(tag, name) && rangesOf(tag.definition) !== `${type} ${name}`

/** Removes the automatic tags of an attribute that `isUnwanted` names and that no crowd and no draft uses. */
export async function removeAutomatic(
  tx: Transaction<Database>,
  { adv_id, attribute }: { adv_id: number; attribute: string },
  isUnwanted: (tag: AutomaticTag) => boolean,
): Promise<void> {
  const { free } = await automaticTags(tx, adv_id, { attributes: [attribute], events: [] })
  await removeTags(tx, adv_id, free.filter(isUnwanted))
}

/** The automatic tags of these fields: those that no crowd and no draft uses, and the others. */
async function automaticTags(
  tx: Transaction<Database>,
  adv_id: number,
  { attributes, events }: { attributes: readonly string[]; events: readonly string[] },
): Promise<{ free: AutomaticTag[]; used: AutomaticTag[] }> {
  const tags = await tx
    .selectFrom('tag')
    .select(['id', 'version', 'definition', 'created_at'])
    .where('adv_id', '=', adv_id)
    .where('is_automatic', '=', true)
    .where('is_built_in', '=', false)
    .where(
      sql<boolean>`(definition->>'attribute' = any(${[...attributes]}::text[]) or definition->>'event' = any(${[...events]}::text[]))`,
    )
    .execute()
  if (tags.length === 0) return { free: [], used: [] }
  const ids = await usedTags(
    tx,
    adv_id,
    tags.map(({ id }) => id),
  )
  return { free: tags.filter(({ id }) => !ids.has(id)), used: tags.filter(({ id }) => ids.has(id)) }
}

/** Names the ranges that were cut together with this one; null of another tag. */
const rangesOf = (definition: TagDefinition): string | null =>
  definition.kind === 'attribute' && definition.condition.is === 'range'
    ? `${definition.condition.as} ${definition.attribute}`
    : null

/** `isFresh`: made since the import began. Older ranges were cut from older data and stay as they are. */
function isGone(definition: TagDefinition, isFresh: boolean, { values, events }: Facts): boolean {
  if (definition.kind === 'event') return events.includes(definition.event)
  if (definition.kind !== 'attribute') return false
  const left = values.get(definition.attribute)
  if (!left) return false
  const { condition } = definition
  if (left.distinct === 0) return true
  if (condition.is === 'equals') {
    if (left.named.includes(condition.value)) return false
    return left.byValue ? !left.values?.includes(condition.value) : isFresh
  }
  if (condition.is === 'range') return left.byValue || left.type !== condition.as || isFresh
  return condition.is === 'exists' && isFresh && !anyLeftOut(left.leftOut)
}

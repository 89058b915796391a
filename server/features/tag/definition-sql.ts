import { keysOf } from '#contract/common.ts'
import type { TagDefinition, TagKind } from '#contract/tag-definition.ts'
import { attributeSelects } from './attribute-sql.ts'
import { eventTagSelects } from './event-sql.ts'
import { everyoneSelect } from './everyone-sql.ts'
import { type Definition, type Frame, last, type MemberSelect } from './frame.ts'

type OfKind<K extends TagKind> = Definition<Extract<TagDefinition, { kind: K }>>

/**
 * Statements of (tag_id, bucket, bitmap) that hold the people of the definitions, each exactly once: one pass over the
 * data for all tags of an attribute, one for all of an event, one more for those that read its properties.
 */
export const memberSelects = (frame: Frame, tags: readonly Definition[]): MemberSelect[] =>
  keysOf(SELECTS).flatMap((kind) => selectsOf(kind, frame, tags))

function selectsOf<K extends TagKind>(kind: K, frame: Frame, tags: readonly Definition[]): MemberSelect[] {
  const isOfKind = (tag: Definition): tag is OfKind<K> => tag.definition.kind === kind
  return SELECTS[kind](frame, tags.filter(isOfKind))
}

const SELECTS: { [K in TagKind]: (frame: Frame, tags: readonly OfKind<K>[]) => MemberSelect[] } = {
  attribute: attributeSelects,
  event: eventTagSelects,
  everyone: (frame, tags) => (tags.length > 0 ? [last(everyoneSelect(frame, tags), tags)] : []),
}

const READS_PERSON_ROWS: Record<TagKind, boolean> = { attribute: true, event: false, everyone: false }
/** Whether the statement of a definition needs `PersonRows.several`. */
export const readsPersonRows = ({ kind }: TagDefinition): boolean => READS_PERSON_ROWS[kind]

import { type Outcome, outcome } from './outcome.ts'

/** What keeps an attribute from being deleted. */
export interface AttributeUses {
  /** Names of imported files that brought it. */
  files: readonly string[]
  /** Names of crowds whose rules use its tags; also of deleted ones, which may be restored. */
  crowds: readonly string[]
  /** Names of tags that viewers made of it. */
  tags: readonly string[]
  /** Rules that are not saved yet. */
  drafts: number
  /** The consent setting reads it. */
  consent: boolean
}

/** The most names of each kind that a refusal has. */
const NAMED_MAX = 100

/**
 * Why an attribute cannot be deleted; null if it can. One that a file brought goes by undoing the import: its rows would
 * count as repeated when the file is imported again, and their values would not come back.
 */
export function removalObstacle(name: string, { files, crowds, tags, drafts, consent }: AttributeUses): Outcome | null {
  const some = (names: readonly string[]) => names.slice(0, NAMED_MAX)
  if (files.length > 0) return outcome('attribute_of_files', { name, files: some(files), total: files.length })
  if (crowds.length + tags.length + drafts === 0 && !consent) return null
  return outcome('attribute_in_use', {
    ...{ name, crowds: some(crowds), crowds_total: crowds.length },
    ...{ tags: some(tags), tags_total: tags.length },
    ...{ drafts, consent },
  })
}

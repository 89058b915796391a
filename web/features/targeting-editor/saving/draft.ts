import { NEVER } from '#contract/rule-crowd.ts'
import type { EditorDefinition } from '../editor-definition.ts'

/** A package as the editor holds it. */
export interface Draft<F> {
  targeting_name: string
  dir_id: number | null
  /** The last second of the last day. */
  invalid_time: number | null
  form: F
}

/** What the dialog of a new package chose. */
interface Chosen {
  name: string
  dir_id: number
  landing_type: string | null
  invalid_time: number
}

/** A saved version of a package: as it was opened, or as somebody else saved it meanwhile. */
export interface SavedVersion {
  name: string
  dir_id: number
  invalidTime: number
  targeting: Readonly<Record<string, unknown>>
}

export const draftOfSaved = <F>(editor: EditorDefinition<F>, saved: SavedVersion): Draft<F> => ({
  targeting_name: saved.name,
  dir_id: saved.dir_id,
  // The last second of the last day there is would be refused as one after it.
  invalid_time: Math.min(saved.invalidTime, NEVER),
  form: editor.formOf(saved.targeting),
})

/** A new package, or a copy of one: what the dialog chose, and the targeting of the one that is copied. */
export const draftOfTicket = <F>(
  editor: EditorDefinition<F>,
  chosen: Chosen,
  copied: Pick<SavedVersion, 'targeting'> | null,
): Draft<F> => ({
  targeting_name: chosen.name,
  dir_id: chosen.dir_id,
  invalid_time: chosen.invalid_time,
  form: editor.withType(copied ? editor.formOf(copied.targeting) : editor.emptyForm(), chosen.landing_type),
})

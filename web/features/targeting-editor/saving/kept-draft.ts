import { saved } from '../../../lib/saved-context.ts'
import type { EditorDefinition } from '../editor-definition.ts'
import type { Draft } from './draft.ts'

/** Unsaved work of one editor, kept over a reload until it is saved or discarded. */
export interface KeptDraft<F> {
  /** The address of the editor. */
  at: string
  /** The version that the work is based on; null for a new package. */
  ver: number | null
  draft: Draft<F>
  /** The viewer's other work, which they left to see somebody else's version; null for most. */
  givenUp: Draft<F> | null
}

const isId = (value: unknown) => value === null || typeof value === 'number'

/** The work kept for an address. Fields that a newer console has since then have their defaults. */
export function findDraft<F>(editor: EditorDefinition<F>, at: string): KeptDraft<F> | null {
  const kept = saved.targetingWork.get() as Partial<KeptDraft<F>> | null
  const draft = readDraft(editor, kept?.draft)
  if (kept?.at !== at || !draft) return null
  return { at, ver: kept.ver ?? null, draft, givenUp: readDraft(editor, kept.givenUp) }
}

function readDraft<F>(editor: EditorDefinition<F>, draft: Draft<F> | null | undefined): Draft<F> | null {
  if (!draft || typeof draft.form !== 'object' || draft.form === null) return null
  if (typeof draft.targeting_name !== 'string' || !isId(draft.dir_id) || !isId(draft.invalid_time)) return null
  return { ...draft, form: { ...editor.emptyForm(), ...draft.form } }
}

export const keepDraft = <F>(work: KeptDraft<F>) => saved.targetingWork.set({ ...work })
export const forgetDraft = () => saved.targetingWork.clear()

import { createContext, use } from 'react'
import type { EditorDefinition, FieldFault } from './editor-definition.ts'

/** What the fields of an open package work on. */
export interface Editing<F = unknown> {
  editor: EditorDefinition<F>
  /** The platform account, in whose name its dictionaries are asked. */
  accountId: number
  form: F
  change(part: Partial<F>): void
  /** Shown beside the fields, from the first try to save on. */
  faults: readonly FieldFault[]
  isReadOnly: boolean
  /** Chosen crowds that the platform has no more, as the package was opened. */
  lostCrowds: readonly string[]
}

export const EditingContext = createContext<Editing | null>(null)

/** `F` is the form of the editor whose part asks: a part stands in its own editor alone. */
export function useEditing<F = unknown>(): Editing<F> {
  const editing = use(EditingContext)
  if (!editing) throw new Error('a field stands outside of an editor')
  return editing as Editing<F>
}

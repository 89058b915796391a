/** How an editor of targeting packages was opened. */
export type EditorMode = 'create' | 'edit' | 'copy' | 'read'

/** The mode of a page address: the id 0 is a new package, and any other `mode` than read and copy is editing. */
export function editorMode(id: string, mode: string | null): EditorMode {
  if (id === '0') return 'create'
  return mode === 'read' || mode === 'copy' ? mode : 'edit'
}

/** Reading disables all inputs and leaves the back button alone in the footer. */
export const isReadOnly = (mode: EditorMode): boolean => mode === 'read'

/** The call that saves: a copy is a new package. */
export const savingCall = (mode: EditorMode): 'create' | 'update' | null =>
  mode === 'read' ? null : mode === 'edit' ? 'update' : 'create'

/** The package type is chosen for a new package or a copy, and stays from then on. */
export const isTypeFixed = (mode: EditorMode): boolean => mode === 'edit' || mode === 'read'

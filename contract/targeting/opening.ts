import { type Outcome, outcome } from '../outcome.ts'
import { type EditorMode, isReadOnly } from './mode.ts'

/** The status of a package that uses a crowd which expired, froze, was deleted or withdrawn. */
const CROWD_LOST = -1

/** What is said on opening a package, with the crowd tab open; null if nothing is. */
export const openingWarning = (status: number, mode: EditorMode): Outcome | null =>
  status === CROWD_LOST && !isReadOnly(mode) ? outcome('targeting_crowd_lost') : null

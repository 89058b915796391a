import type { Outcome } from '#contract/outcome.ts'
import type { EditorMode } from '#contract/targeting/mode.ts'
import type { Draft } from './saving/draft.ts'

/** What the editor opens. */
export interface OpenedPackage<F> {
  /** The address, under which unsaved work is kept. */
  at: string
  /** Null for a new package and for a copy. */
  id: number | null
  mode: EditorMode
  ver: number | null
  status: number
  account: { id: number; name: string }
  /** The account's advertiser; undefined where it is not known. */
  advId: number | undefined
  /** Plans that use it. */
  plans: readonly string[]
  /** Why it cannot be edited, so that it is only shown; null if it can. */
  lock: Outcome | null
  /** What somebody did to its copy on the platform, which nobody here has decided on. */
  copyState: 'changed' | 'gone' | null
  /** Crowds of it that the platform has no more. */
  lostCrowds: readonly string[]
  draft: Draft<F>
}

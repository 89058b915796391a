import { createContext, type Dispatch, use } from 'react'
import type { RuleNode, SubTag } from '#contract/rule.ts'
import type { RuleCounts } from '../state/counts.ts'
import type { Cursor } from '../state/cursor.ts'
import type { EditorAction } from '../state/editor-state.ts'
import type { ShownTag } from '../state/shown-tags.ts'

/** A tag cut with the keyboard, to be pasted into another rule. */
export interface CutTag {
  leaf: string
  tag: SubTag
}

export interface CanvasValue {
  advId: number
  rule: RuleNode
  cursor: Cursor
  folded: ReadonlySet<string>
  counts: RuleCounts
  /** All people of the advertiser. */
  everyone: number | null
  shownOf(tag: SubTag): ShownTag
  /** Empty leaves, which prevent saving. */
  emptyLeaves: ReadonlySet<string>
  cutTag: CutTag | null
  isReadOnly: boolean
  dispatch: Dispatch<EditorAction>
}

export const CanvasContext = createContext<CanvasValue | null>(null)

export function useCanvas(): CanvasValue {
  const value = use(CanvasContext)
  if (!value) throw new Error('useCanvas is called outside of a canvas')
  return value
}

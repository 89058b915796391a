import { type Dispatch, useMemo } from 'react'
import { findNode, type SubTag, sameTag } from '#contract/rule.ts'
import type { RuleCounts } from '../state/counts.ts'
import type { EditorAction, EditorState } from '../state/editor-state.ts'
import type { ShownTag } from '../state/shown-tags.ts'
import type { CanvasValue, CutTag } from './canvas-context.ts'

const NO_LEAVES: ReadonlySet<string> = new Set()

/** The value of the canvas' context. Without `editing` the rule is only read. */
export function useCanvasValue(
  { doc: { rule }, cursor, folded }: EditorState,
  dispatch: Dispatch<EditorAction>,
  shown: { advId: number; counts: RuleCounts; everyone: number | null; shownOf: (tag: SubTag) => ShownTag },
  editing?: { emptyLeaves: ReadonlySet<string>; cutTag: CutTag | null },
): CanvasValue {
  const { advId, counts, everyone, shownOf } = shown
  const isReadOnly = editing === undefined
  const { emptyLeaves = NO_LEAVES, cutTag = null } = editing ?? {}
  return useMemo(() => {
    const isThere = cutTag && findNode(rule, cutTag.leaf)?.subTags.some((tag) => sameTag(tag, cutTag.tag))
    return {
      advId,
      rule,
      cursor,
      folded,
      counts,
      everyone,
      shownOf,
      emptyLeaves,
      // The cut tag may have been removed in the meantime.
      cutTag: isThere ? cutTag : null,
      isReadOnly,
      dispatch,
    }
  }, [advId, rule, cursor, folded, counts, everyone, shownOf, emptyLeaves, cutTag, isReadOnly, dispatch])
}

import type { DragEndEvent } from '@dnd-kit/react'
import { App } from 'antd'
import type { Dispatch } from 'react'
import { dropOutcome, leavesOf, type RuleNode } from '#contract/rule.ts'
import { type Cursor, targetLeaf } from '../state/cursor.ts'
import type { EditorAction } from '../state/editor-state.ts'
import type { ShownTag } from '../state/shown-tags.ts'
import { hintForNew, isLoad, leafDropId, NEW_RULE } from './dragging.ts'

/** Tags on their way into the rule, dragged or chosen in the tree; what refuses them says why. */
export function useDrops(
  rule: RuleNode,
  cursor: Cursor,
  dispatch: Dispatch<EditorAction>,
  /** A tag came in: how it is called has to be known. */
  onShown: (shown: ShownTag) => void,
) {
  const { message } = App.useApp()

  /** Whether a leaf takes a tag; why not is said here. */
  const isTaken = (leaf: RuleNode, shown: ShownTag): boolean => {
    const outcome = dropOutcome(leaf, shown)
    if ('refuses' in outcome) void message.warning(outcome.refuses)
    else if (outcome.does === 'nothing') void message.info(`「${shown.name}」已在此规则中`)
    else return true
    return false
  }

  return {
    /** A tag chosen in the tree goes into the rule in focus. */
    pick(shown: ShownTag) {
      const leaf = targetLeaf(rule, cursor)
      if (!isTaken(leaf, shown)) return
      onShown(shown)
      dispatch({ type: 'drop', leaf: leaf.id, tag: { id: shown.id, tag_type: shown.tag_type } })
    },

    onDragEnd(event: DragEndEvent) {
      const load = event.operation.source?.data
      const target = event.operation.target?.id
      if (event.canceled || !isLoad(load) || target === undefined) return
      const { shown, from } = load
      const tag = { id: shown.id, tag_type: shown.tag_type }
      onShown(shown)
      if (target === NEW_RULE) {
        const hint = hintForNew(rule, load)
        if (hint.takes) dispatch({ type: 'dropOnNew', tag, from })
        else void message.warning(hint.words)
        return
      }
      const leaf = leavesOf(rule).find((one) => leafDropId(one.id) === target)
      if (!leaf || leaf.id === from || !isTaken(leaf, shown)) return
      dispatch(from ? { type: 'move', from, to: leaf.id, tag } : { type: 'drop', leaf: leaf.id, tag })
    },
  }
}

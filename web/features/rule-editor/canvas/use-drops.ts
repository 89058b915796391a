import type { DragEndEvent } from '@dnd-kit/react'
import { App } from 'antd'
import type { Dispatch } from 'react'
import { dropOutcome, leavesOf, type RuleNode } from '#contract/rule.ts'
import { type Cursor, targetLeaf } from '../state/cursor.ts'
import type { EditorAction } from '../state/editor-state.ts'
import type { ShownTag } from '../state/shown-tags.ts'
import { hintForNew, isBoxLoad, isLoad, isPlace, leafDropId, newRuleDropId } from './dragging.ts'
import { OP_CHOICES } from './operator-choices.tsx'

/** Adds tags that are dragged or chosen in the tree, and moves boxes; a refusal is announced. */
export function useDrops(
  rule: RuleNode,
  cursor: Cursor,
  dispatch: Dispatch<EditorAction>,
  /** Called with each added tag, so that its name is known. */
  onShown: (shown: ShownTag) => void,
) {
  const { message } = App.useApp()

  /** Whether a leaf accepts a tag; announces why not. */
  const isTaken = (leaf: RuleNode, shown: ShownTag): boolean => {
    const outcome = dropOutcome(leaf, shown)
    if (outcome.type === 'refused') void message.warning(outcome.words)
    else if (outcome.type === 'none') void message.info(`「${shown.name}」已在此规则中`)
    else return true
    return false
  }

  return {
    /** Adds a tag chosen in the tree to the rule at the cursor. */
    pick(shown: ShownTag) {
      const leaf = targetLeaf(rule, cursor)
      if (!isTaken(leaf, shown)) return
      onShown(shown)
      dispatch({ type: 'drop', leaf: leaf.id, tag: { id: shown.id, tag_type: shown.tag_type } })
    },

    onDragEnd(event: DragEndEvent) {
      const load = event.operation.source?.data
      const target = event.operation.target?.id
      if (event.canceled || target === undefined) return
      const to = event.operation.target?.data
      if (isBoxLoad(load) && isPlace(to)) return dispatch({ type: 'moveBox', node: load.box, to })
      if (!isLoad(load)) return
      const { shown, from } = load
      const tag = { id: shown.id, tag_type: shown.tag_type }
      onShown(shown)
      const op = OP_CHOICES.find((one) => newRuleDropId(one) === target)
      if (op) {
        const hint = hintForNew(rule, load, op)
        if (hint.takes) dispatch({ type: 'dropOnNew', op, tag, from })
        else void message.warning(hint.words)
        return
      }
      const leaf = leavesOf(rule).find((one) => leafDropId(one.id) === target)
      if (!leaf || leaf.id === from || !isTaken(leaf, shown)) return
      dispatch(from ? { type: 'move', from, to: leaf.id, tag } : { type: 'drop', leaf: leaf.id, tag })
    },
  }
}

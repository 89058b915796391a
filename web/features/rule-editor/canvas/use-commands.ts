import { App } from 'antd'
import type { RefObject } from 'react'
import { dropOutcome, findNode, holdsCrowd, isLeaf, mayAddRule, type RuleNode } from '#contract/rule.ts'
import { boxOf } from '../state/boxes.ts'
import { joinOf, targetLeaf } from '../state/cursor.ts'
import { placeBeside } from '../state/move-box.ts'
import { type CutTag, useCanvas } from './canvas-context.ts'
import type { Command } from './keys.ts'

export interface CanvasActions {
  onCut(tag: CutTag | null): void
  onAdd(): void
  onSearch(): void
  onHelp(): void
}

/** Runs a keyboard command; false if it does nothing at the cursor. */
export function useCommands(sheet: RefObject<HTMLElement | null>, { onCut, onAdd, onSearch, onHelp }: CanvasActions) {
  const { rule, cursor, folded, cutTag, shownOf, isReadOnly, dispatch } = useCanvas()
  const { message } = App.useApp()

  function move(command: Command, node: RuleNode): boolean {
    switch (command.type) {
      case 'step':
        dispatch({ type: 'step', to: command.to })
        return true
      case 'fold':
        if (!isLeaf(node)) dispatch({ type: 'fold', node: node.id, folded: !folded.has(node.id) })
        return true
      case 'search':
        onSearch()
        return true
      case 'help':
        onHelp()
        return true
      default:
        return false
    }
  }

  function edit(command: Command, node: RuleNode): boolean {
    switch (command.type) {
      case 'move':
        moveTo(command.to, node)
        return true
      case 'op':
        setOperator(node, command.op, command.before)
        return true
      case 'menu':
        sheet.current
          ?.querySelector<HTMLElement>(`[data-cursor="${CSS.escape(node.id)}"] [data-operator]:not([disabled])`)
          ?.click()
        return true
      case 'delete':
        if (cursor.tag) dispatch({ type: 'removeTag', leaf: node.id, tag: cursor.tag })
        else if (node.id === rule.id) void message.info('只剩一个节点时不能删除')
        else dispatch({ type: 'deleteRule', node: node.id })
        return true
      case 'add':
        if (mayAddRule(rule)) onAdd()
        else void message.info('一个人群最多包含 64 条规则')
        return true
      case 'cut':
        if (cursor.tag) onCut({ leaf: node.id, tag: cursor.tag })
        return cursor.tag !== undefined
      case 'release':
        onCut(null)
        return cutTag !== null
      case 'paste':
        if (cutTag) paste(cutTag)
        return cutTag !== null
      default:
        return false
    }
  }

  function moveTo(to: 'left' | 'right' | 'up' | 'down', node: RuleNode) {
    const place = placeBeside(rule, node.id, to)
    if (place) dispatch({ type: 'moveBox', node: node.id, to: place })
    else void message.info('那一边没有可以移到的位置')
  }

  function setOperator(node: RuleNode, op: 'n' | 'u' | 'e', before: boolean) {
    if (before) {
      const join = joinOf(rule, node.id)
      if (join) dispatch({ type: 'setOp', nodes: [join.id], op })
      else void message.info('第一条规则前面没有别的规则')
      return
    }
    if (holdsCrowd(node)) return void message.info('历史人群的规则没有运算符')
    const box = boxOf(node)
    dispatch({ type: 'setOp', nodes: box.kind === 'group' ? box.steps.map((step) => step.id) : [node.id], op })
  }

  function paste({ leaf: from, tag }: CutTag) {
    const leaf = targetLeaf(rule, cursor)
    if (leaf.id === from) return onCut(null)
    const outcome = dropOutcome(leaf, tag)
    if (outcome.type === 'refused') return void message.warning(outcome.words)
    if (outcome.type === 'none') return void message.info(`「${shownOf(tag).name}」已在此规则中`)
    dispatch({ type: 'move', from, to: leaf.id, tag })
    onCut(null)
  }

  return (command: Command): boolean => {
    // The cursor is always on a node of the rule.
    const node = findNode(rule, cursor.node) as RuleNode
    return move(command, node) || (!isReadOnly && edit(command, node))
  }
}

import { App } from 'antd'
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { dropOutcome, findNode, holdsCrowd, isLeaf, mayAddRule, type RuleNode } from '#contract/rule.ts'
import { boxOf } from '../state/boxes.ts'
import { type Cursor, joinOf, targetLeaf } from '../state/cursor.ts'
import { keyOfTag } from '../state/shown-tags.ts'
import styles from './canvas.module.css'
import { useCanvas } from './canvas-context.ts'
import { BoxView } from './GroupBoxView.tsx'
import { type Command, commandOf } from './keys.ts'
import { NewRulePlace } from './NewRulePlace.tsx'

interface Props {
  onCut(cutTag: { leaf: string; tag: NonNullable<Cursor['tag']> } | null): void
  onSearch(): void
  onHelp(): void
}

const cursorKey = (cursor: Cursor) => (cursor.tag ? `${cursor.node}/${keyOfTag(cursor.tag)}` : cursor.node)

/** The rule as boxes in boxes, walked by arrow keys: one box or tag at a time can be reached by Tab. */
export function Canvas({ onCut, onSearch, onHelp }: Props) {
  const { rule, cursor, folded, cutTag, everyone, shownOf, isReadOnly, dispatch } = useCanvas()
  const { message } = App.useApp()
  const sheet = useRef<HTMLDivElement>(null)
  const wantsFocus = useRef(false)
  /** The keyboard stood on the canvas last; a box that moves in the tree is a new element, and takes no focus along. */
  const hadFocus = useRef(false)
  const box = useMemo(() => boxOf(rule), [rule])

  const key = cursorKey(cursor)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element of the same place may be a new one
  useLayoutEffect(() => {
    const element = sheet.current?.querySelector<HTMLElement>(`[data-cursor="${CSS.escape(key)}"]`)
    if (!element) return
    if (wantsFocus.current || (hadFocus.current && document.activeElement === document.body))
      element.focus({ preventScroll: true })
    wantsFocus.current = false
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [key, rule])

  function run(command: Command): boolean {
    const node = findNode(rule, cursor.node) as RuleNode
    wantsFocus.current = true
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
    }
    if (isReadOnly) return false
    switch (command.type) {
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
        if (mayAddRule(rule)) dispatch({ type: 'addRule' })
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
    }
  }

  function setOperator(node: RuleNode, op: 'n' | 'u' | 'e', before: boolean) {
    if (before) {
      const join = joinOf(rule, node.id)
      if (join) dispatch({ type: 'setOp', nodes: [join.id], op })
      else void message.info('第一条规则前面没有别的规则')
      return
    }
    if (holdsCrowd(node)) return void message.info('历史人群的规则没有运算符')
    const own = boxAt(node.id)
    dispatch({ type: 'setOp', nodes: own.kind === 'group' ? own.steps.map((step) => step.id) : [node.id], op })
  }

  function boxAt(id: string) {
    const node = findNode(rule, id) as RuleNode
    return boxOf(node)
  }

  function paste(tag: NonNullable<typeof cutTag>) {
    const leaf = targetLeaf(rule, cursor)
    if (leaf.id === tag.leaf) return onCut(null)
    const outcome = dropOutcome(leaf, tag.tag)
    if ('refuses' in outcome) return void message.warning(outcome.refuses)
    if (outcome.does === 'nothing') return void message.info(`「${shownOf(tag.tag).name}」已在此规则中`)
    dispatch({ type: 'move', from: tag.leaf, to: leaf.id, tag: tag.tag })
    onCut(null)
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    // Menus opened from here hang elsewhere in the page, yet their keys come by.
    if (!(event.target instanceof HTMLElement) || !event.currentTarget.contains(event.target)) return
    const isButton = event.target.closest('button') !== null
    if (isButton && (event.key === 'Enter' || event.key === ' ')) return
    const command = commandOf(event)
    if (!command || !run(command)) {
      wantsFocus.current = false
      return
    }
    event.preventDefault()
  }

  return (
    <div className={`${styles.canvas} ${isReadOnly ? styles.readOnly : ''}`} data-drop-view>
      <div
        ref={sheet}
        // The arrow keys belong to the canvas, not to a screen reader's own reading.
        role="application"
        aria-label="规则画布"
        tabIndex={-1}
        className={styles.sheet}
        onKeyDown={onKeyDown}
        onFocusCapture={() => {
          hadFocus.current = true
        }}
        onBlur={(event) => {
          if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) hadFocus.current = false
        }}
        onClick={(event) => {
          // A button that takes its box away would leave the keyboard nowhere.
          if ((event.target as HTMLElement).closest('button')) wantsFocus.current = true
        }}
      >
        <BoxView
          box={box}
          depth={1}
          before={0}
          parent={everyone === null ? undefined : { people: everyone, isStale: false }}
        />
      </div>
      {!isReadOnly && <NewRulePlace />}
    </div>
  )
}

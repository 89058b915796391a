import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faultOf, findNode, leavesOf, nodesOf, type RuleNode, type RuleOp, type SubTag } from '#contract/rule.ts'
import {
  type EditorAction,
  type EditorState,
  emptyDocument,
  isUnsaved,
  openEditor,
  reduce,
  UNDO_MAX,
} from './editor-state.ts'

const tag = (id: number): SubTag => ({ id, tag_type: 1 })
const crowd = (id: number): SubTag => ({ id, tag_type: 3 })
const run = (state: EditorState, ...actions: EditorAction[]) => actions.reduce(reduce, state)
const fresh = () => openEditor(emptyDocument())
const words = (node: RuleNode): string =>
  node.exps.length > 0
    ? `(${node.exps.map(words).join(` ${node.op} `)})`
    : `[${node.subTags.map((t) => t.id).join(' ')}]`
const shown = (state: EditorState) => words(state.doc.rule)

describe('building', () => {
  test('drops a tag, adds a rule and drops a tag on it', () => {
    const state = run(fresh(), { type: 'drop', leaf: 'n1', tag: tag(1) }, { type: 'addRule', op: 'n' })
    expect(shown(state)).toBe('([1] n [])')
    expect(state.cursor).toEqual({ node: 'n3' })
    expect(shown(run(state, { type: 'drop', leaf: 'n3', tag: tag(2) }))).toBe('([1] n [2])')
  })
  test('a tag dropped below the rules becomes a rule in one step', () => {
    const state = run(fresh(), { type: 'drop', leaf: 'n1', tag: tag(1) }, { type: 'dropOnNew', op: 'n', tag: tag(2) })
    expect(shown(state)).toBe('([1] n [2])')
    expect(shown(run(state, { type: 'undo' }))).toBe('[1]')
    expect(shown(run(state, { type: 'dropOnNew', op: 'n', tag: tag(2), from: 'n3' }))).toBe('(([1] n []) n [2])')
  })
  test('a rule is added with any operator in one step', () => {
    const state = run(fresh(), { type: 'drop', leaf: 'n1', tag: tag(1) }, { type: 'addRule', op: 'e' })
    expect(shown(state)).toBe('([1] e [])')
    expect(shown(run(state, { type: 'dropOnNew', op: 'u', tag: tag(2) }))).toBe('(([1] e []) u [2])')
    expect(shown(run(state, { type: 'undo' }))).toBe('[1]')
  })
  test('a moved box keeps the cursor, and one undo returns it', () => {
    const two = run(
      fresh(),
      { type: 'drop', leaf: 'n1', tag: tag(1) },
      { type: 'dropOnNew', op: 'e', tag: tag(2) },
      { type: 'moveBox', node: 'n3', to: { beside: 'n1', place: 'before' } },
    )
    expect(shown(two)).toBe('([2] e [1])')
    expect(two.cursor).toEqual({ node: 'n3' })
    expect(shown(run(two, { type: 'undo' }))).toBe('([1] e [2])')
    expect(run(two, { type: 'moveBox', node: 'n3', to: { beside: 'n1', place: 'before' } })).toBe(two)
  })
  test('deleting a rule moves the cursor to its sibling', () => {
    const state = run(
      fresh(),
      { type: 'drop', leaf: 'n1', tag: tag(1) },
      { type: 'addRule', op: 'n' },
      { type: 'deleteRule', node: 'n3' },
    )
    expect(shown(state)).toBe('[1]')
    expect(state.cursor).toEqual({ node: 'n1' })
    expect(run(state, { type: 'deleteRule', node: 'n1' })).toBe(state)
  })
  test('node numbers are never reused, also after undo', () => {
    const state = run(fresh(), { type: 'addRule', op: 'n' }, { type: 'undo' }, { type: 'addRule', op: 'n' })
    expect(nodesOf(state.doc.rule).map((n) => n.id)).toEqual(['n4', 'n1', 'n5'])
  })
  test('removing a tag moves the cursor to the next one, or to its leaf', () => {
    const two = run(fresh(), { type: 'drop', leaf: 'n1', tag: tag(1) }, { type: 'drop', leaf: 'n1', tag: tag(2) })
    const one = run(two, { type: 'removeTag', leaf: 'n1', tag: tag(1) })
    expect(one.cursor).toEqual({ node: 'n1', tag: tag(2) })
    expect(run(one, { type: 'removeTag', leaf: 'n1', tag: tag(2) }).cursor).toEqual({ node: 'n1', tag: undefined })
  })
  test('a loaded rule gets new node ids and can be undone', () => {
    const state = run(fresh(), { type: 'drop', leaf: 'n1', tag: tag(1) })
    const loaded = run(state, {
      type: 'replaceRule',
      rule: run(fresh(), { type: 'dropOnNew', op: 'n', tag: crowd(9) }).doc.rule,
    })
    expect(shown(loaded)).toBe('([] n [9])')
    expect(findNode(loaded.doc.rule, 'n1')).toBeUndefined()
    expect(shown(run(loaded, { type: 'undo' }))).toBe('[1]')
  })
  test('setting the operator of a box changes all nodes drawn as it in one undo step', () => {
    const comb = run(fresh(), { type: 'addRule', op: 'n' }, { type: 'addRule', op: 'n' })
    const state = run(comb, { type: 'setOp', nodes: ['n2', 'n4'], op: 'u' })
    expect(shown(state)).toBe('(([] u []) u [])')
    expect(shown(run(state, { type: 'undo' }))).toBe('(([] n []) n [])')
  })
})

describe('undo and redo', () => {
  test('an action without effect is no undo step', () => {
    const state = run(fresh(), { type: 'drop', leaf: 'n1', tag: tag(1) })
    expect(run(state, { type: 'drop', leaf: 'n1', tag: tag(1) })).toBe(state)
    expect(run(state, { type: 'setOp', nodes: ['n1'], op: 'n' })).toBe(state)
  })
  test('typing a name is one undo step', () => {
    const state = run(fresh(), ...['双', '双1', '双11'].map((name): EditorAction => ({ type: 'fill', form: { name } })))
    expect(state.past).toHaveLength(1)
    expect(run(state, { type: 'undo' }).doc.form.name).toBe('')
    expect(run(state, { type: 'undo' }, { type: 'redo' }).doc.form.name).toBe('双11')
  })
  test('a new step clears redo', () => {
    const state = run(
      fresh(),
      { type: 'addRule', op: 'n' },
      { type: 'undo' },
      { type: 'drop', leaf: 'n1', tag: tag(1) },
    )
    expect(state.future).toEqual([])
  })
  test('undoing to the saved document leaves nothing unsaved', () => {
    const state = run(fresh(), { type: 'addRule', op: 'n' })
    expect(isUnsaved(state)).toBe(true)
    expect(isUnsaved(run(state, { type: 'undo' }))).toBe(false)
    expect(isUnsaved(run(state, { type: 'undo' }, { type: 'redo' }))).toBe(true)
  })
  test('taking over the server’s version counts as saved, and undo restores the viewer’s', () => {
    const mine = run(fresh(), { type: 'drop', leaf: 'n1', tag: tag(1) }, { type: 'fill', form: { name: '我的' } })
    const theirs = openEditor(emptyDocument({ name: '对方的' })).doc
    const state = run(mine, { type: 'takeOver', doc: theirs })
    expect(isUnsaved(state)).toBe(false)
    const back = run(state, { type: 'undo' })
    expect(back.doc).toBe(mine.doc)
    expect(isUnsaved(back)).toBe(true)
  })
  test('the undo history drops its oldest steps', () => {
    let state = fresh()
    for (let i = 1; i <= UNDO_MAX + 20; i++) state = run(state, { type: 'fill', form: { dirId: i } })
    expect(state.past).toHaveLength(UNDO_MAX)
    expect(run(state, { type: 'undo' }).doc.form.dirId).toBe(UNDO_MAX + 19)
  })
})

describe('folding', () => {
  const nested = () =>
    run(
      fresh(),
      { type: 'addRule', op: 'n' },
      { type: 'setOp', nodes: ['n2'], op: 'u' },
      { type: 'addRule', op: 'n' },
      { type: 'focus', cursor: { node: 'n1' } },
    )
  test('folding a box moves the cursor out to it', () => {
    expect(run(nested(), { type: 'fold', node: 'n2', folded: true }).cursor).toEqual({ node: 'n2' })
  })
  test('boxes around the cursor are unfolded', () => {
    const folded = run(nested(), { type: 'fold', node: 'n2', folded: true })
    expect(run(folded, { type: 'focus', cursor: { node: 'n3' } }).folded.size).toBe(0)
    expect(run(folded, { type: 'drop', leaf: 'n1', tag: tag(1) }).folded.size).toBe(0)
  })
  test('a very deeply nested rule opens with its inner boxes folded', () => {
    let state = fresh()
    for (let i = 0; i < 30; i++) {
      state = run(state, { type: 'addRule', op: 'n' })
      state = run(state, { type: 'setOp', nodes: [state.doc.rule.id], op: i % 2 ? 'u' : 'e' })
    }
    expect(openEditor(state.doc).folded.size).toBe(1)
  })
})

describe('properties', () => {
  const id = fc.integer({ min: 1, max: 12 }).map((n) => `n${n}`)
  const op = fc.constantFrom<RuleOp>('n', 'u', 'e')
  const anyTag = fc.oneof(fc.integer({ min: 1, max: 5 }).map(tag), fc.integer({ min: 1, max: 3 }).map(crowd))
  const action: fc.Arbitrary<EditorAction> = fc.oneof(
    fc.record({ type: fc.constant('drop' as const), leaf: id, tag: anyTag }),
    fc.record({ type: fc.constant('dropOnNew' as const), op, tag: anyTag }),
    fc.record({
      type: fc.constant('moveBox' as const),
      node: id,
      to: fc.record({ beside: id, place: fc.constantFrom('before' as const, 'after' as const) }),
    }),
    fc.record({ type: fc.constant('move' as const), from: id, to: id, tag: anyTag }),
    fc.record({ type: fc.constant('removeTag' as const), leaf: id, tag: anyTag }),
    fc.record({
      type: fc.constant('setOp' as const),
      nodes: fc.array(id, { maxLength: 2 }),
      op,
    }),
    fc.record({ type: fc.constant('deleteRule' as const), node: id }),
    fc.record({ type: fc.constant('fill' as const), form: fc.record({ name: fc.string({ maxLength: 3 }) }) }),
    fc.record({ type: fc.constant('fold' as const), node: id, folded: fc.boolean() }),
    fc.constantFrom<EditorAction>({ type: 'addRule', op: 'n' }, { type: 'clear' }, { type: 'undo' }, { type: 'redo' }),
    fc
      .constantFrom('up', 'down', 'left', 'right', 'first', 'last')
      .map((to): EditorAction => ({ type: 'step', to: to as 'up' })),
  )
  const actions = fc.array(action, { maxLength: 40 })

  test('after any actions the rule is valid and the cursor is on a node', () => {
    fc.assert(
      fc.property(actions, (list) => {
        const state = run(fresh(), ...list)
        expect(faultOf(state.doc.rule)).toBeNull()
        const node = findNode(state.doc.rule, state.cursor.node)
        expect(node).toBeDefined()
        const { tag: at } = state.cursor
        if (at) expect(node?.subTags.some((t) => t.id === at.id && t.tag_type === at.tag_type)).toBe(true)
        expect(leavesOf(state.doc.rule).length).toBeGreaterThan(0)
      }),
    )
  })
  test('undoing everything restores the start, redoing everything the end', () => {
    fc.assert(
      fc.property(actions, (list) => {
        const start = fresh()
        const end = run(start, ...list)
        const undone = run(end, ...end.past.map((): EditorAction => ({ type: 'undo' })))
        expect(undone.doc).toBe(start.doc)
        const redone = run(undone, ...undone.future.map((): EditorAction => ({ type: 'redo' })))
        expect(redone.doc).toEqual([end.doc, ...end.future].at(-1))
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faultOf, findNode, leavesOf, nodesOf, type RuleNode, type SubTag } from '#contract/rule.ts'
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
  test('a tag dropped, a rule added, a tag dropped on the new one', () => {
    const state = run(fresh(), { do: 'drop', leaf: 'n1', tag: tag(1) }, { do: 'addRule' })
    expect(shown(state)).toBe('([1] n [])')
    expect(state.spot).toEqual({ node: 'n3' })
    expect(shown(run(state, { do: 'drop', leaf: 'n3', tag: tag(2) }))).toBe('([1] n [2])')
  })
  test('a tag dropped beside the rules makes a rule of its own in one step', () => {
    const state = run(fresh(), { do: 'drop', leaf: 'n1', tag: tag(1) }, { do: 'dropOnNew', tag: tag(2) })
    expect(shown(state)).toBe('([1] n [2])')
    expect(shown(run(state, { do: 'undo' }))).toBe('[1]')
    expect(shown(run(state, { do: 'dropOnNew', tag: tag(2), from: 'n3' }))).toBe('(([1] n []) n [2])')
  })
  test('a deleted rule leaves the focus on its sibling', () => {
    const state = run(
      fresh(),
      { do: 'drop', leaf: 'n1', tag: tag(1) },
      { do: 'addRule' },
      { do: 'deleteRule', node: 'n3' },
    )
    expect(shown(state)).toBe('[1]')
    expect(state.spot).toEqual({ node: 'n1' })
    expect(run(state, { do: 'deleteRule', node: 'n1' })).toBe(state)
  })
  test('a node number is never given twice, also after undo', () => {
    const state = run(fresh(), { do: 'addRule' }, { do: 'undo' }, { do: 'addRule' })
    expect(nodesOf(state.doc.rule).map((n) => n.id)).toEqual(['n4', 'n1', 'n5'])
  })
  test('a removed tag leaves the focus on the next one, the last on its leaf', () => {
    const two = run(fresh(), { do: 'drop', leaf: 'n1', tag: tag(1) }, { do: 'drop', leaf: 'n1', tag: tag(2) })
    const one = run(two, { do: 'removeTag', leaf: 'n1', tag: tag(1) })
    expect(one.spot).toEqual({ node: 'n1', tag: tag(2) })
    expect(run(one, { do: 'removeTag', leaf: 'n1', tag: tag(2) }).spot).toEqual({ node: 'n1', tag: undefined })
  })
  test('a crowd loaded whole comes with ids of its own and can be undone', () => {
    const state = run(fresh(), { do: 'drop', leaf: 'n1', tag: tag(1) })
    const loaded = run(state, {
      do: 'replaceRule',
      rule: run(fresh(), { do: 'dropOnNew', tag: crowd(9) }).doc.rule,
    })
    expect(shown(loaded)).toBe('([] n [9])')
    expect(findNode(loaded.doc.rule, 'n1')).toBeUndefined()
    expect(shown(run(loaded, { do: 'undo' }))).toBe('[1]')
  })
  test('all steps of one box change operator together, as one step of undo', () => {
    const comb = run(fresh(), { do: 'addRule' }, { do: 'addRule' })
    const state = run(comb, { do: 'setOp', nodes: ['n2', 'n4'], op: 'u' })
    expect(shown(state)).toBe('(([] u []) u [])')
    expect(shown(run(state, { do: 'undo' }))).toBe('(([] n []) n [])')
  })
})

describe('undo and redo', () => {
  test('what changes nothing is no step', () => {
    const state = run(fresh(), { do: 'drop', leaf: 'n1', tag: tag(1) })
    expect(run(state, { do: 'drop', leaf: 'n1', tag: tag(1) })).toBe(state)
    expect(run(state, { do: 'setOp', nodes: ['n1'], op: 'n' })).toBe(state)
  })
  test('a name typed letter by letter is one step', () => {
    const state = run(fresh(), ...['双', '双1', '双11'].map((name): EditorAction => ({ do: 'fill', form: { name } })))
    expect(state.past).toHaveLength(1)
    expect(run(state, { do: 'undo' }).doc.form.name).toBe('')
    expect(run(state, { do: 'undo' }, { do: 'redo' }).doc.form.name).toBe('双11')
  })
  test('a new step ends what could be redone', () => {
    const state = run(fresh(), { do: 'addRule' }, { do: 'undo' }, { do: 'drop', leaf: 'n1', tag: tag(1) })
    expect(state.future).toEqual([])
  })
  test('going back to what is saved leaves nothing unsaved', () => {
    const state = run(fresh(), { do: 'addRule' })
    expect(isUnsaved(state)).toBe(true)
    expect(isUnsaved(run(state, { do: 'undo' }))).toBe(false)
    expect(isUnsaved(run(state, { do: 'undo' }, { do: 'redo' }))).toBe(true)
  })
  test('the other one’s version taken over is saved work, and mine is one undo away', () => {
    const mine = run(fresh(), { do: 'drop', leaf: 'n1', tag: tag(1) }, { do: 'fill', form: { name: '我的' } })
    const theirs = openEditor(emptyDocument({ name: '对方的' })).doc
    const state = run(mine, { do: 'takeOver', doc: theirs })
    expect(isUnsaved(state)).toBe(false)
    const back = run(state, { do: 'undo' })
    expect(back.doc).toBe(mine.doc)
    expect(isUnsaved(back)).toBe(true)
  })
  test('a long session forgets its oldest steps, not its newest', () => {
    let state = fresh()
    for (let i = 1; i <= UNDO_MAX + 20; i++) state = run(state, { do: 'fill', form: { dirId: i } })
    expect(state.past).toHaveLength(UNDO_MAX)
    expect(run(state, { do: 'undo' }).doc.form.dirId).toBe(UNDO_MAX + 19)
  })
})

describe('folding', () => {
  const nested = () =>
    run(
      fresh(),
      { do: 'addRule' },
      { do: 'setOp', nodes: ['n2'], op: 'u' },
      { do: 'addRule' },
      { do: 'focus', spot: { node: 'n1' } },
    )
  test('folding a box takes the focus out to it', () => {
    expect(run(nested(), { do: 'fold', node: 'n2', folded: true }).spot).toEqual({ node: 'n2' })
  })
  test('whatever comes into focus is unfolded', () => {
    const folded = run(nested(), { do: 'fold', node: 'n2', folded: true })
    expect(run(folded, { do: 'focus', spot: { node: 'n3' } }).folded.size).toBe(0)
    expect(run(folded, { do: 'drop', leaf: 'n1', tag: tag(1) }).folded.size).toBe(0)
  })
  test('a rule nested very deep opens with its depths folded', () => {
    let state = fresh()
    for (let i = 0; i < 30; i++) {
      state = run(state, { do: 'addRule' })
      state = run(state, { do: 'setOp', nodes: [state.doc.rule.id], op: i % 2 ? 'u' : 'e' })
    }
    expect(openEditor(state.doc).folded.size).toBe(1)
  })
})

describe('laws', () => {
  const id = fc.integer({ min: 1, max: 12 }).map((n) => `n${n}`)
  const anyTag = fc.oneof(fc.integer({ min: 1, max: 5 }).map(tag), fc.integer({ min: 1, max: 3 }).map(crowd))
  const action: fc.Arbitrary<EditorAction> = fc.oneof(
    fc.record({ do: fc.constant('drop' as const), leaf: id, tag: anyTag }),
    fc.record({ do: fc.constant('dropOnNew' as const), tag: anyTag }),
    fc.record({ do: fc.constant('move' as const), from: id, to: id, tag: anyTag }),
    fc.record({ do: fc.constant('removeTag' as const), leaf: id, tag: anyTag }),
    fc.record({
      do: fc.constant('setOp' as const),
      nodes: fc.array(id, { maxLength: 2 }),
      op: fc.constantFrom('n', 'u', 'e'),
    }),
    fc.record({ do: fc.constant('deleteRule' as const), node: id }),
    fc.record({ do: fc.constant('fill' as const), form: fc.record({ name: fc.string({ maxLength: 3 }) }) }),
    fc.record({ do: fc.constant('fold' as const), node: id, folded: fc.boolean() }),
    fc.constantFrom<EditorAction>({ do: 'addRule' }, { do: 'clear' }, { do: 'undo' }, { do: 'redo' }),
    fc
      .constantFrom('up', 'down', 'left', 'right', 'first', 'last')
      .map((to): EditorAction => ({ do: 'step', to: to as 'up' })),
  )
  const actions = fc.array(action, { maxLength: 40 })

  test('after anything the rule is a rule and the focus is on something', () => {
    fc.assert(
      fc.property(actions, (list) => {
        const state = run(fresh(), ...list)
        expect(faultOf(state.doc.rule)).toBeNull()
        const node = findNode(state.doc.rule, state.spot.node)
        expect(node).toBeDefined()
        const { tag: at } = state.spot
        if (at) expect(node?.subTags.some((t) => t.id === at.id && t.tag_type === at.tag_type)).toBe(true)
        expect(leavesOf(state.doc.rule).length).toBeGreaterThan(0)
      }),
    )
  })
  test('undo all the way is the beginning, redo all the way is the end', () => {
    fc.assert(
      fc.property(actions, (list) => {
        const start = fresh()
        const end = run(start, ...list)
        const undone = run(end, ...end.past.map((): EditorAction => ({ do: 'undo' })))
        expect(undone.doc).toBe(start.doc)
        const redone = run(undone, ...undone.future.map((): EditorAction => ({ do: 'redo' })))
        expect(redone.doc).toEqual([end.doc, ...end.future].at(-1))
      }),
    )
  })
})

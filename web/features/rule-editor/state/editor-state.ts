import {
  addRule,
  deleteRule,
  dropTag,
  emptyLeaf,
  findNode,
  leavesOf,
  mayAddRule,
  moveTag,
  nodesOf,
  type RuleNode,
  type RuleOp,
  removeTag,
  type SubTag,
  setOp,
  withNewIds,
} from '#contract/rule.ts'
import { boxOf, deepGroupsOf, pathToBox } from './boxes.ts'
import { type Cursor, type Direction, existingCursor, step } from './cursor.ts'
import { moveBox, type Place, shownBox } from './move-box.ts'

export interface CrowdForm {
  name: string
  /** The last day it is valid, YYYY-MM-DD. */
  day: string | null
  dirId: number | null
}

/** Everything that is saved, and that undo and redo cover. */
export interface CrowdDocument {
  rule: RuleNode
  form: CrowdForm
}

export interface EditorState {
  doc: CrowdDocument
  past: CrowdDocument[]
  future: CrowdDocument[]
  /** The document as the server has it; anything else is unsaved work. */
  base: CrowdDocument
  /** The highest node number used. Numbers are not reused, so a late count never belongs to another node. */
  lastId: number
  cursor: Cursor
  folded: ReadonlySet<string>
  /** The form field being typed in; consecutive typing is one undo step. */
  typing: keyof CrowdForm | null
}

export const UNDO_MAX = 200

export type EditorAction =
  | { type: 'drop'; leaf: string; tag: SubTag }
  | { type: 'dropOnNew'; tag: SubTag; op: RuleOp; from?: string | undefined }
  | { type: 'move'; from: string; to: string; tag: SubTag }
  | { type: 'removeTag'; leaf: string; tag: SubTag }
  | { type: 'setOp'; nodes: string[]; op: RuleOp }
  | { type: 'addRule'; op: RuleOp }
  | { type: 'moveBox'; node: string; to: Place }
  | { type: 'deleteRule'; node: string }
  | { type: 'replaceRule'; rule: RuleNode }
  | { type: 'clear' }
  | { type: 'fill'; form: Partial<CrowdForm> }
  | { type: 'takeOver'; doc: CrowdDocument }
  | { type: 'undo' }
  | { type: 'redo' }
  | { type: 'focus'; cursor: Cursor }
  | { type: 'step'; to: Direction }
  | { type: 'fold'; node: string; folded: boolean }

export const emptyDocument = (form: Partial<CrowdForm> = {}): CrowdDocument => ({
  rule: emptyLeaf('n1'),
  form: { name: '', day: null, dirId: null, ...form },
})

/** Starts with the server's document, or with restored unsaved work, which undo reverts to the server's. */
export function openEditor(base: CrowdDocument, doc: CrowdDocument = base): EditorState {
  return {
    doc,
    past: doc === base ? [] : [base],
    future: [],
    base,
    lastId: Math.max(highestId(base.rule), highestId(doc.rule)),
    cursor: { node: (leavesOf(doc.rule)[0] as RuleNode).id },
    folded: new Set(deepGroupsOf(boxOf(doc.rule))),
    typing: null,
  }
}

export const isUnsaved = (state: EditorState): boolean => state.doc !== state.base
const isFoldedIn = (state: Pick<EditorState, 'folded'>) => (id: string) => state.folded.has(id)

const highestId = (rule: RuleNode): number =>
  Math.max(0, ...nodesOf(rule).map((node) => Number(/^n(\d+)$/.exec(node.id)?.[1] ?? 0)))

/** Adds a document to the history, moves the cursor and unfolds the boxes around it. */
function commit(
  state: EditorState,
  doc: CrowdDocument,
  cursor: Cursor = state.cursor,
  more: Partial<EditorState> = {},
): EditorState {
  if (doc.rule === state.doc.rule && doc.form === state.doc.form) return state
  const past = [...state.past, state.doc].slice(-UNDO_MAX)
  return show({ ...state, typing: null, ...more, past, future: [], doc }, cursor)
}

function show(state: EditorState, wanted: Cursor): EditorState {
  const cursor = existingCursor(state.doc.rule, wanted)
  const around = pathToBox(boxOf(state.doc.rule), cursor.node).slice(0, -1)
  const folded = around.some((box) => state.folded.has(box.node.id))
    ? new Set([...state.folded].filter((id) => !around.some((box) => box.node.id === id)))
    : state.folded
  return { ...state, cursor, folded }
}

const withRule = (state: EditorState, rule: RuleNode, cursor?: Cursor, more?: Partial<EditorState>) =>
  commit(state, { ...state.doc, rule }, cursor, more)

export function reduce(state: EditorState, action: EditorAction): EditorState {
  const { rule } = state.doc
  switch (action.type) {
    case 'drop':
      return withRule(state, dropTag(rule, action.leaf, action.tag), { node: action.leaf })
    case 'dropOnNew': {
      if (!mayAddRule(rule)) return state
      const leaf = `n${state.lastId + 2}`
      const wrapped = addRule(rule, `n${state.lastId + 1}`, leaf, action.op)
      const filled = action.from ? moveTag(wrapped, action.from, leaf, action.tag) : dropTag(wrapped, leaf, action.tag)
      return withRule(state, filled, { node: leaf }, { lastId: state.lastId + 2 })
    }
    case 'move':
      return withRule(state, moveTag(rule, action.from, action.to, action.tag), { node: action.to, tag: action.tag })
    case 'removeTag': {
      const tags = findNode(rule, action.leaf)?.subTags ?? []
      const at = tags.findIndex((t) => t.id === action.tag.id && t.tag_type === action.tag.tag_type)
      const beside = tags[at + 1] ?? tags[at - 1]
      return withRule(state, removeTag(rule, action.leaf, action.tag), { node: action.leaf, tag: beside })
    }
    case 'setOp':
      return withRule(
        state,
        action.nodes.reduce((tree, id) => setOp(tree, id, action.op), rule),
      )
    case 'addRule': {
      if (!mayAddRule(rule)) return state
      const leaf = `n${state.lastId + 2}`
      const wrapped = addRule(rule, `n${state.lastId + 1}`, leaf, action.op)
      return withRule(state, wrapped, { node: leaf }, { lastId: state.lastId + 2 })
    }
    case 'moveBox': {
      const lastId = state.lastId + 1
      const moved = moveBox(rule, action.node, action.to, `n${lastId}`)
      return withRule(state, moved, { node: shownBox(moved, action.node) }, { lastId })
    }
    case 'deleteRule': {
      const parent = nodesOf(rule).find((n) => n.exps.some((child) => child.id === action.node))
      const sibling = parent?.exps.find((child) => child.id !== action.node)
      return withRule(state, deleteRule(rule, action.node), sibling ? { node: sibling.id } : state.cursor)
    }
    case 'replaceRule': {
      let lastId = state.lastId
      const copy = withNewIds(action.rule, () => `n${++lastId}`)
      const folded = new Set(deepGroupsOf(boxOf(copy)))
      return withRule(state, copy, { node: (leavesOf(copy)[0] as RuleNode).id }, { lastId, folded })
    }
    case 'clear': {
      const leaf = `n${state.lastId + 1}`
      return withRule(state, emptyLeaf(leaf), { node: leaf }, { lastId: state.lastId + 1 })
    }
    case 'fill': {
      const form = { ...state.doc.form, ...action.form }
      const [field] = Object.keys(action.form) as (keyof CrowdForm)[]
      if (!field || form[field] === state.doc.form[field]) return state
      if (state.typing === field && field === 'name' && state.past.length > 0) {
        return { ...state, doc: { ...state.doc, form }, future: [] }
      }
      return commit(state, { ...state.doc, form }, state.cursor, { typing: field })
    }
    case 'takeOver': {
      const lastId = Math.max(state.lastId, highestId(action.doc.rule))
      return commit(state, action.doc, state.cursor, { base: action.doc, lastId })
    }
    case 'undo': {
      const doc = state.past.at(-1)
      if (!doc) return state
      const future = [state.doc, ...state.future]
      return show({ ...state, doc, past: state.past.slice(0, -1), future, typing: null }, state.cursor)
    }
    case 'redo': {
      const [doc, ...future] = state.future
      if (!doc) return state
      return show({ ...state, doc, past: [...state.past, state.doc], future, typing: null }, state.cursor)
    }
    case 'focus':
      return { ...show(state, action.cursor), typing: null }
    case 'step':
      return { ...state, cursor: step(rule, state.cursor, action.to, isFoldedIn(state)), typing: null }
    case 'fold': {
      const folded = new Set(state.folded)
      if (action.folded) folded.add(action.node)
      else folded.delete(action.node)
      // The cursor cannot stay inside a folded box.
      const isInside = pathToBox(boxOf(rule), state.cursor.node).some((box) => box.node.id === action.node)
      return { ...state, folded, cursor: action.folded && isInside ? { node: action.node } : state.cursor }
    }
  }
}

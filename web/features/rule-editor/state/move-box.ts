import { isLeaf, type RuleNode, type RuleOp } from '#contract/rule.ts'
import { type Box, boxOf, pathToBox } from './boxes.ts'

/** A place among the parts of a box: before or after one of them. */
export interface Place {
  beside: string
  place: 'before' | 'after'
}

const isWithin = (box: Box, id: string): boolean =>
  box.node.id === id || (box.kind === 'group' && box.parts.some((part) => isWithin(part, id)))

/** The box that is drawn for a node, and the one around it; null for the whole rule and for a step within a box. */
export function partOf(rule: RuleNode, id: string) {
  const path = pathToBox(boxOf(rule), id)
  const [around, box] = path.slice(-2)
  return box?.node.id === id && around?.kind === 'group' ? { box, around, path } : null
}

/** Whether a box can be moved beside another: neither is the whole rule, and the other is not in it. */
export function mayMove(rule: RuleNode, id: string, beside: string): boolean {
  const moved = partOf(rule, id)
  return moved !== null && partOf(rule, beside) !== null && !isWithin(moved.box, beside)
}

/**
 * Moves a box before or after another. There it takes the operator of the box around it. A box that is left with one
 * part is replaced by that part. Returns the same rule if nothing changes. `newId`: the node by which a box grows.
 */
export function moveBox(rule: RuleNode, id: string, { beside, place }: Place, newId: string): RuleNode {
  if (!mayMove(rule, id, beside)) return rule
  const moved = partOf(rule, id)?.box.node as RuleNode

  const rebuilt = (box: Box): RuleNode[] => {
    if (box.node.id === id) return []
    if (box.kind === 'leaf') return [box.node]
    const parts = box.parts.flatMap((part) => {
      const kept = rebuilt(part)
      if (part.node.id !== beside) return kept
      return place === 'before' ? [moved, ...kept] : [...kept, moved]
    })
    // The outermost step keeps its id, since it is that of the box.
    const steps = [{ ...emptyStep, id: newId }, ...box.steps].slice(1 - parts.length)
    return [combOf(box.op, steps, parts)]
  }
  return rebuilt(boxOf(rule))[0] as RuleNode
}

const emptyStep: RuleNode = { id: '', op: null, subTags: [], exps: [] }

/** ((a op b) op c). A step whose children have not changed stays the same object. */
function combOf(op: RuleOp, steps: readonly RuleNode[], parts: readonly RuleNode[]): RuleNode {
  return parts.reduce((left, right, i) => {
    const step = steps[i - 1] as RuleNode
    const isSame = step.op === op && step.exps[0] === left && step.exps[1] === right
    return isSame ? step : { ...step, op, exps: [left, right] }
  })
}

/** Where a box goes by keyboard: left and right past its neighbour, up out of its box, down into the box beside it. */
export function placeBeside(rule: RuleNode, id: string, to: 'left' | 'right' | 'up' | 'down'): Place | null {
  const part = partOf(rule, id)
  if (!part) return null
  const { parts } = part.around
  const at = parts.indexOf(part.box)
  const [previous, next] = [parts[at - 1], parts[at + 1]]
  switch (to) {
    case 'left':
      return previous ? { beside: previous.node.id, place: 'before' } : null
    case 'right':
      return next ? { beside: next.node.id, place: 'after' } : null
    case 'up':
      return part.path.length > 2 ? { beside: part.around.node.id, place: at === 0 ? 'before' : 'after' } : null
    case 'down':
      if (next?.kind === 'group') return { beside: (next.parts[0] as Box).node.id, place: 'before' }
      if (previous?.kind === 'group') return { beside: (previous.parts.at(-1) as Box).node.id, place: 'after' }
      return null
  }
}

/** The box in which a node is drawn: a moved box may have become a step of the box around it. */
export const shownBox = (rule: RuleNode, id: string): string => pathToBox(boxOf(rule), id).at(-1)?.node.id ?? id

/** 规则 2 or 规则 2 到 4, in reading order. */
export function numbersOf(rule: RuleNode, id: string): string {
  let count = 0
  const find = (node: RuleNode): string | null => {
    const before = count
    if (isLeaf(node)) {
      count++
      return node.id === id ? `规则 ${count}` : null
    }
    const found = node.exps.map(find).find((words) => words !== null) ?? null
    return found ?? (node.id === id ? `规则 ${before + 1} 到 ${count}` : null)
  }
  return find(rule) ?? ''
}

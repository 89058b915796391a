import { pointerIntersection } from '@dnd-kit/collision'
import { Accessibility, PointerActivationConstraints, PointerSensor } from '@dnd-kit/dom'
import type { DragDropProvider } from '@dnd-kit/react'
import type { ComponentProps } from 'react'
import { dropOutcome, mayAddRule, type RuleNode } from '#contract/rule.ts'
import type { ShownTag } from './shown-tags.ts'

/** What a dragged thing carries: a tag, and the leaf it is dragged out of when it comes from one. */
export interface DragLoad {
  shown: ShownTag
  from?: string | undefined
}

/** The place under the canvas that makes a rule of what is dropped on it. */
export const NEW_RULE = 'new-rule'
export const leafDropId = (leaf: string) => `leaf:${leaf}`

export const isLoad = (data: unknown): data is DragLoad => typeof data === 'object' && data !== null && 'shown' in data

/** What dropping here would do, in words; `takes` says whether the place lights up. */
export interface DropHint {
  takes: boolean
  words: string
}

export function hintFor(leaf: RuleNode, { shown, from }: DragLoad): DropHint {
  if (from === leaf.id) return { takes: false, words: '原来的位置' }
  const outcome = dropOutcome(leaf, shown)
  if ('refuses' in outcome) return { takes: false, words: outcome.refuses }
  if (outcome.does === 'nothing') return { takes: false, words: '已在此规则中' }
  const verb = from ? '移到此规则' : '加入此规则'
  if (shown.tag_type === 3) return { takes: true, words: from ? '移到此规则' : '设为历史人群' }
  if (leaf.subTags.length === 0) return { takes: true, words: verb }
  const joins = { n: '，取交集', u: '，取并集', e: '，从中去掉' }
  return { takes: true, words: `${verb}${joins[leaf.op ?? 'n']}` }
}

export const hintForNew = (rule: RuleNode, { from }: DragLoad): DropHint =>
  mayAddRule(rule)
    ? { takes: true, words: from ? '移到一条新规则，与以上取交集' : '新建一条规则，与以上取交集' }
    : { takes: false, words: '一个人群最多包含 64 条规则' }

const sensors = [
  PointerSensor.configure({
    activationConstraints: (event) =>
      event.pointerType === 'touch'
        ? [new PointerActivationConstraints.Delay({ value: 250, tolerance: 5 })]
        : [new PointerActivationConstraints.Distance({ value: 5 })],
    // Rows and chips have buttons in them; a press on one is a press.
    preventActivation: (event) => event.target instanceof Element && event.target.closest('[data-no-drag]') !== null,
  }),
]

/**
 * The keyboard has ways of its own here (Enter on a tag, cut and paste of a chip), so the library's keyboard sensor and
 * the roles it would put on what can be dragged are left out.
 */
export const dragSettings: Pick<ComponentProps<typeof DragDropProvider>, 'sensors' | 'plugins'> = {
  sensors,
  plugins: (defaults) => defaults.filter((plugin) => plugin !== Accessibility),
}

/** The pointer decides where a thing lands, not the edge of what it drags; what is scrolled out of the canvas is no place. */
export const collisionDetector: typeof pointerIntersection = (input) => {
  const { current } = input.dragOperation.position
  const element = 'element' in input.droppable ? input.droppable.element : null
  const view = element instanceof Element ? element.closest('[data-canvas]')?.getBoundingClientRect() : undefined
  const isOut =
    view && (current.x < view.left || current.x > view.right || current.y < view.top || current.y > view.bottom)
  return isOut ? null : pointerIntersection(input)
}

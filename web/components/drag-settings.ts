import { pointerIntersection } from '@dnd-kit/collision'
import { Accessibility, PointerActivationConstraints, PointerSensor } from '@dnd-kit/dom'
import type { DragDropProvider } from '@dnd-kit/react'
import type { ComponentProps } from 'react'

const sensors = [
  PointerSensor.configure({
    activationConstraints: (event) =>
      event.pointerType === 'touch'
        ? [new PointerActivationConstraints.Delay({ value: 250, tolerance: 5 })]
        : [new PointerActivationConstraints.Distance({ value: 5 })],
    // What is dragged has buttons in it; a press on one is a press.
    preventActivation: (event) => event.target instanceof Element && event.target.closest('[data-no-drag]') !== null,
  }),
]

/**
 * How things are dragged everywhere. The keyboard has ways of its own for what dragging does (Enter on a tag, cut and
 * paste of a chip, a folder's menu), so the library's keyboard sensor and the roles it would put on what can be dragged
 * are left out.
 */
export const dragSettings: Pick<ComponentProps<typeof DragDropProvider>, 'sensors' | 'plugins'> = {
  sensors,
  plugins: (defaults) => defaults.filter((plugin) => plugin !== Accessibility),
}

/** The pointer decides where a thing lands, not the edge of what it drags; what is scrolled out of its `data-drop-view` is no place. */
export const collisionDetector: typeof pointerIntersection = (input) => {
  const { current } = input.dragOperation.position
  const element = 'element' in input.droppable ? input.droppable.element : null
  const view = element instanceof Element ? element.closest('[data-drop-view]')?.getBoundingClientRect() : undefined
  const isOut =
    view && (current.x < view.left || current.x > view.right || current.y < view.top || current.y > view.bottom)
  return isOut ? null : pointerIntersection(input)
}

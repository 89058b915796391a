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
    // Draggable things contain buttons; pressing one does not drag.
    preventActivation: (event) => event.target instanceof Element && event.target.closest('[data-no-drag]') !== null,
  }),
]

/**
 * Settings of all dragging. The keyboard has other ways to do the same (Enter on a tag, cut and
 * paste of a chip, a folder's menu), so the library's keyboard sensor and its ARIA roles
 * are off.
 */
export const dragSettings: Pick<ComponentProps<typeof DragDropProvider>, 'sensors' | 'plugins'> = {
  sensors,
  plugins: (defaults) => defaults.filter((plugin) => plugin !== Accessibility),
}

/** The drop target is the one under the pointer. Targets scrolled out of their `data-drop-view` do not count. */
export const collisionDetector: typeof pointerIntersection = (input) => {
  const { current } = input.dragOperation.position
  const element = 'element' in input.droppable ? input.droppable.element : null
  const view = element instanceof Element ? element.closest('[data-drop-view]')?.getBoundingClientRect() : undefined
  const isOut =
    view && (current.x < view.left || current.x > view.right || current.y < view.top || current.y > view.bottom)
  return isOut ? null : pointerIntersection(input)
}

import { DragDropProvider, type DragEndEvent } from '@dnd-kit/react'
import { type ReactNode, useState } from 'react'
import type { RuleNode } from '#contract/rule.ts'
import { dragSettings } from '../../../components/drag-settings.ts'
import { DragGhost } from './DragGhost.tsx'

/** Lets tags be dragged from the panel and within the canvas, and boxes within it. */
export function TagDragging({
  rule,
  onDragEnd,
  children,
}: {
  rule: RuleNode
  onDragEnd: (event: DragEndEvent) => void
  children: ReactNode
}) {
  const [grab, setGrab] = useState({ x: 0, y: 0 })
  return (
    <DragDropProvider
      {...dragSettings}
      onDragStart={({ operation }) => {
        const box = operation.source?.element?.getBoundingClientRect()
        const { x, y } = operation.position.initial
        if (box) setGrab({ x: x - box.left, y: y - box.top })
      }}
      onDragEnd={onDragEnd}
    >
      {children}
      <DragGhost grab={grab} rule={rule} />
    </DragDropProvider>
  )
}

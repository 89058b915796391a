import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { afterPage, useAfterPage } from '../../components/later.tsx'
import type * as dragParts from './drag-parts.ts'
import { FolderRow } from './FolderRow.tsx'
import { TreeHead } from './TreeHead.tsx'

const DRAGGING = afterPage(() => import('./drag-parts.ts'))

/** The same parts without dragging. */
const STILL = {
  FolderDragging: ({ children }: { children: ReactNode }) => children,
  DroppableHead: TreeHead,
  DraggableFolder: FolderRow,
}

/** What would be lost if the tree were mounted anew. */
const BUSY = '.ant-input:focus, .ant-dropdown-open'

/**
 * The parts of the tree: those that can be dragged once their code has arrived and the pointer moves over the panel. Only
 * a pointer drags folders.
 */
export function useDragParts(panel: RefObject<HTMLElement | null>): typeof STILL | typeof dragParts {
  const loaded = useAfterPage(DRAGGING)
  const [parts, setParts] = useState<typeof STILL | typeof dragParts>(loaded ?? STILL)
  useEffect(() => {
    const element = panel.current
    if (!loaded || parts === loaded || !element) return
    const take = ({ buttons }: PointerEvent) => {
      // At once and while nothing is pressed: a click would be lost with the old element.
      if (buttons === 0 && !element.querySelector(BUSY)) flushSync(() => setParts(loaded))
    }
    element.addEventListener('pointermove', take)
    return () => element.removeEventListener('pointermove', take)
  }, [loaded, parts, panel])
  return parts
}

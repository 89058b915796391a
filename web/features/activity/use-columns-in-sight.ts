import type { GetRef, Table } from 'antd'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { Column } from '#contract/activity-columns.ts'
import { columnWindow, type DrawnPart } from './column-window.ts'

/** The window moves by so many pixels, and reaches as far beyond what is in sight. */
const STEP = 240
/** The parts of antd's table that scroll with its columns and are there with and without rows. */
const HEAD = '.ant-table-header, .ant-table-content'
const BODY = '.ant-table-body'

/** Sorting is reached by the keyboard. */
const isKept = ({ key }: Column) => key === 'created_at'

/**
 * The columns to draw of a table that scrolls sideways: antd draws only the rows in sight, but all their columns.
 * `beside`: px that the fixed columns take.
 */
export function useColumnsInSight<C extends Column>(
  frame: RefObject<HTMLDivElement | null>,
  columns: readonly C[],
  beside: number,
): { parts: DrawnPart<C>[]; table: RefObject<GetRef<typeof Table> | null> } {
  const table = useRef<GetRef<typeof Table>>(null)
  const [sight, setSight] = useState(() => ({ from: -STEP, to: window.innerWidth + STEP }))
  useEffect(() => {
    const node = frame.current
    if (!node) return
    const look = () => {
      const head = node.querySelector(HEAD)
      if (!head) return
      const start = Math.floor(head.scrollLeft / STEP) * STEP
      const room = Math.ceil((head.clientWidth - beside) / STEP + 1) * STEP
      const next = { from: start - STEP, to: start + room + STEP }
      setSight((now) => (now.from === next.from && now.to === next.to ? now : next))
    }
    const onScroll = ({ target }: Event) => {
      if (!(target instanceof HTMLElement) || !target.matches(HEAD)) return
      followHead(target, node.querySelector<HTMLElement>(BODY), table.current)
      look()
    }
    // Scrolling does not bubble.
    node.addEventListener('scroll', onScroll, true)
    const watch = new ResizeObserver(look)
    watch.observe(node)
    return () => {
      node.removeEventListener('scroll', onScroll, true)
      watch.disconnect()
    }
  }, [frame, beside])
  const parts = useMemo(() => columnWindow(columns, sight, isKept), [columns, sight])
  return { parts, table }
}

/** The browser scrolls the head to a heading that takes the focus; antd's rows follow only a wheel. */
function followHead(head: HTMLElement, body: HTMLElement | null, table: GetRef<typeof Table> | null) {
  if (body) body.scrollLeft = head.scrollLeft
  // Rows that are drawn as they come into sight scroll by themselves; antd's types do not name the way.
  else table?.scrollTo({ left: head.scrollLeft } as object)
}

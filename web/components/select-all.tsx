import type { ReactNode } from 'react'

/** antd repeats a table's head, hidden, to measure its columns; the copy of this checkbox must not take the focus. */
const leaveFocus = (span: HTMLSpanElement | null) => {
  if (span?.closest('tr[aria-hidden="true"]')) span.inert = true
}

// A component of its own: on the copy antd takes away the ref of the title itself.
const SelectAll = ({ children }: { children: ReactNode }) => <span ref={leaveFocus}>{children}</span>

/** `columnTitle` of a table with a row selection. */
export const selectAll = (checkbox: ReactNode) => <SelectAll>{checkbox}</SelectAll>

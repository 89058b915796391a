import { Form } from 'antd'
import type { ReactNode } from 'react'
import type { DefinitionDraft } from './definition-draft.ts'

export interface DefinitionProps {
  advId: number
  draft: DefinitionDraft
  set: (change: Partial<DefinitionDraft>) => void
  /** By field; shown after the first attempt to save. */
  problems: Record<string, string>
}

/** One row of a definition, with what is wrong with it. */
export function DefinitionRow(props: {
  label: string
  problem?: string | undefined
  note?: string | null
  children: ReactNode
}) {
  const { label, problem, note = null, children } = props
  return (
    <Form.Item label={label} extra={note} {...(problem ? { validateStatus: 'error' as const, help: problem } : {})}>
      {children}
    </Form.Item>
  )
}

import { Form } from 'antd'
import type { ReactNode } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import type { listFields } from '#contract/tag.ts'
import type { DefinitionDraft } from './definition-draft.ts'

export interface DefinitionProps {
  draft: DefinitionDraft
  set: (change: Partial<DefinitionDraft>) => void
  fields: DataOf<typeof listFields>
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

/** `display（name）` if the display name differs. */
export const labelOf = (field: { name: string; display_name: string }): string =>
  field.display_name && field.display_name !== field.name ? `${field.display_name}（${field.name}）` : field.name

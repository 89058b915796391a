import { Form, Tag } from 'antd'
import type { ReactNode } from 'react'
import { Sentence } from '../../../domain/outcome/Sentence.tsx'
import styles from '../editor.module.css'
import { useEditing } from '../editor-context.ts'

/** Where a field stands, to scroll to it. */
export const fieldId = (field: string) => `targeting-${field}`

/**
 * A field beside its label, or a wide one under it, with what is wrong with it; nothing where the other choices leave no
 * room for it. `with`: another field that the same control edits.
 */
export function EditorField(props: { field: string; with?: string; isWide?: boolean; children: ReactNode }) {
  const { field, with: other, isWide = false, children } = props
  const { editor, form, faults } = useEditing()
  if (!editor.isShown(field, form)) return null
  const note = editor.labelNote(field)
  const fault = faults.find((one) => one.field === field || one.field === other)
  const item = (
    <Form.Item
      {...(note && { colon: false })}
      {...(isWide && { layout: 'vertical' as const, labelCol: {} })}
      label={
        <span className={styles.label}>
          {editor.fields[field]?.label}
          {note && <Tag>{note}</Tag>}
        </span>
      }
      {...(fault && { validateStatus: 'error' as const, help: <Sentence outcome={fault.reason} /> })}
    >
      {children}
    </Form.Item>
  )
  // antd drops the id of a Form.Item.
  return <div id={fieldId(field)}>{other ? <div id={fieldId(other)}>{item}</div> : item}</div>
}

import { useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useState } from 'react'
import { type DictionaryEntry, getPropertyValues, listFieldValues } from '#contract/tag-field.ts'
import { footerOf } from '../../components/dialog-footer.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import text from '../../components/text.module.css'
import { useAskLeave } from '../../components/use-ask-close.ts'
import { useFocusBack } from '../../components/use-focus-back.ts'
import { DictionaryEditor } from '../../domain/tag/DictionaryEditor.tsx'
import { type DictionaryRow, entriesOf, problemsOfRows, rowsOfDictionary } from '../../domain/tag/dictionary-draft.ts'
import { queryOf } from '../../lib/query.ts'

interface Props {
  advId: number
  event: string
  property: string
  /** The entries that were changed here and are not saved yet. */
  changed: readonly DictionaryEntry[] | undefined
  onSave: (entries: DictionaryEntry[]) => void
  onClose: () => void
}

/** Names for the values of one property of an event; they are saved with the event. */
export function PropertyValuesDialog({ advId, event, property, changed, onSave, onClose }: Props) {
  const stored = useQuery({
    ...queryOf(getPropertyValues, { query: { adv_id: advId, name: event, property } }),
    meta: { inPlace: true },
    gcTime: 0,
  })
  const values = useQuery({
    ...queryOf(listFieldValues, { query: { adv_id: advId, event, property } }),
    meta: { silent: 'optional' },
  })
  const [edited, setEdited] = useState<DictionaryRow[] | null>(null)
  const [lines, setLines] = useState('')
  const [first] = useState(() => changed && rowsOfDictionary(changed))
  const rows = edited ?? first ?? null
  const problems = problemsOfRows(rows ?? [])
  useFocusBack()
  const { askClose } = useAskLeave(edited !== null || lines !== '', onClose)
  const save = () => {
    if (edited) onSave(entriesOf(edited))
    onClose()
  }
  return (
    <Modal
      open
      width={560}
      title={`「${property}」的值的名称`}
      onCancel={askClose}
      footer={footerOf(onClose)}
      onOk={save}
      okButtonProps={{ disabled: problems.size > 0 || stored.data === undefined }}
    >
      <QueryState query={stored} errorTitle="值的名称加载失败">
        {({ dictionary }) => (
          <DictionaryEditor
            rows={rows ?? rowsOfDictionary(dictionary)}
            onChange={setEdited}
            lines={lines}
            onLines={setLines}
            values={(values.data?.list ?? []).flatMap(({ value, is_masked }) => (is_masked ? [] : [value]))}
          />
        )}
      </QueryState>
      <p className={text.hint}>标签的条件和说明都用这个名称。</p>
    </Modal>
  )
}

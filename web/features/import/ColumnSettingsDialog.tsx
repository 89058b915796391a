import { Form, Input, Modal, Select } from 'antd'
import { useState } from 'react'
import type { ColumnSettings, ImportKind } from '#contract/import.ts'
import { DISPLAY_NAME_MAX } from '#contract/tag-field.ts'
import { footerOf } from '../../components/dialog-footer.tsx'
import space from '../../components/space.module.css'
import { FormInput, useAskClose } from '../../components/use-ask-close.ts'
import { useFocusBack } from '../../components/use-focus-back.ts'
import { DictionaryEditor } from '../../domain/tag/DictionaryEditor.tsx'
import { entriesOf, problemsOfRows, rowsOfDictionary } from '../../domain/tag/dictionary-draft.ts'
import { GUESSED, type TypeChoice, typeOfChoice, typeOptions } from '../../domain/tag/field-types.ts'

const NAME_MAX = 200

interface Fields {
  name: string
  display_name: string
  type: TypeChoice
}

interface Props {
  kind: ImportKind
  /** The column's name in the file. */
  column: string
  settings: ColumnSettings | undefined
  /** Values of the first lines, to be named. */
  values: readonly string[]
  onSave: (settings: ColumnSettings) => void
  onClose: () => void
}

/** Name, type and names of values with which a column is stored. */
export function ColumnSettingsDialog({ kind, column, settings, values, onSave, onClose }: Props) {
  const [form] = Form.useForm<Fields>()
  const [rows, setRows] = useState(() => rowsOfDictionary(settings?.dictionary ?? []))
  const [lines, setLines] = useState('')
  useFocusBack()
  const { askClose, watch } = useAskClose(onClose)
  const what = kind === 'users' ? '属性' : '事件属性'
  const problems = problemsOfRows(rows)
  const save = ({ name, display_name, type }: Fields) => {
    const dictionary = entriesOf(rows)
    const chosen = typeOfChoice(type)
    onSave({
      column,
      ...(name.trim() !== '' && name.trim() !== column ? { name: name.trim() } : {}),
      ...(display_name.trim() ? { display_name: display_name.trim() } : {}),
      ...(chosen ? { type: chosen } : {}),
      ...(dictionary.length > 0 ? { dictionary } : {}),
    })
    onClose()
  }
  return (
    <Modal
      open
      width={560}
      title={`列「${column}」`}
      onCancel={askClose}
      footer={footerOf(onClose)}
      onOk={form.submit}
      okButtonProps={{ disabled: problems.size > 0 }}
    >
      <Form<Fields>
        form={form}
        layout="vertical"
        requiredMark={false}
        className={space.dialogForm}
        initialValues={{
          name: settings?.name ?? column,
          display_name: settings?.display_name ?? '',
          type: settings?.type ?? GUESSED,
        }}
        onFinish={save}
      >
        <FormInput watch={watch} more={[entriesOf(rows), lines]} />
        <Form.Item name="name" label={`存为${what}`} extra="与已有的属性同名时存入该属性；导入后不能修改。">
          <Input maxLength={NAME_MAX} placeholder={column} />
        </Form.Item>
        <Form.Item name="display_name" label="显示名称" extra="不填则用属性名；导入后可在「属性与事件」中修改。">
          <Input maxLength={DISPLAY_NAME_MAX} placeholder={column} />
        </Form.Item>
        <Form.Item name="type" label="类型">
          <Select options={typeOptions(null)} />
        </Form.Item>
        <Form.Item
          label="值的名称"
          extra={
            kind === 'users' ? '有名称的值各成一个标签，标签和规则都用这个名称。' : '标签的条件和说明都用这个名称。'
          }
        >
          <DictionaryEditor rows={rows} onChange={setRows} values={values} lines={lines} onLines={setLines} />
        </Form.Item>
      </Form>
    </Modal>
  )
}

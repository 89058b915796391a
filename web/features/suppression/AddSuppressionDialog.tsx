import { Alert, App, Form, Input, Select } from 'antd'
import { type ComponentRef, useRef, useState } from 'react'
import { IDENTIFIERS, IdentifierType } from '#contract/identifier.ts'
import { addSuppression, listSuppression } from '#contract/suppression.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import space from '../../components/space.module.css'
import { formatCount } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import { additionWords } from './addition-words.ts'
import { useAskedAddition } from './use-addition.ts'

interface Fields {
  type: IdentifierType
  lines: string
  note?: string
}

const TYPES = IdentifierType.options.map((value) => ({ value, label: IDENTIFIERS[value].label }))
const FAULTS_SHOWN = 5

/** Empty lines are left out. */
const linesOf = (typed: string): string[] =>
  typed
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** One identifier per line. Malformed lines are listed and stay in the field; the others are added. */
export function AddSuppressionDialog({ advId, onClose }: { advId: number; onClose: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Fields>()
  const [faults, setFaults] = useState<{ line: number; reason: string }[]>([])
  const field = useRef<ComponentRef<typeof Input.TextArea>>(null)
  const type = Form.useWatch('type', form)
  const ask = useAskedAddition()
  const add = useAction(addSuppression, [listSuppression], { meta: { quiet: true } })

  const save = async ({ type, lines, note }: Fields) => {
    const given = linesOf(lines)
    const done = await ask((confirm) =>
      add.mutateAsync({
        body: { adv_id: advId, type, lines: given, note: note?.trim() ?? '', ...(confirm ? { confirm } : {}) },
      }),
    )
    if (!done) return
    const { malformed } = done
    const said = additionWords(done)
    if (malformed.length === 0) {
      message.success(said)
      onClose()
      return
    }
    if (said !== '') message.success(said)
    // Added lines leave the field, so the remaining lines are numbered again.
    form.setFieldsValue({ lines: malformed.map((fault) => given[fault.line - 1] ?? '').join('\n') })
    setFaults(malformed.map((fault, i) => ({ ...fault, line: i + 1 })))
    // Shows the first malformed line, not the end of the text.
    field.current?.resizableTextArea?.textArea.scrollTo({ top: 0 })
  }

  return (
    <FormDialog<Fields>
      title="加入屏蔽名单"
      width={560}
      form={form}
      isBusy={add.isPending}
      initialValues={{ type: 'HASH_MOBILE_PHONE' }}
      refusalUnder="lines"
      onSave={save}
      onCancel={onClose}
    >
      <Form.Item name="type" label="标识类型" extra={type && IDENTIFIERS[type].description}>
        <Select options={TYPES} />
      </Form.Item>
      <Form.Item
        name="lines"
        label="标识"
        extra="每行一个；手机号可以直接填写 11 位号码，会以两种加密形式保存。"
        rules={[{ required: true, whitespace: true, message: '请输入标识' }]}
        validateTrigger="onSubmit"
      >
        <Input.TextArea ref={field} rows={8} spellCheck={false} onChange={() => setFaults([])} />
      </Form.Item>
      {faults.length > 0 && (
        <Alert
          type="warning"
          showIcon
          className={space.above}
          title={`${formatCount(faults.length)} 行无效，已留在上面，请修改或删除`}
          description={
            <>
              {faults.slice(0, FAULTS_SHOWN).map((fault) => (
                <div key={fault.line}>
                  第 {fault.line} 行：{fault.reason}
                </div>
              ))}
              {faults.length > FAULTS_SHOWN && <div>另有 {formatCount(faults.length - FAULTS_SHOWN)} 行</div>}
            </>
          }
        />
      )}
      <Form.Item name="note" label="备注">
        <Input maxLength={200} placeholder="例如：投诉用户" />
      </Form.Item>
    </FormDialog>
  )
}

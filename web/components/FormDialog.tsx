import { App, Form, type FormInstance, Modal } from 'antd'
import { type ReactNode, useId } from 'react'
import { useOnce } from '../lib/once.ts'
import { footerOf } from './dialog-footer.tsx'
import space from './space.module.css'
import { FormInput, useAskClose } from './use-ask-close.ts'
import { useFocusBack } from './use-focus-back.ts'

type FieldOf<Values> = keyof Values & string

interface Props<Values extends object> {
  title: string
  /** Of the button that saves; 确定 unless told. */
  okText?: string
  isBusy: boolean
  /** What it does cannot be undone. */
  isDangerous?: boolean
  width?: number
  initialValues?: Partial<Values>
  form?: FormInstance<Values>
  onSave: (values: Values) => unknown
  onCancel: () => void
  /** The field under which a refusal is shown, which may depend on it; without one a popup shows it. */
  refusalUnder?: FieldOf<Values> | ((refusal: unknown) => FieldOf<Values> | null)
  children: ReactNode
}

/**
 * A form in a dialog: Enter or its button submits complete values. Mount it only while it is open, otherwise it keeps
 * its values for the next item. Esc, ✕ and a click beside it ask before input is lost.
 */
export function FormDialog<Values extends object>(props: Props<Values>) {
  const {
    title,
    okText,
    isBusy,
    isDangerous = false,
    width = 480,
    initialValues,
    onSave,
    onCancel,
    refusalUnder,
    children,
  } = props
  const [form] = Form.useForm(props.form as FormInstance | undefined)
  const { message } = App.useApp()
  const id = useId()
  useFocusBack()
  const { askClose, watch } = useAskClose(onCancel)
  const saveOnce = useOnce(onSave)
  const save = async (values: Values) => {
    try {
      await saveOnce(values)
    } catch (error) {
      // Nearly always a name that is taken: shown under the field, not in a popup.
      if (!refusalUnder) throw error
      const name = typeof refusalUnder === 'function' ? refusalUnder(error) : refusalUnder
      const reason = (error as Error).message || '操作失败'
      if (name === null) message.error(reason)
      else form.setFields([{ name, errors: [reason] }])
    }
  }
  return (
    <Modal
      open
      width={width}
      title={title}
      onCancel={askClose}
      footer={footerOf(onCancel)}
      // The button is outside the form; as its submit button Enter in a field presses it.
      okButtonProps={{ htmlType: 'submit', form: id, danger: isDangerous }}
      confirmLoading={isBusy}
      {...(okText === undefined ? {} : { okText })}
    >
      <Form
        id={id}
        form={form}
        layout="vertical"
        requiredMark={false}
        preserve={false}
        className={space.dialogForm}
        initialValues={initialValues}
        onFinish={save}
        // What was wrong with a field when it was submitted is not said of what is filled in afterwards.
        onValuesChange={(changed) => form.setFields(Object.keys(changed).map((name) => ({ name, errors: [] })))}
      >
        <FormInput watch={watch} />
        {children}
      </Form>
    </Modal>
  )
}

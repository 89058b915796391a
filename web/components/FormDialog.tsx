import { Form, type FormInstance, Modal } from 'antd'
import { type ReactNode, useId } from 'react'
import space from './space.module.css'
import { useFocusBack } from './use-focus-back.ts'

interface Props<Values extends object> {
  title: string
  isBusy: boolean
  width?: number
  initialValues?: Partial<Values>
  form?: FormInstance<Values>
  onSave: (values: Values) => unknown
  onCancel: () => void
  /** The field under which a refusal is shown; without it the popup shows it. */
  refusalUnder?: keyof Values & string
  children: ReactNode
}

/**
 * A form in a dialog: Enter or its button submits complete values. Mount it only while it is open, otherwise it keeps
 * its values for the next item.
 */
export function FormDialog<Values extends object>(props: Props<Values>) {
  const { title, isBusy, width = 480, initialValues, onSave, onCancel, refusalUnder, children } = props
  const [form] = Form.useForm(props.form as FormInstance | undefined)
  const id = useId()
  useFocusBack()
  const save = async (values: Values) => {
    try {
      await onSave(values)
    } catch (error) {
      // Nearly always a name that is taken: shown under the field, not in a popup.
      if (refusalUnder) form.setFields([{ name: refusalUnder, errors: [(error as Error).message] }])
      else throw error
    }
  }
  return (
    <Modal
      open
      width={width}
      title={title}
      onCancel={onCancel}
      // The button is outside the form; as its submit button Enter in a field presses it.
      okButtonProps={{ htmlType: 'submit', form: id }}
      confirmLoading={isBusy}
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
      >
        {children}
      </Form>
    </Modal>
  )
}

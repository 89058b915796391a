import { Form, type FormInstance, Modal } from 'antd'
import { type ReactNode, useId } from 'react'
import { useFocusBack } from './use-focus-back.ts'

interface Props<Values extends object> {
  title: string
  isBusy: boolean
  width?: number
  initialValues?: Partial<Values>
  form?: FormInstance<Values>
  onSave: (values: Values) => unknown
  onCancel: () => void
  /** The field under which a refusal is said; left out where the popup says it. */
  refusalUnder?: keyof Values & string
  children: ReactNode
}

/**
 * A form in a dialog: Enter or its button hands the values over once they are complete. It is drawn only while it is
 * open: one that stayed would keep what it held for the next that it is about.
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
      // Nearly always a name taken: it belongs under the field, not in a popup.
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
      // Outside of the form; only as its submitting button does Enter in a field press it.
      okButtonProps={{ htmlType: 'submit', form: id }}
      confirmLoading={isBusy}
    >
      <Form
        id={id}
        form={form}
        layout="vertical"
        requiredMark={false}
        preserve={false}
        style={{ paddingTop: 8 }}
        initialValues={initialValues}
        onFinish={save}
      >
        {children}
      </Form>
    </Modal>
  )
}

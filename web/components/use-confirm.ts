import { App } from 'antd'
import type { ReactNode } from 'react'
import { focusBack } from './use-focus-back.ts'

const WIDTH = 565

interface Question {
  title: string
  /** What will be lost or changed. */
  content?: ReactNode
  okText?: string
  cancelText?: string
  isDanger?: boolean
  /** Enter chooses the button that loses nothing. */
  isSafeFirst?: boolean
  /** The dialog stays open and busy until this is done; a failure keeps it open. */
  onOk: () => unknown
  onCancel?: () => void
}

/** Asks for confirmation in a dialog. */
export function useConfirm() {
  const { modal } = App.useApp()
  return ({
    title,
    content,
    okText = '确定',
    cancelText,
    isDanger = false,
    isSafeFirst = false,
    onOk,
    onCancel,
  }: Question) =>
    modal.confirm({
      title,
      content,
      okText,
      ...(cancelText ? { cancelText } : {}),
      width: WIDTH,
      okButtonProps: { danger: isDanger },
      autoFocusButton: isSafeFirst ? 'cancel' : 'ok',
      afterClose: focusBack(),
      onOk: async () => void (await onOk()),
      ...(onCancel ? { onCancel } : {}),
    })
}

/** Shows why something was not done, in a dialog because a popup would close too soon. */
export function useRefusal() {
  const { modal } = App.useApp()
  return (title: string, reason: ReactNode) =>
    modal.warning({ title, content: reason, width: WIDTH, okText: '知道了', afterClose: focusBack() })
}

import { Button, type ModalProps } from 'antd'

/** A dialog's buttons with a 取消 of its own, which closes at once where Esc and ✕ ask first. */
export const footerOf =
  (cancel: () => void): ModalProps['footer'] =>
  (_buttons, { OkBtn }) => (
    <>
      <Button onClick={cancel}>取消</Button>
      <OkBtn />
    </>
  )

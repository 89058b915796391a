import type { ConfirmDialogProps } from 'antd/es/modal/ConfirmDialog'
import { afterPage, useWanted } from '../components/later.tsx'

const DIALOG = afterPage(() => import('antd/es/modal/ConfirmDialog'))

/** Opens when its code has arrived. Nothing stands around it that could show that it did not. */
export default function ConfirmDialog(props: ConfirmDialogProps) {
  const loaded = useWanted(DIALOG, 1)
  return loaded && <loaded.default {...props} />
}

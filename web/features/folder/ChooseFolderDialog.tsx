import { App, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { footerOf } from '../../components/dialog-footer.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { useAskLeave } from '../../components/use-ask-close.ts'
import { useFocusBack } from '../../components/use-focus-back.ts'
import { FolderPicker } from './FolderPicker.tsx'
import { type FolderKind, useFolders } from './folder-calls.ts'

/** Asks for one folder, and stays open until the caller closes it. */
export function ChooseFolderDialog(props: {
  kind: FolderKind
  title: string
  /** Where all that is moved lies now, if it lies in one folder. */
  present?: number | undefined
  isBusy: boolean
  onChoose: (id: number) => void
  onCancel: () => void
}) {
  const { kind, title, present, isBusy, onChoose, onCancel } = props
  const { message } = App.useApp()
  useFocusBack()
  const folders = useFolders(kind)
  const [target, setTarget] = useState<number | null>(null)
  const { askClose } = useAskLeave(target !== null, onCancel)

  const submit = () => {
    if (target === null) message.warning('请选择移动的文件夹')
    else onChoose(target)
  }

  return (
    <Modal
      open
      width={480}
      title={title}
      onCancel={askClose}
      footer={footerOf(onCancel)}
      onOk={submit}
      confirmLoading={isBusy}
    >
      {folders.data ? (
        <FolderPicker folders={folders.data} value={target} onChange={setTarget} present={present} />
      ) : folders.error ? (
        <LoadError error={folders.error} onRetry={folders.refetch} title="文件夹加载失败" />
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 6 }} />
      )}
    </Modal>
  )
}

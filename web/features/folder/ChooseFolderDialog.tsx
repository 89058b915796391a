import { useQuery } from '@tanstack/react-query'
import { App, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { listAssetFolders } from '#contract/folder.ts'
import { LoadError } from '../../components/LoadError.tsx'
import { queryOf } from '../../lib/query.ts'
import { FolderPicker } from './FolderPicker.tsx'

/** Asks for one folder; it stays open and busy until `onChoose` is done, and open when that fails. */
export function ChooseFolderDialog(props: {
  title: string
  onChoose: (id: number) => Promise<unknown>
  onCancel: () => void
}) {
  const { title, onChoose, onCancel } = props
  const { message } = App.useApp()
  const folders = useQuery(queryOf(listAssetFolders))
  const [target, setTarget] = useState<number | null>(null)
  const [isBusy, setBusy] = useState(false)

  const submit = async () => {
    if (target === null) return void message.warning('请选择移动的文件夹')
    setBusy(true)
    await onChoose(target).catch(() => {})
    setBusy(false)
  }

  return (
    <Modal open width={480} title={title} onCancel={onCancel} onOk={() => void submit()} confirmLoading={isBusy}>
      {folders.data ? (
        <FolderPicker folders={folders.data} value={target} onChange={setTarget} />
      ) : folders.error ? (
        <LoadError error={folders.error} onRetry={folders.refetch} title="文件夹加载失败" />
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 6 }} />
      )}
    </Modal>
  )
}

import { useQuery } from '@tanstack/react-query'
import { App, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { listAssetFolders } from '#contract/folder.ts'
import { LoadError } from '../../components/LoadError.tsx'
import { queryOf } from '../../lib/query.ts'
import { FolderPicker } from './FolderPicker.tsx'

/** Asks for one folder, and stays open until the caller closes it. */
export function ChooseFolderDialog(props: {
  title: string
  isBusy: boolean
  onChoose: (id: number) => void
  onCancel: () => void
}) {
  const { title, isBusy, onChoose, onCancel } = props
  const { message } = App.useApp()
  const folders = useQuery(queryOf(listAssetFolders))
  const [target, setTarget] = useState<number | null>(null)

  const submit = () => {
    if (target === null) message.warning('请选择移动的文件夹')
    else onChoose(target)
  }

  return (
    <Modal open width={480} title={title} onCancel={onCancel} onOk={submit} confirmLoading={isBusy}>
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

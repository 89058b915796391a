import { App, Checkbox, Modal } from 'antd'
import { useCallback, useState } from 'react'
import { type AssetFolder, listAssetFolders, updateAssetFolder } from '#contract/folder.ts'
import { useAction } from '../../lib/query.ts'
import { FolderPicker } from './FolderPicker.tsx'
import { refusalOfMove } from './folder-tree.ts'

/** Moves one folder, with what it holds, under another or to the top. */
export function MoveFolderDialog(props: {
  folder: AssetFolder
  folders: readonly AssetFolder[]
  onDone: (parentId: number | null) => void
  onCancel: () => void
}) {
  const { folder, folders, onDone, onCancel } = props
  const { message } = App.useApp()
  const [target, setTarget] = useState<number | null>(null)
  const [toTop, setToTop] = useState(false)
  const move = useAction(updateAssetFolder, [listAssetFolders], {
    onSuccess: (_done, { body }) => {
      message.success('文件夹移动成功')
      onDone(body?.parentId ?? null)
    },
  })
  const refusalOf = useCallback((id: number) => refusalOfMove(folders, folder.id, id), [folders, folder.id])
  const topRefusal = folder.parentId === null ? '已在最上层' : refusalOfMove(folders, folder.id, null)

  const submit = () => {
    if (!toTop && target === null) return void message.warning('请选择移动的文件夹')
    move.mutate({ params: { id: folder.id }, body: { parentId: toTop ? null : target } })
  }

  return (
    <Modal
      open
      width={480}
      title={`移动文件夹「${folder.name}」`}
      onCancel={onCancel}
      onOk={submit}
      confirmLoading={move.isPending}
    >
      <Checkbox
        checked={toTop}
        disabled={topRefusal !== null}
        onChange={(event) => {
          setToTop(event.target.checked)
          setTarget(null)
        }}
        style={{ marginBottom: 8 }}
      >
        移到最上层{topRefusal ? `（${topRefusal}）` : ''}
      </Checkbox>
      <FolderPicker
        folders={folders}
        value={target}
        refusalOf={refusalOf}
        onChange={(id) => {
          setTarget(id)
          setToTop(false)
        }}
      />
    </Modal>
  )
}

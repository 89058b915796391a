import { App, Checkbox, Modal } from 'antd'
import { useCallback, useState } from 'react'
import type { AssetFolder } from '#contract/folder.ts'
import { footerOf } from '../../components/dialog-footer.tsx'
import { useAskLeave } from '../../components/use-ask-close.ts'
import { useFocusBack } from '../../components/use-focus-back.ts'
import { FolderPicker } from './FolderPicker.tsx'
import styles from './folder.module.css'
import { type FolderKind, useFolderCalls } from './folder-calls.ts'
import { refusalOfMove } from './folder-tree.ts'

/** Moves a folder with its contents into another one or to the top level. */
export function MoveFolderDialog(props: {
  kind: FolderKind
  folder: AssetFolder
  folders: readonly AssetFolder[]
  onDone: (parentId: number | null) => void
  onCancel: () => void
}) {
  const { kind, folder, folders, onDone, onCancel } = props
  const { message } = App.useApp()
  useFocusBack()
  const [target, setTarget] = useState<number | null>(null)
  const [toTop, setToTop] = useState(false)
  const { askClose } = useAskLeave(toTop || target !== null, onCancel)
  const calls = useFolderCalls(kind, { quiet: false })
  const refusalOf = useCallback((id: number) => refusalOfMove(folders, folder.id, id), [folders, folder.id])
  const topRefusal = folder.parentId === null ? '已在最上层' : refusalOfMove(folders, folder.id, null)

  const submit = () => {
    if (!toTop && target === null) return void message.warning('请选择移动的文件夹')
    const parentId = toTop ? null : target
    calls.move(folder.id, parentId).then(
      () => {
        message.success('文件夹移动成功')
        onDone(parentId)
      },
      () => {},
    )
  }

  return (
    <Modal
      open
      width={480}
      title={`移动文件夹「${folder.name}」`}
      onCancel={askClose}
      footer={footerOf(onCancel)}
      onOk={submit}
      confirmLoading={calls.isBusy}
    >
      <Checkbox
        checked={toTop}
        disabled={topRefusal !== null}
        onChange={(event) => {
          setToTop(event.target.checked)
          setTarget(null)
        }}
        className={styles.toTop}
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

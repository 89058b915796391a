import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import type { ReactNode } from 'react'
import { type AssetFolder, DEFAULT_FOLDER } from '#contract/folder.ts'
import { TwoLines } from '../../components/TwoLines.tsx'
import { useConfirm, useRefusal } from '../../components/use-confirm.ts'
import { type CallError, isFault, UNREACHED } from '../../lib/call.ts'
import { keyOf } from '../../lib/query.ts'
import { type FolderKind, folderList, useFolderCalls } from './folder-calls.ts'
import { idsOf } from './folder-tree.ts'

/** Why a deletion failed. With uploaded crowds a failure that is no refusal says that the folder must be empty. */
const failureOf = (kind: FolderKind, error: CallError): ReactNode => {
  const isRefusal = error.code !== UNREACHED && !isFault(error, 'failed') && !isFault(error, 'databaseAway')
  if (kind === 'custom' && (!isRefusal || !error.message))
    return <TwoLines text="请保存人群为空" more={error.message} />
  return error.message || '删除失败'
}

/** Asks before a folder is deleted, after the server has said that it may be. */
export function useFolderDeletion(kind: FolderKind, selected: number, onSelect: (id: number) => void) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const showRefusal = useRefusal()
  const client = useQueryClient()
  const calls = useFolderCalls(kind, { quiet: true })
  const refuse = (error: unknown) => void showRefusal('无法删除文件夹', failureOf(kind, error as CallError))

  async function remove(folder: AssetFolder) {
    try {
      await calls.remove(folder.id)
      message.success('删除文件夹成功')
      // Before the tree is fetched again, so that the list does not ask for a folder that is gone.
      if (idsOf(folder).includes(selected)) onSelect(folder.parentId ?? DEFAULT_FOLDER)
      await client.invalidateQueries({ queryKey: [keyOf(folderList(kind))] })
    } catch (error) {
      refuse(error)
    }
  }

  return async (folder: AssetFolder) => {
    try {
      await calls.check(folder.id)
    } catch (error) {
      return refuse(error)
    }
    confirm({
      title: `删除文件夹「${folder.name}」？`,
      content: folder.subDirs.length > 0 ? '其中的空子文件夹会一并删除，且不可恢复。' : '删除后不可恢复。',
      okText: '删除',
      isDanger: true,
      onOk: () => remove(folder),
    })
  }
}

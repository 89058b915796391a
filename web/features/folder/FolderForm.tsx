import { Cascader, Form, Input } from 'antd'
import { useMemo } from 'react'
import {
  type AssetFolder,
  createAssetFolder,
  FolderName,
  listAssetFolders,
  pathTo,
  updateAssetFolder,
} from '#contract/folder.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'
import { refusalOfNew } from './folder-tree.ts'

export type FolderTask = { does: 'add'; parentId: number | null } | { does: 'rename'; folder: AssetFolder }

interface Fields {
  name: string
  path?: number[]
}

interface Option {
  value: number
  label: string
  disabled: boolean
  children: Option[]
}

const toOptions = (all: readonly AssetFolder[], level: readonly AssetFolder[]): Option[] =>
  level.map((folder) => ({
    value: folder.id,
    label: folder.name,
    disabled: refusalOfNew(all, folder.id) !== null,
    children: toOptions(all, folder.subDirs),
  }))

/** 新建文件夹, with its parent, or 重命名文件夹. */
export function FolderForm(props: {
  task: FolderTask
  folders: readonly AssetFolder[]
  onDone: (id: number) => void
  onCancel: () => void
}) {
  const { task, folders, onDone, onCancel } = props
  const inPlace = { meta: { quiet: true } }
  const create = useAction(createAssetFolder, [listAssetFolders], inPlace)
  const rename = useAction(updateAssetFolder, [listAssetFolders], inPlace)
  const options = useMemo(() => toOptions(folders, folders), [folders])
  const initial: Fields =
    task.does === 'rename'
      ? { name: task.folder.name }
      : { name: '', path: task.parentId === null ? [] : pathTo(folders, task.parentId) }

  const save = async ({ name, path }: Fields) => {
    if (task.does === 'rename') {
      if (name !== task.folder.name) await rename.mutateAsync({ params: { id: task.folder.id }, body: { name } })
      onDone(task.folder.id)
    } else {
      const { id } = await create.mutateAsync({ body: { name, parentId: path?.at(-1) ?? null } })
      onDone(id)
    }
  }

  return (
    <FormDialog
      title={task.does === 'rename' ? '重命名文件夹' : '新建文件夹'}
      isBusy={create.isPending || rename.isPending}
      initialValues={initial}
      onSave={save}
      onCancel={onCancel}
      refusalUnder="name"
    >
      <Form.Item name="name" label="文件夹名称" rules={[zodRule(FolderName)]} validateTrigger="onSubmit">
        <Input autoFocus maxLength={60} placeholder="1 到 30 个字符" count={{ show: true, max: 30 }} />
      </Form.Item>
      {task.does === 'add' && (
        <Form.Item name="path" label="上级目录" extra="不选则建在最上层；目录最多 5 级">
          <Cascader
            options={options}
            changeOnSelect
            expandTrigger="hover"
            showSearch
            placeholder="最上层"
            popupMatchSelectWidth={false}
          />
        </Form.Item>
      )}
    </FormDialog>
  )
}

import { Cascader, Form, Input } from 'antd'
import { useMemo } from 'react'
import { type AssetFolder, FolderName, pathTo } from '#contract/folder.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useNameSearch } from '../../lib/name-search.ts'
import { zodRule } from '../../lib/zod-rule.ts'
import { type FolderKind, useFolderCalls } from './folder-calls.ts'
import { refusalOfNew } from './folder-tree.ts'

export type FolderTask = { type: 'add'; parentId: number | null } | { type: 'rename'; folder: AssetFolder }

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

/** The value of the top level among the choices; no folder has this id. */
const TOP = 0

const toOptions = (all: readonly AssetFolder[], level: readonly AssetFolder[]): Option[] =>
  level.map((folder) => ({
    value: folder.id,
    label: folder.name,
    disabled: refusalOfNew(all, folder.id) !== null,
    children: toOptions(all, folder.subDirs),
  }))

/** 新建文件夹 below a parent, or 重命名文件夹. */
export function FolderForm(props: {
  kind: FolderKind
  task: FolderTask
  folders: readonly AssetFolder[]
  onDone: (id: number) => void
  onCancel: () => void
}) {
  const { kind, task, folders, onDone, onCancel } = props
  const calls = useFolderCalls(kind, { quiet: true })
  const { onSearch, isFound } = useNameSearch()
  const options = useMemo(
    () => [{ value: TOP, label: '最上层', disabled: false, children: [] }, ...toOptions(folders, folders)],
    [folders],
  )
  const initial: Fields =
    task.type === 'rename'
      ? { name: task.folder.name }
      : { name: '', ...(task.parentId === null ? {} : { path: pathTo(folders, task.parentId) }) }

  const save = async ({ name, path }: Fields) => {
    if (task.type === 'rename') {
      if (name !== task.folder.name) await calls.rename(task.folder.id, name)
      onDone(task.folder.id)
    } else {
      const parentId = path?.at(-1) ?? TOP
      const { id } = await calls.create(name, parentId === TOP ? null : parentId)
      onDone(id)
    }
  }

  return (
    <FormDialog
      title={task.type === 'rename' ? '重命名文件夹' : '新建文件夹'}
      isBusy={calls.isBusy}
      initialValues={initial}
      onSave={save}
      onCancel={onCancel}
      refusalUnder="name"
    >
      <Form.Item name="name" label="文件夹名称" rules={[zodRule(FolderName)]} validateTrigger="onSubmit">
        <Input maxLength={60} placeholder="1 到 30 个字符" count={{ show: true, max: 30 }} />
      </Form.Item>
      {task.type === 'add' && (
        <Form.Item
          name="path"
          label="上级文件夹"
          extra="文件夹最多 5 级"
          rules={[{ required: true, message: '请选择目录' }]}
          validateTrigger={['onSubmit', 'onChange']}
        >
          <Cascader
            options={options}
            changeOnSelect
            expandTrigger="hover"
            showSearch={{
              onSearch,
              filter: (input, path: Option[]) => path.some(({ label }) => isFound(label, input)),
            }}
            placeholder="请选择目录"
            popupMatchSelectWidth={false}
          />
        </Form.Item>
      )}
    </FormDialog>
  )
}

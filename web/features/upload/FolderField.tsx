import { useQuery } from '@tanstack/react-query'
import { Cascader } from 'antd'
import { type CustomFolder, listCustomFolders } from '#contract/custom-folder.ts'
import { useNameSearch } from '../../lib/name-search.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './upload.module.css'

/** The path from the top to the folder; empty if no folder has that id. */
function pathTo(folders: readonly CustomFolder[], id: number): number[] {
  for (const folder of folders) {
    if (folder.id === id) return [id]
    const below = pathTo(folder.sub_dirs, id)
    if (below.length > 0) return [folder.id, ...below]
  }
  return []
}

/** The storage path: a folder of the custom crowds, at any depth. */
export function FolderField({ value, onChange }: { value: number | null; onChange: (id: number | null) => void }) {
  const { onSearch, isFound } = useNameSearch()
  const folders = useQuery({ ...queryOf(listCustomFolders), staleTime: 15_000 })
  return (
    <Cascader
      id="crowd-folder"
      aria-label="存储路径"
      className={styles.short}
      options={folders.data ?? []}
      fieldNames={{ label: 'name', value: 'id', children: 'sub_dirs' }}
      value={value === null || !folders.data ? [] : pathTo(folders.data, value)}
      changeOnSelect
      allowClear={false}
      loading={folders.isPending}
      placeholder="请选择存储路径"
      showSearch={{
        onSearch,
        filter: (input, path: CustomFolder[]) => path.some(({ name }) => isFound(name, input)),
      }}
      notFoundContent={folders.error ? `文件夹加载失败：${folders.error.message || '请求失败'}` : '没有匹配的文件夹'}
      onChange={(ids) => onChange(ids?.at(-1) ?? null)}
    />
  )
}

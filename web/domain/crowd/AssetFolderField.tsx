import { useQuery } from '@tanstack/react-query'
import { Cascader } from 'antd'
import { type AssetFolder, listAssetFolders, pathTo } from '#contract/folder.ts'
import { useNameSearch } from '../../lib/name-search.ts'
import { queryOf } from '../../lib/query.ts'

interface Props {
  id?: string
  value?: number | null
  onChange?: (dirId: number | null) => void
  disabled?: boolean
}

/** The storage path: a folder of the crowd assets, at any level. */
export function AssetFolderField({ id, value = null, onChange, disabled }: Props) {
  const { onSearch, isFound } = useNameSearch()
  const folders = useQuery({ ...queryOf(listAssetFolders), staleTime: 15_000, meta: { inPlace: true } })
  return (
    <Cascader
      {...(id === undefined ? {} : { id })}
      {...(disabled === undefined ? {} : { disabled })}
      aria-label="存储路径"
      options={folders.data ?? []}
      fieldNames={{ label: 'name', value: 'id', children: 'subDirs' }}
      value={value === null || !folders.data ? [] : pathTo(folders.data, value)}
      changeOnSelect
      allowClear={false}
      loading={folders.isPending}
      placeholder={folders.isPending ? '加载中' : '请选择存储路径'}
      showSearch={{
        onSearch,
        filter: (input, path: AssetFolder[]) => path.some(({ name }) => isFound(name, input)),
      }}
      notFoundContent={folders.error ? `文件夹加载失败：${folders.error.message || '请求失败'}` : '没有匹配的文件夹'}
      onChange={(ids) => onChange?.(ids?.at(-1) ?? null)}
    />
  )
}

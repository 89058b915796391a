import { SearchOutlined } from '@ant-design/icons'
import { Input } from 'antd'
import { type Key, useMemo, useState } from 'react'
import { type AssetFolder, DEFAULT_FOLDER, searchFolders } from '#contract/folder.ts'
import { SEARCH_DELAY_MS, useDebounced } from '../../lib/debounced.ts'
import { idsOf } from './folder-tree.ts'

/** A folder tree narrowed by name: its search field, what is left of it, and which folders are unfolded. */
export function useFolderSearch(folders: readonly AssetFolder[] | undefined) {
  const [typed, setTyped] = useState('')
  const keyword = useDebounced(typed, SEARCH_DELAY_MS)
  const [opened, setOpened] = useState<Key[]>([DEFAULT_FOLDER])
  const shown = useMemo(() => searchFolders(folders ?? [], keyword), [folders, keyword])
  return {
    keyword,
    shown,
    /** What was found is seen without unfolding anything. */
    expandedKeys: keyword.trim() ? shown.flatMap(idsOf) : opened,
    onExpand: setOpened,
    unfold: (ids: readonly number[]) => setOpened((now) => [...new Set([...now, ...ids])]),
    field: (
      <Input
        allowClear
        prefix={<SearchOutlined />}
        placeholder="搜索文件夹"
        aria-label="搜索文件夹"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    ),
  }
}

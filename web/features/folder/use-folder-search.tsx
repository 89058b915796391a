import { SearchOutlined } from '@ant-design/icons'
import { Input } from 'antd'
import { type Key, useMemo, useState } from 'react'
import { mayBePinyin } from '#contract/find-text.ts'
import { type AssetFolder, DEFAULT_FOLDER, pathTo, searchFolders } from '#contract/folder.ts'
import { CLEARABLE } from '../../components/clearable.tsx'
import { SEARCH_DELAY_MS, useDebounced } from '../../lib/debounced.ts'
import { useReadings } from '../../lib/readings.ts'
import { idsOf } from './folder-tree.ts'

/** A folder tree narrowed by name: its search field, the folders found, and those unfolded. */
export function useFolderSearch(folders: readonly AssetFolder[] | undefined, selected: number | null = null) {
  const [typed, setTyped] = useState('')
  const keyword = useDebounced(typed, SEARCH_DELAY_MS)
  const [opened, setOpened] = useState<readonly Key[]>([DEFAULT_FOLDER])
  /** Folders around the selected one, which are open until the viewer folds them. */
  const [folded, setFolded] = useState<{ selected: number | null; keys: readonly Key[] }>({ selected, keys: [] })
  const around = selected === null ? [] : pathTo(folders ?? [], selected).slice(0, -1)
  const foldedKeys = folded.selected === selected ? folded.keys : []
  const openKeys = [...new Set([...opened, ...around.filter((id) => !foldedKeys.includes(id))])]
  const readings = useReadings(mayBePinyin(keyword))
  const shown = useMemo(() => searchFolders(folders ?? [], keyword, readings), [folders, keyword, readings])
  return {
    keyword,
    shown,
    /** A search shows all that it found unfolded. */
    expandedKeys: keyword.trim() ? shown.flatMap(idsOf) : openKeys,
    onExpand: (keys: readonly Key[]) => {
      setOpened(keys)
      setFolded({ selected, keys: around.filter((id) => !keys.includes(id)) })
    },
    /** Before another folder is selected: those around this one stay open. */
    keepOpen: () => setOpened(openKeys),
    unfold: (ids: readonly Key[]) => {
      setOpened((now) => [...new Set([...now, ...ids])])
      setFolded((now) => ({ ...now, keys: now.keys.filter((id) => !ids.includes(id)) }))
    },
    field: (
      <Input
        allowClear={CLEARABLE}
        prefix={<SearchOutlined />}
        placeholder="搜索文件夹"
        aria-label="搜索文件夹"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    ),
  }
}

import { FolderOutlined, TagOutlined, TeamOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { searchEverything } from '#contract/search.ts'
import { paths } from '../../app/paths.ts'
import { useDebounced } from '../../lib/debounced.ts'
import { queryOf } from '../../lib/query.ts'
import { saved } from '../../lib/saved-context.ts'
import type { Section } from './entries.ts'

const DELAY_MS = 200
const QUERY_MAX = 60

/** Crowds, tags and folders that the server finds for a query. */
export function useFound(query: string, advId: number | undefined) {
  const navigate = useNavigate()
  const q = useDebounced(query.trim().slice(0, QUERY_MAX), DELAY_MS)
  const found = useQuery({
    ...queryOf(searchEverything, { query: { q, adv_id: advId } }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  })
  const data = query.trim() ? found.data : undefined
  const sections: Section[] = [
    {
      title: '人群',
      entries: (data?.crowds ?? []).map((crowd) => ({
        key: `crowd-${crowd.id}`,
        title: crowd.name,
        place: `ID ${crowd.id} · ${crowd.adv_name}`,
        icon: <TeamOutlined />,
        run: () => navigate(paths.ruleCrowdWatch(crowd.id)),
      })),
    },
    {
      title: '标签',
      entries: (data?.tags ?? []).map((tag) => ({
        key: `tag-${tag.id}`,
        title: tag.name,
        place: `${tag.category} · ${tag.adv_name}`,
        icon: <TagOutlined />,
        run: () => navigate(paths.tags({ keyword: tag.name, tag_id: tag.id })),
      })),
    },
    {
      title: '文件夹',
      entries: (data?.folders ?? []).map((folder) => ({
        key: `folder-${folder.id}`,
        title: folder.name,
        icon: <FolderOutlined />,
        run: () => {
          saved.peopleTreeId.set(folder.id)
          navigate(paths.assets(1, { dir_id: folder.id }))
        },
      })),
    },
  ]
  return { sections, error: query.trim() ? found.error : null, isFetching: found.isFetching }
}

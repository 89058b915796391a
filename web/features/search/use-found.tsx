import {
  AimOutlined,
  CloudUploadOutlined,
  FolderOutlined,
  TagOutlined,
  TeamOutlined,
  UserOutlined,
} from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { listLinkUsers } from '#contract/link-user.ts'
import { platformInfo } from '#contract/platform.ts'
import { searchEverything } from '#contract/search.ts'
import { useDebounced } from '../../lib/debounced.ts'
import { useEdition } from '../../lib/edition.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { saved } from '../../lib/saved-context.ts'
import type { Section } from './entries.ts'

const DELAY_MS = 200
const QUERY_MAX = 60

/**
 * Crowds, packages, tags and folders of all advertisers that match a query; the current advertiser's come first. People
 * are found by their whole One ID, in the current advertiser.
 */
export function useFound(
  query: string,
  advId: number | undefined,
  chooseOnArrival: (advertiser: { id: number; name: string }, isSaid: boolean) => object,
) {
  const navigate = useNavigate()
  const { isSaas } = useEdition()
  const q = useDebounced(query.trim().slice(0, QUERY_MAX), DELAY_MS)
  const found = useQuery({
    ...queryOf(searchEverything, { query: { q, first_adv_id: advId } }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
  // Who may not see phones is told nothing where the query is one.
  const people = useQuery({
    ...queryOf(listLinkUsers, { query: { adv_id: advId, oneID: q, page: 1, per_page: 1 } }),
    enabled: q !== '' && advId !== undefined,
    retry: false,
    meta: { inPlace: true },
  })
  const placeOf = (where: string, advertiser: string) => (isSaas ? `${where} · ${advertiser}` : where)
  const open = (found: { adv_id: number; adv_name: string }, path: string) => {
    if (found.adv_id === advId) navigate(path)
    else navigate(path, { state: chooseOnArrival({ id: found.adv_id, name: found.adv_name }, true) })
  }
  const data = query.trim() ? found.data : undefined
  const sections: Section[] = [
    {
      title: '人群',
      entries: (data?.crowds ?? []).map((crowd) => ({
        key: `crowd-${crowd.id}`,
        title: crowd.name,
        place: placeOf(`ID ${crowd.id}`, crowd.adv_name),
        icon: crowd.kind === 'custom' ? <CloudUploadOutlined /> : <TeamOutlined />,
        run: () => open(crowd, pathOf(crowd)),
      })),
    },
    {
      title: '定向包',
      entries: (data?.packages ?? []).map((found) => ({
        key: `package-${found.id}`,
        title: found.name,
        place: placeOf(platformInfo(found.platform).name, found.adv_name),
        icon: <AimOutlined />,
        run: () => open(found, paths.targetingPackage(found.platform, found.id)),
      })),
    },
    {
      title: '标签',
      entries: (data?.tags ?? []).map((tag) => ({
        key: `tag-${tag.id}`,
        title: tag.name,
        place: placeOf(tag.category, tag.adv_name),
        icon: <TagOutlined />,
        run: () => open(tag, paths.tags({ keyword: tag.name, tag_id: tag.id })),
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
    {
      title: '用户',
      entries: (query.trim() === q ? (people.data?.data ?? []) : []).map(({ person, oneID, name }) => ({
        key: `person-${person}`,
        title: oneID,
        place: name,
        icon: <UserOutlined />,
        run: () => navigate(paths.userBehavior(oneID, { adv_id: advId, person })),
      })),
    },
  ]
  return { sections, error: query.trim() && !found.data ? found.error : null, isFetching: found.isFetching }
}

const pathOf = (crowd: { kind: 'rule' | 'custom'; id: number; name: string; dir_id: number }) =>
  crowd.kind === 'custom' ? paths.customCrowd(crowd.dir_id, crowd.name) : paths.ruleCrowdWatch(crowd.id)

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Drawer, Table, type TableColumnsType } from 'antd'
import { listAdvertiserData } from '#contract/advertiser.ts'
import { type CntType, CUSTOM_STATUS, getCustomQuota, listRuleChildren } from '#contract/audience.ts'
import { type AudiencePack, listAudiencePacks } from '#contract/audience-pack.ts'
import { listCustomCrowds } from '#contract/custom-crowd.ts'
import { childDeleteRefusal, childSize } from '#contract/custom-crowd-rules.ts'
import { sentenceOrNull } from '#contract/outcome.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LargeNumber } from '../../components/LargeNumber.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { pageChange, paginationOf } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatTime } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { useWithinPages } from '../../lib/use-drawer-list.ts'
import { useUrlPage } from '../../lib/use-url-page.ts'
import { CUSTOM_TONES, Dot } from './status-parts.tsx'
import { useChildRemoval } from './use-child-removal.tsx'

interface Props {
  account: { id: number; name: string; platform: CntType; adv_id: number }
  onClose: () => void
}

/** All audiences of ours on a platform account, newest first, so that some can be deleted when its quota is full. */
export function AccountAudiencesDrawer({ account, onClose }: Props) {
  const [paged, setPaged] = useUrlPage()
  const packs = useQuery({
    ...queryOf(listAudiencePacks, {
      params: { cnt_type: account.platform },
      query: { advertiser_id: account.id, ...paged },
    }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
  })
  useWithinPages(
    { paged, turn: setPaged },
    { isLoaded: packs.isSuccess && !packs.isPlaceholderData, rows: packs.data?.list.length ?? 0 },
  )
  const remove = useChildRemoval({
    kept: '人群仍保留，可再次推送。',
    stale: [listAudiencePacks, listAdvertiserData, getCustomQuota, listCustomCrowds, listRuleChildren],
  })
  return (
    <Drawer open size={860} title={`「${account.name}」上的人群包`} onClose={onClose} destroyOnHidden>
      <QueryState query={packs} errorTitle="人群包加载失败">
        {({ list, page_info }) => (
          <Table<AudiencePack>
            rowKey="id"
            size="small"
            aria-label="账户上的人群包"
            dataSource={list}
            loading={packs.isPlaceholderData}
            scroll={{ x: 720 }}
            locale={{ emptyText: <EmptyState title="此账户上还没有人群包" hint="推送人群到此账户后，会列在这里。" /> }}
            pagination={paginationOf(paged, page_info.total_number, '个')}
            onChange={({ current, pageSize }) => setPaged(pageChange(paged, current ?? 1, pageSize ?? paged.page_size))}
            columns={columns(account.adv_id, (pack) => void remove(pack))}
          />
        )}
      </QueryState>
    </Drawer>
  )
}

const columns = (adv_id: number, onRemove: (pack: AudiencePack) => void): TableColumnsType<AudiencePack> => [
  { title: '人群', key: 'name', ellipsis: true, render: (_, pack) => <PackName pack={pack} /> },
  {
    title: '状态',
    key: 'status',
    width: 120,
    render: (_, { status, reason }) => (
      <Dot tone={CUSTOM_TONES[status]} words={CUSTOM_STATUS[status]} reason={reason} />
    ),
  },
  {
    title: '覆盖',
    key: 'covered',
    width: 90,
    align: 'right',
    render: (_, pack) => <LargeNumber value={childSize(pack)} title="平台给出的覆盖人数" />,
  },
  { title: '创建时间', dataIndex: 'created_at', width: 170, render: formatTime },
  {
    title: '操作',
    key: 'action',
    width: 70,
    render: (_, pack) => (
      <RowAction
        changes={adv_id}
        danger
        refusal={sentenceOrNull(childDeleteRefusal(pack))}
        onClick={() => onRemove(pack)}
      >
        删除
      </RowAction>
    ),
  },
]

const PackName = ({ pack: { kind, cnt_id, name, tag_id } }: { pack: AudiencePack }) => (
  <>
    <WholeOnHover text={name}>
      <span className={text.cut}>
        <RowAction to={paths.pushesOf({ kind, id: cnt_id })}>{name}</RowAction>
      </span>
    </WholeOnHover>
    <div className={text.small}>
      {kind === 'rule' ? '组合定向包' : '自定义人群'}，{tag_id === null ? '尚无人群包 ID' : `人群包 ID ${tag_id}`}
    </div>
  </>
)

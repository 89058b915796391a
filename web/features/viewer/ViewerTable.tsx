import { Space, Table, type TableColumnsType, Tag, Typography } from 'antd'
import { deleteViewer, listViewers, updateViewer, type ViewerDetail } from '#contract/viewer.ts'
import { AgoOrNever } from '../../components/AgoOrNever.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { StatusDot } from '../../components/StatusDot.tsx'
import { WHOLE_LIST } from '../../components/table-parts.tsx'
import { useConfirm } from '../../components/use-confirm.ts'
import { useAction } from '../../lib/query.ts'
import { useViewer } from './viewer-context.ts'

interface Props {
  viewers: ViewerDetail[]
  advertisers: { id: number; name: string }[]
  onEdit: (viewer: ViewerDetail) => void
  onReset: (viewer: ViewerDetail) => void
}

const stateOf = (viewer: ViewerDetail, is_disabled: boolean) => ({ params: { id: viewer.id }, body: { is_disabled } })

export function ViewerTable({ viewers, advertisers, onEdit, onReset }: Props) {
  const me = useViewer()
  const confirm = useConfirm()
  const update = useAction(updateViewer, [listViewers])
  const remove = useAction(deleteViewer, [listViewers])

  const askDisable = (viewer: ViewerDetail) =>
    confirm({
      title: `停用成员 ${viewer.username}？`,
      content:
        '停用后，该成员的登录立即结束，接口令牌全部撤销；其创建的人群与标签不受影响。之后可以重新启用，令牌需要重新创建。',
      okText: '停用',
      isDanger: true,
      onOk: () => update.mutateAsync(stateOf(viewer, true)),
    })
  const askDelete = (viewer: ViewerDetail) =>
    confirm({
      title: `删除成员 ${viewer.username}？`,
      content: '该成员的登录与接口令牌立即失效，不能恢复；其创建的人群与标签留在广告主下，操作记录中仍有其姓名。',
      okText: '删除',
      isDanger: true,
      onOk: () => remove.mutateAsync({ params: { id: viewer.id } }),
    })
  const actions: Actions = {
    isMe: ({ id }) => id === me.id,
    edit: onEdit,
    reset: onReset,
    enable: (viewer) => update.mutate(stateOf(viewer, false)),
    disable: askDisable,
    remove: askDelete,
  }
  return (
    <Table
      rowKey="id"
      dataSource={meAndNewest(viewers, me.id)}
      scroll={{ x: 960 }}
      pagination={WHOLE_LIST}
      columns={columns(advertisers, actions)}
    />
  )
}

/** Oneself first, then who was made last: a new member is on the first page. */
const meAndNewest = (viewers: readonly ViewerDetail[], me: number) =>
  viewers.toSorted((one, other) => Number(other.id === me) - Number(one.id === me) || other.id - one.id)

interface Actions {
  isMe: (viewer: ViewerDetail) => boolean
  edit: (viewer: ViewerDetail) => void
  reset: (viewer: ViewerDetail) => void
  enable: (viewer: ViewerDetail) => void
  disable: (viewer: ViewerDetail) => void
  remove: (viewer: ViewerDetail) => void
}

const columns = (advertisers: Props['advertisers'], actions: Actions): TableColumnsType<ViewerDetail> => [
  {
    title: '用户名',
    dataIndex: 'username',
    width: '16%',
    ellipsis: true,
  },
  { title: '姓名', dataIndex: 'realname', width: '9%', ellipsis: true, render: (name: string) => name || '--' },
  {
    title: '可见广告主',
    dataIndex: 'adv_ids',
    width: '14%',
    ellipsis: true,
    render: (_, viewer) => namesOf(viewer, advertisers),
  },
  {
    title: '权限',
    key: 'flags',
    render: (_, viewer) => <Rights viewer={viewer} />,
  },
  {
    title: '状态',
    dataIndex: 'is_disabled',
    width: 90,
    render: (isDisabled: boolean) =>
      isDisabled ? <StatusDot tone="idle">已停用</StatusDot> : <StatusDot tone="done">正常</StatusDot>,
  },
  {
    title: '最近访问',
    dataIndex: 'last_seen',
    width: 120,
    render: (at: number | null) => <AgoOrNever at={at} />,
  },
  {
    title: '操作',
    key: 'action',
    width: 200,
    fixed: 'right',
    render: (_, viewer) => (
      <Space size={12}>
        <RowAction onClick={() => actions.edit(viewer)}>编辑</RowAction>
        <RowAction onClick={() => actions.reset(viewer)}>重置密码</RowAction>
        {viewer.is_disabled ? (
          <RowAction onClick={() => actions.enable(viewer)}>启用</RowAction>
        ) : (
          <RowAction
            danger
            refusal={actions.isMe(viewer) ? '不能停用自己' : null}
            onClick={() => actions.disable(viewer)}
          >
            停用
          </RowAction>
        )}
        <RowAction
          danger
          refusal={actions.isMe(viewer) ? '不能删除自己的账号' : null}
          onClick={() => actions.remove(viewer)}
        >
          删除
        </RowAction>
      </Space>
    ),
  },
]

/** The advertisers that a viewer may see. Not a component: antd shows a cell's own text on hover. */
function namesOf(viewer: ViewerDetail, known: Props['advertisers']) {
  if (viewer.is_admin) return '全部'
  if (viewer.adv_ids.length === 0) return <Typography.Text type="secondary">无</Typography.Text>
  const nameOf = (id: number) => known.find((one) => one.id === id)?.name ?? `ID ${id}`
  const names = viewer.adv_ids
    .map((id) => (viewer.read_only_adv_ids.includes(id) ? `${nameOf(id)}（只能查看）` : nameOf(id)))
    .join('、')
  return <Typography.Text ellipsis={{ tooltip: names }}>{names}</Typography.Text>
}

function Rights({ viewer }: { viewer: ViewerDetail }) {
  const flags = [
    viewer.is_admin && '管理员',
    viewer.see_phones && '完整手机号',
    viewer.see_restricted && '落地页至留资指标',
  ].filter((flag) => flag !== false)
  if (!flags.length) return <Typography.Text type="secondary">普通成员</Typography.Text>
  return (
    <Space size={4} wrap>
      {flags.map((flag) => (
        <Tag key={flag}>{flag}</Tag>
      ))}
    </Space>
  )
}

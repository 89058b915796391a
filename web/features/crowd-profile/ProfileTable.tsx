import { Table, type TableColumnsType, Tooltip } from 'antd'
import { StatusDot, type Tone } from '../../components/StatusDot.tsx'
import { WHOLE_LIST } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatAsOf, formatCount, formatShare } from '../../lib/format.ts'
import type { Profile } from './CrowdProfile.tsx'
import { byClarity, DIFFERENCES, type Difference, differenceOf, type ProfileValue, tgiWords } from './profile-words.ts'

type Row = ProfileValue & { group: string; counted_at: number | null }

/** null, which is no number, goes last in either order. */
const by =
  (of: (row: Row) => number | null) =>
  (one: Row, other: Row, order?: 'ascend' | 'descend' | null): number => {
    const [a, b] = [of(one), of(other)]
    if (a !== null && b !== null) return a - b
    const last = order === 'descend' ? -1 : 1
    return a === b ? 0 : a === null ? last : -last
  }

const TONES: Record<Difference, Tone> = { more: 'done', less: 'waiting', chance: 'idle', none: 'idle', few: 'idle' }

const COLUMNS: TableColumnsType<Row> = [
  { title: '分类', dataIndex: 'group', width: 140, ellipsis: true },
  {
    title: '标签',
    dataIndex: 'name',
    ellipsis: true,
    render: (name: string) => (
      <WholeOnHover text={name}>
        <span className={text.cut}>{name}</span>
      </WholeOnHover>
    ),
  },
  {
    title: '人群人数',
    dataIndex: 'count',
    align: 'right',
    width: 120,
    sorter: by(({ count }) => count),
    render: (count: number, row) => <Tooltip title={formatAsOf(row.counted_at)}>{formatCount(count)}</Tooltip>,
  },
  {
    title: '人群占比',
    align: 'right',
    width: 110,
    sorter: by(({ share }) => share),
    render: (_, row) => formatShare(row.share, 1),
  },
  {
    title: '对照占比',
    align: 'right',
    width: 110,
    sorter: by(({ base_share }) => base_share),
    render: (_, row) => <Tooltip title={`${formatCount(row.base_count)} 人`}>{formatShare(row.base_share, 1)}</Tooltip>,
  },
  {
    title: 'TGI',
    align: 'right',
    width: 90,
    sorter: by(({ tgi }) => tgi),
    render: (_, row) => tgiWords(row.tgi),
  },
  {
    title: <Tooltip title="两者占比之差的双侧 z 检验，按 Benjamini-Hochberg 校正，误判不超过 1%">差异</Tooltip>,
    width: 110,
    filters: Object.entries(DIFFERENCES).map(([value, text]) => ({ text, value })),
    onFilter: (wanted, row) => differenceOf(row) === wanted,
    render: (_, row) => {
      const difference = differenceOf(row)
      return <StatusDot tone={TONES[difference]}>{DIFFERENCES[difference]}</StatusDot>
    },
  },
]

/** Every counted tag; those with a clear difference first, the largest above. */
export function ProfileTable({ profile }: { profile: Profile }) {
  const rows = profile.groups
    .flatMap(({ name, counted_at, values }) => values.map((value) => ({ ...value, group: name, counted_at })))
    .sort(byClarity)
  const leftOut = profile.groups.reduce((sum, { left_out }) => sum + left_out, 0)
  return (
    <>
      {leftOut > 0 && (
        <p className={text.hint}>
          另有 {formatCount(leftOut)} 个标签没有数：还没有结果，或超过一次的上限，可按分类查看。
        </p>
      )}
      <Table<Row>
        size="small"
        rowKey="tag_id"
        columns={COLUMNS}
        dataSource={rows}
        showSorterTooltip={false}
        scroll={{ x: 820 }}
        pagination={{ ...WHOLE_LIST, pageSize: 20 }}
      />
    </>
  )
}

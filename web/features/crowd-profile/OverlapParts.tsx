import { Table, type TableColumnsType, Tooltip } from 'antd'
import type { countOverlap } from '#contract/crowd-overlap.ts'
import type { DataOf } from '#contract/endpoint.ts'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatAsOf, formatCount, formatShare } from '../../lib/format.ts'
import styles from './crowd-profile.module.css'
import { partWords } from './overlap-words.ts'

export type Overlap = DataOf<typeof countOverlap>
export type Part = Overlap['parts'][number]

/** Makes a crowd of a part. */
export type SavePart = (part: Part, overlap: Overlap) => void

const keyOf = ({ ids }: Part) => ids.join(' ')

/** An UpSet chart: a row for each part of the overlap, with the crowds that it is in, and a bar of its people. */
export function OverlapParts({ overlap, advId, onSave }: { overlap: Overlap; advId: number; onSave: SavePart }) {
  const { crowds, parts } = overlap
  const largest = Math.max(1, ...parts.map(({ count }) => count))
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  const isIn = (part: Part, id: number) => part.ids.includes(id)

  const columns: TableColumnsType<Part> = [
    ...crowds.map(({ id, name, count, counted_at }) => ({
      title: (
        <Tooltip title={`${name}：${formatCount(count)} 人，${formatAsOf(counted_at)}`}>
          <span className={text.cut}>{name}</span>
        </Tooltip>
      ),
      key: id,
      width: 120,
      align: 'center' as const,
      render: (_: unknown, part: Part) => (
        <span
          className={styles.dot}
          data-in={isIn(part, id)}
          role="img"
          aria-label={isIn(part, id) ? `在「${name}」里` : `不在「${name}」里`}
        />
      ),
    })),
    {
      title: '人数',
      key: 'count',
      sorter: (one, other) => one.count - other.count,
      defaultSortOrder: 'descend',
      sortDirections: ['descend', 'ascend'],
      render: (_, part) => (
        <WholeOnHover text={`${partWords(part.ids, crowds)}：${formatCount(part.count)} 人`}>
          <div className={styles.barLine}>
            {part.count > 0 && <span className={styles.bar} style={{ width: `${(part.count / largest) * 60}%` }} />}
            <span>
              {formatCount(part.count)} <span className={text.small}>{formatShare(part.count, total)}</span>
            </span>
          </div>
        </WholeOnHover>
      ),
    },
    {
      title: '操作',
      key: 'save',
      width: 110,
      render: (_, part) =>
        part.count > 0 ? (
          <RowAction changes={advId} onClick={() => onSave(part, overlap)}>
            存为人群
          </RowAction>
        ) : null,
    },
  ]
  return (
    <>
      <p className={text.hint}>
        {crowds.length} 个人群共 {formatCount(total)} 人。每一行是恰好在实心圆点的人群里、不在其余人群里的人。
      </p>
      <Table<Part>
        size="small"
        rowKey={keyOf}
        columns={columns}
        dataSource={parts}
        pagination={false}
        showSorterTooltip={false}
        scroll={{ x: crowds.length * 120 + 380 }}
      />
    </>
  )
}

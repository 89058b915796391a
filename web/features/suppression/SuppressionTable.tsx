import { Table, type TableColumnsType } from 'antd'
import type { ReactNode } from 'react'
import { IDENTIFIERS } from '#contract/identifier.ts'
import type { SuppressionEntry } from '#contract/suppression.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { pageChange, paginationOf, selectionOf } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatTime } from '../../lib/format.ts'
import type { SuppressionListState } from './list-state.ts'
import styles from './suppression.module.css'
import { entryName, HIDDEN_VALUE } from './use-removal.ts'

interface Props {
  rows: SuppressionEntry[]
  total: number
  state: SuppressionListState
  onState: (change: Partial<SuppressionListState>) => void
  isLoading: boolean
  selected: SuppressionEntry[]
  onSelected: (rows: SuppressionEntry[]) => void
  onRemove: (entry: SuppressionEntry) => void
  empty: ReactNode
}

/** An entry in each row; the forms of a phone are below it. */
export function SuppressionTable(props: Props) {
  const { rows, total, state, onState, isLoading, selected, onSelected, onRemove, empty } = props
  return (
    <Table<SuppressionEntry>
      rowKey="key"
      size="small"
      aria-label="屏蔽名单"
      loading={isLoading}
      dataSource={rows}
      scroll={{ x: 720 }}
      locale={{ emptyText: empty }}
      rowSelection={selectionOf({ selected, onSelected }, { keyOf: (entry) => entry.key, nameOf: entryName })}
      expandable={{
        columnTitle: <span className="visually-hidden">展开各种形式</span>,
        rowExpandable: (entry) => entry.forms.length + (entry.phone === null ? 0 : 1) > 1,
        expandedRowRender: (entry) => <Forms entry={entry} />,
      }}
      pagination={paginationOf(state, total, '个')}
      onChange={({ current, pageSize }) => onState(pageChange(state, current ?? 1, pageSize ?? state.page_size))}
      columns={columns(onRemove)}
    />
  )
}

const Forms = ({ entry: { phone, forms } }: { entry: SuppressionEntry }) => (
  <dl className={styles.forms}>
    {phone !== null && (
      <div className={styles.form}>
        <dt>手机号</dt>
        <dd>{phone}</dd>
      </div>
    )}
    {forms.map(({ type, value }) => (
      <div key={type} className={styles.form}>
        <dt>{IDENTIFIERS[type].label}</dt>
        <dd className={text.anywhere}>
          {value === null ? (
            <HiddenValue />
          ) : (
            <>
              {value} <CopyIcon text={value} what={IDENTIFIERS[type].label} />
            </>
          )}
        </dd>
      </div>
    ))}
  </dl>
)

/** Stands for a hash of a phone that the viewer may not see. */
const HiddenValue = () => <span className={text.hint}>{HIDDEN_VALUE}</span>

const columns = (onRemove: (entry: SuppressionEntry) => void): TableColumnsType<SuppressionEntry> => [
  {
    title: '类型',
    key: 'type',
    width: 150,
    render: (_, { phone, forms: [first] }) => (phone !== null ? '手机号' : first && IDENTIFIERS[first.type].label),
  },
  {
    title: '标识',
    key: 'value',
    // Wide enough for an MD5 in one line; a SHA256 needs a wide screen.
    width: '36%',
    render: (_, { phone, forms: [first] }) => (
      <span className={text.anywhere}>{phone ?? first?.value ?? <HiddenValue />}</span>
    ),
  },
  {
    title: '备注',
    dataIndex: 'note',
    ellipsis: true,
    render: (note: string) =>
      note && (
        <WholeOnHover text={note}>
          <span className={text.cut}>{note}</span>
        </WholeOnHover>
      ),
  },
  { title: '加入时间', dataIndex: 'added_at', width: 170, render: formatTime },
  {
    title: '操作',
    key: 'action',
    width: 70,
    render: (_, entry) => (
      <RowAction changes="current" onClick={() => onRemove(entry)}>
        移出
      </RowAction>
    ),
  },
]

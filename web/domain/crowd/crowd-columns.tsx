import type { TableColumnType, TableProps } from 'antd'
import { pageChange } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatTime } from '../../lib/format.ts'
import type { ListState } from './list-state.ts'

/** Advertiser and creator of a row; `advertiser` is null where it is not shown. */
const Owners = ({ advertiser, creator }: { advertiser: string | null; creator: string }) => (
  <>
    {advertiser !== null && (
      <WholeOnHover text={advertiser}>
        <div className={text.cut}>{advertiser}</div>
      </WholeOnHover>
    )}
    <WholeOnHover text={creator}>
      <div className={advertiser === null ? text.cut : `${text.small} ${text.cut}`}>{creator}</div>
    </WholeOnHover>
  </>
)

export const ownersColumn = <Row,>(
  width: number,
  showAdvertiser: boolean,
  ownersOf: (row: Row) => { advertiser: string | null; creator: string },
): TableColumnType<Row> => ({
  // The creator stands below the advertiser; both names in the head would take two lines.
  title: showAdvertiser ? '广告主' : '创建人',
  key: 'creator',
  width,
  render: (_, row) => {
    const { advertiser, creator } = ownersOf(row)
    return <Owners advertiser={showAdvertiser ? advertiser : null} creator={creator} />
  },
})

/** Creation time, by which the list is sorted; `createdAt` in epoch seconds. */
export const createdColumn = <Row,>(
  width: number,
  sort: ListState['sort'],
  createdAt: (row: Row) => number,
): TableColumnType<Row> => ({
  title: '创建时间',
  key: 'created_at',
  width,
  sorter: true,
  // No third, unsorted state: the list always has an order.
  sortDirections: ['ascend', 'descend', 'ascend'],
  sortOrder: sort === 'created_at' ? 'ascend' : 'descend',
  // A narrow column shows the day and the time in two lines.
  render: (_, row) => <span className={text.small}>{formatTime(createdAt(row))}</span>,
})

type Paged = Pick<ListState, 'page' | 'page_size' | 'sort'>

/** Another order starts at the first page. */
export const onTableChange =
  <Row,>(state: Paged, onChange: (change: Partial<Paged>) => void): NonNullable<TableProps<Row>['onChange']> =>
  (page, _filters, sorter, { action }) => {
    if (action === 'sort') {
      const order = Array.isArray(sorter) ? undefined : sorter.order
      onChange({ sort: order === 'ascend' ? 'created_at' : '-created_at', page: 1 })
    } else onChange(pageChange(state, page.current ?? 1, page.pageSize ?? state.page_size))
  }

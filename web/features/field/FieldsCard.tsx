import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Card, Flex, Segmented, Table, type TableColumnsType } from 'antd'
import { useState } from 'react'
import { FIELD_TYPES } from '#contract/outcomes/tag.ts'
import { STANDARD_EVENTS } from '#contract/standard-event.ts'
import { type AttributeInfo, type EventInfo, listFields } from '#contract/tag-field.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { FilterText } from '../../components/FilterText.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { paginationOf } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatCount, NONE } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import { AttributeDrawer } from './AttributeDrawer.tsx'
import { EventDrawer } from './EventDrawer.tsx'
import styles from './field.module.css'
import { FIELD_KINDS, type FieldKind, useFieldState } from './field-state.ts'
import { useRemoveAttribute } from './use-remove-attribute.ts'

const REMOVING_POLL_MS = 2000

const KINDS = (Object.keys(FIELD_KINDS) as FieldKind[]).map((value) => ({ value, label: FIELD_KINDS[value] }))

/** The attributes and events of an advertiser with their settings. */
export function FieldsCard({ advId }: { advId: number }) {
  const [state, setState] = useFieldState()
  const [opened, setOpened] = useState<string | null>(null)
  const { kind, keyword, page, page_size } = state
  const { remove, removing } = useRemoveAttribute(advId)
  const fields = useQuery({
    ...queryOf(listFields, { query: { adv_id: advId, page, page_size, ...(keyword && { keyword }) } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.attributes.some(({ name }) => removing.has(name)) ? REMOVING_POLL_MS : false,
    meta: { inPlace: true },
  })
  const close = () => setOpened(null)
  return (
    <Card title="属性与事件" className={styles.card}>
      <Flex gap={12} className={styles.filters} wrap>
        <Segmented<FieldKind>
          aria-label="属性或事件"
          value={kind}
          options={KINDS}
          onChange={(next) => setState({ kind: next, page: 1 })}
        />
        <FilterText
          label="名称"
          value={keyword}
          onChange={(next) => setState({ keyword: next.slice(0, 100), page: 1 })}
        />
      </Flex>
      <QueryState query={fields} errorTitle="属性与事件加载失败">
        {(data) => {
          const table = {
            size: 'middle' as const,
            rowKey: 'name',
            scroll: { x: 760 },
            loading: fields.isPlaceholderData,
            locale: { emptyText: <NoFields isSearched={keyword !== ''} kind={kind} /> },
          }
          const pagination = (total: number) => ({
            ...paginationOf(state, total, '个'),
            onChange: (to: number, size: number) =>
              setState({ page: size === page_size ? to : 1, page_size: Math.min(size, 100) }),
          })
          return kind === 'attributes' ? (
            <Table<AttributeInfo>
              {...table}
              columns={attributeColumns({ open: setOpened, remove, removing })}
              dataSource={data.attributes}
              pagination={pagination(data.attributes_total)}
            />
          ) : (
            <Table<EventInfo>
              {...table}
              columns={eventColumns(setOpened)}
              dataSource={data.events}
              pagination={pagination(data.events_total)}
            />
          )
        }}
      </QueryState>
      {opened !== null && kind === 'attributes' && <AttributeDrawer advId={advId} name={opened} onClose={close} />}
      {opened !== null && kind === 'events' && <EventDrawer advId={advId} name={opened} onClose={close} />}
    </Card>
  )
}

const NoFields = ({ isSearched, kind }: { isSearched: boolean; kind: FieldKind }) =>
  isSearched ? (
    <EmptyState title={`没有匹配的${FIELD_KINDS[kind]}`} />
  ) : (
    <EmptyState title={`还没有${FIELD_KINDS[kind]}`} hint="导入文件后，其中的属性与事件会出现在这里。" />
  )

const NameOf = ({ field }: { field: { name: string; display_name: string } }) => (
  <>
    <WholeOnHover text={field.display_name}>
      <div className={text.cut}>{field.display_name}</div>
    </WholeOnHover>
    {field.display_name !== field.name && (
      <WholeOnHover text={field.name}>
        <div className={`${text.small} ${text.cut}`}>{field.name}</div>
      </WholeOnHover>
    )}
  </>
)

const edit = (name: string, onOpen: (name: string) => void) => (
  <RowAction changes="current" onClick={() => onOpen(name)}>
    编辑
  </RowAction>
)

interface AttributeActions extends ReturnType<typeof useRemoveAttribute> {
  open: (name: string) => void
}

const attributeColumns = ({ open, remove, removing }: AttributeActions): TableColumnsType<AttributeInfo> => [
  { title: '名称', key: 'name', width: '24%', render: (_, field) => <NameOf field={field} /> },
  {
    title: '类型',
    key: 'type',
    width: 112,
    render: (_, { type, is_type_fixed }) => (
      <>
        {FIELD_TYPES[type]}
        <div className={text.small}>{is_type_fixed ? '已指定' : '由数据推断'}</div>
      </>
    ),
  },
  {
    title: '不同的值',
    key: 'distinct',
    width: 112,
    align: 'right',
    render: (_, { distinct, named }) => (
      <>
        {formatCount(distinct)}
        {named > 0 && <div className={text.small}>{formatCount(named)} 个有名称</div>}
      </>
    ),
  },
  {
    title: '常见的值',
    key: 'values',
    ellipsis: { showTitle: false },
    render: (_, { values }) => <WholeOnHover text={values.join('、')} />,
  },
  {
    title: '操作',
    key: 'actions',
    width: 112,
    fixed: 'right',
    render: (_, attribute) => (
      <Flex gap={10}>
        {edit(attribute.name, open)}
        <RowAction
          changes="current"
          danger
          refusal={removing.has(attribute.name) ? '正在删除' : null}
          onClick={() => remove(attribute)}
        >
          删除
        </RowAction>
      </Flex>
    ),
  },
]

const eventColumns = (onOpen: (name: string) => void): TableColumnsType<EventInfo> => [
  { title: '名称', key: 'name', width: '32%', render: (_, field) => <NameOf field={field} /> },
  {
    title: '标准事件',
    dataIndex: 'standard',
    width: 170,
    render: (standard: EventInfo['standard']) => (standard === null ? NONE : STANDARD_EVENTS[standard]),
  },
  {
    title: '属性',
    key: 'properties',
    ellipsis: { showTitle: false },
    render: (_, { properties }) => <WholeOnHover text={properties.join('、')} />,
  },
  { title: '操作', key: 'actions', width: 72, fixed: 'right', render: (_, { name }) => edit(name, onOpen) },
]

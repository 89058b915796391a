import { DownloadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Input, Modal, Tooltip } from 'antd'
import { useState } from 'react'
import {
  COLUMN_GROUPS,
  CROWD_EXPORT_PATH,
  chosenColumns,
  EXPORT_COLUMNS_MAX,
  getCrowdColumns,
} from '#contract/crowd-export.ts'
import type { DataOf } from '#contract/endpoint.ts'
import { CLEARABLE } from '../../components/clearable.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import text from '../../components/text.module.css'
import { useFocusBack } from '../../components/use-focus-back.ts'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatAsOf, formatCount } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import { exportColumns } from '../../lib/saved-context.ts'
import styles from './export-people.module.css'

type Offer = DataOf<typeof getCrowdColumns>
type Group = Offer['groups'][number]

/** With more columns than this they can be searched. */
const SEARCHED_FROM = 20

/** Chooses the columns of a crowd's people and downloads them. What the viewer chooses is remembered. */
export function ExportPeopleDialog(props: { crowd: { id: number; name: string }; onClose: () => void }) {
  const { crowd, onClose } = props
  useFocusBack()
  const offer = useQuery({ ...queryOf(getCrowdColumns, { params: { id: crowd.id } }), meta: { inPlace: true } })
  const [touched, setTouched] = useState<string[] | null>(null)
  const offered = offer.data?.groups.flatMap(({ columns }) => columns.map(({ key }) => key)) ?? []
  const before = offer.data ? exportColumns.get(offer.data.adv_id) : []
  const chosen = chosenColumns(offered, touched ?? before)
  const isNone = touched?.length === 0
  const keys = isNone ? [] : chosen
  const refusal = isNone
    ? '请选择要导出的列'
    : keys.length > EXPORT_COLUMNS_MAX
      ? `最多选择 ${EXPORT_COLUMNS_MAX} 列`
      : null
  const download = () => {
    if (offer.data) exportColumns.set(offer.data.adv_id, keys)
    onClose()
  }
  return (
    <Modal
      open
      width={640}
      title={`导出「${crowd.name}」的名单`}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Tooltip title={offer.data ? refusal : null}>
            <Button
              type="primary"
              icon={<DownloadOutlined />}
              disabled={!offer.data || refusal !== null}
              {...(offer.data &&
                refusal === null && {
                  href: `${CROWD_EXPORT_PATH.replace('{id}', String(crowd.id))}?columns=${keys.join(',')}`,
                  download: true,
                })}
              onClick={download}
            >
              {offer.data ? `下载 ${formatCount(offer.data.count)} 人` : '下载'}
            </Button>
          </Tooltip>
        </>
      }
    >
      <QueryState query={offer} errorTitle="可以导出的列加载失败">
        {(data) => <Choice offer={data} chosen={keys} onChange={setTouched} />}
      </QueryState>
    </Modal>
  )
}

function Choice(props: { offer: Offer; chosen: readonly string[]; onChange: (keys: string[]) => void }) {
  const { offer, chosen, onChange } = props
  const [wanted, setWanted] = useState('')
  const total = offer.groups.reduce((sum, { columns }) => sum + columns.length, 0)
  const shown = offer.groups
    .map((group) => ({ ...group, columns: group.columns.filter(({ label }) => holds(label, wanted)) }))
    .filter(({ columns }) => columns.length > 0)
  /** Columns that the search hides stay as they are. */
  const change = (group: Group, keys: readonly string[]) => {
    const own = new Set(group.columns.map(({ key }) => key))
    onChange([...chosen.filter((key) => !own.has(key)), ...keys])
  }
  return (
    <>
      <p className={text.hint}>
        csv 文件，每人一行，{formatAsOf(offer.counted_at)}。已选 {chosen.length} 列；导出会记入审计。
      </p>
      {offer.hides_phones && (
        <Alert
          type="info"
          showIcon
          className={styles.note ?? ''}
          title="您没有查看手机号的权限，手机号与标识会被遮住。"
        />
      )}
      {total > SEARCHED_FROM && (
        <Input.Search
          allowClear={CLEARABLE}
          aria-label="搜索列"
          placeholder="搜索列"
          className={styles.search ?? ''}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      )}
      {/* Scrolled by keys too. */}
      <div className={styles.groups}>
        {shown.length === 0 && <p className={text.hint}>没有名称包含「{wanted}」的列</p>}
        {shown.map((group) => (
          <Columns
            key={group.kind}
            group={group}
            chosen={group.columns.map(({ key }) => key).filter((key) => chosen.includes(key))}
            onChange={(keys) => change(group, keys)}
          />
        ))}
      </div>
    </>
  )
}

const holds = (label: string, wanted: string) => label.toLowerCase().includes(wanted.trim().toLowerCase())

function Columns(props: { group: Group; chosen: readonly string[]; onChange: (keys: string[]) => void }) {
  const { group, chosen, onChange } = props
  const all = group.columns.map(({ key }) => key)
  const name = COLUMN_GROUPS[group.kind]
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>
        <Checkbox
          checked={chosen.length === all.length}
          indeterminate={chosen.length > 0 && chosen.length < all.length}
          onChange={({ target }) => onChange(target.checked ? all : [])}
        >
          {name}
          {group.kind === 'tags' && <small className={text.small}> 每个分类一列，写所持有的标签</small>}
        </Checkbox>
      </legend>
      <Checkbox.Group className={styles.columns ?? ''} value={[...chosen]} onChange={onChange}>
        {group.columns.map(({ key, label }) => (
          <Checkbox key={key} value={key} className={styles.column ?? ''}>
            <WholeOnHover text={label}>
              <span className={text.cut}>{label}</span>
            </WholeOnHover>
          </Checkbox>
        ))}
      </Checkbox.Group>
    </fieldset>
  )
}

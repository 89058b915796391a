import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Input, Popover, Table, type TableColumnsType } from 'antd'
import { useState } from 'react'
import { TAG_VALUE_MAX } from '#contract/tag.ts'
import { DICTIONARY_MAX } from '#contract/tag-field.ts'
import text from '../../components/text.module.css'
import { type DictionaryRow, newRow, pastedRows, problemsOfRows, unreadText, withRows } from './dictionary-draft.ts'
import styles from './dictionary-editor.module.css'

const PAGE_ROWS = 8

interface Props {
  rows: readonly DictionaryRow[]
  onChange: (rows: DictionaryRow[]) => void
  /** Values of the data that can be named. */
  values: readonly string[]
  /** Lines typed to be added together, and not added yet. */
  lines: string
  onLines: (lines: string) => void
}

/** Names for an attribute's values: 0 is 男. */
export function DictionaryEditor({ rows, onChange, values, lines, onLines }: Props) {
  const [page, setPage] = useState(1)
  const problems = problemsOfRows(rows)
  const set = (key: number, change: Partial<DictionaryRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  const last = Math.max(1, Math.ceil(rows.length / PAGE_ROWS))
  const add = (more: DictionaryRow[]) => onChange(withRows(rows, more))
  const isFull = rows.length >= DICTIONARY_MAX
  const named = new Set(rows.map(({ value }) => value))
  const unnamed = values.filter((value) => !named.has(value))
  const columns: TableColumnsType<DictionaryRow> = [
    {
      title: '数据中的值',
      key: 'value',
      width: '40%',
      render: (_, row) => (
        <Input
          aria-label="数据中的值"
          value={row.value}
          disabled={row.isMasked}
          maxLength={TAG_VALUE_MAX}
          onChange={({ target }) => set(row.key, { value: target.value })}
        />
      ),
    },
    {
      title: '显示的名称',
      key: 'label',
      render: (_, row) => (
        <>
          <Input
            aria-label="显示的名称"
            value={row.label}
            placeholder={row.value}
            disabled={row.isMasked}
            status={problems.has(row.key) ? 'error' : ''}
            onChange={({ target }) => set(row.key, { label: target.value })}
          />
          {problems.has(row.key) && <div className={text.problem}>{problems.get(row.key)}</div>}
          {row.isMasked && <div className={text.hint}>无权查看手机号，不能修改</div>}
        </>
      ),
    },
    {
      key: 'remove',
      width: 44,
      render: (_, row) => (
        <Button
          type="text"
          icon={<DeleteOutlined />}
          aria-label={`移除「${row.value}」`}
          disabled={row.isMasked}
          onClick={() => onChange(rows.filter((one) => one.key !== row.key))}
        />
      ),
    },
  ]
  return (
    <Flex vertical gap={8}>
      {rows.length > 0 && (
        <Table
          size="small"
          rowKey="key"
          columns={columns}
          dataSource={[...rows]}
          pagination={{
            current: Math.min(page, last),
            pageSize: PAGE_ROWS,
            hideOnSinglePage: true,
            showSizeChanger: false,
            onChange: setPage,
          }}
        />
      )}
      <Flex gap={8} wrap>
        <Button
          type="dashed"
          icon={<PlusOutlined />}
          disabled={isFull}
          onClick={() => {
            onChange([...rows, newRow()])
            setPage(Math.ceil((rows.length + 1) / PAGE_ROWS))
          }}
        >
          添加
        </Button>
        {unnamed.length > 0 && (
          <Button disabled={isFull} onClick={() => add(unnamed.map((value) => newRow(value)))}>
            填入数据中的 {unnamed.length} 个值
          </Button>
        )}
        <PasteButton isFull={isFull} lines={lines} onLines={onLines} onPaste={add} />
        <span className={`${text.hint} ${styles.count}`}>
          {rows.length} / {DICTIONARY_MAX}
        </span>
      </Flex>
    </Flex>
  )
}

/** Its lines stay when it closes by Esc or a click beside it. */
function PasteButton(
  props: Pick<Props, 'lines' | 'onLines'> & {
    isFull: boolean
    onPaste: (rows: DictionaryRow[]) => void
  },
) {
  const { isFull, lines, onLines, onPaste } = props
  const [isOpen, setOpen] = useState(false)
  const pasted = pastedRows(lines)
  const { rows } = pasted
  const unread = unreadText(pasted)
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      trigger="click"
      content={
        <Flex vertical gap={8} className={styles.paste}>
          <Input.TextArea
            aria-label="粘贴值与名称"
            rows={6}
            value={lines}
            placeholder={'每行一个，例如：\n0=男\n1=女'}
            onChange={({ target }) => onLines(target.value)}
          />
          {unread && (
            <div role="status" className={text.problem}>
              {unread}
            </div>
          )}
          <Button
            type="primary"
            disabled={rows.length === 0}
            onClick={() => {
              onPaste(rows)
              setOpen(false)
              onLines('')
            }}
          >
            加入 {rows.length} 个
          </Button>
        </Flex>
      }
    >
      <Button disabled={isFull}>粘贴多行</Button>
    </Popover>
  )
}

import { Alert, Checkbox, Flex, Select, Table } from 'antd'
import { useMemo } from 'react'
import { COLUMNS_SHOWN, cellsOf, SEPARATORS, type Separator, type TextChoice } from '#contract/identifier-column.ts'
import { TEXT_ENCODINGS, type TextEncoding } from '#contract/text-encoding.ts'
import text from '../../components/text.module.css'
import type { FileChoice, UploadItem } from './items.ts'
import type { Preparation } from './preparing.ts'
import { type PreviewLine, previewLines } from './preview-lines.ts'
import styles from './upload.module.css'

const WHOLE = 'whole'
const separatorOptions = [
  { value: WHOLE, label: '不分列（整行一个标识）' },
  ...Object.entries(SEPARATORS).map(([value, label]) => ({ value, label: `按${label}分列` })),
]
const encodingOptions = Object.entries(TEXT_ENCODINGS).map(([value, label]) => ({ value, label }))

const VALUES: { value: NonNullable<FileChoice['values']>; label: string }[] = [
  { value: 'raw', label: '原始 OAID（加密后发送）' },
  { value: 'hashed', label: '密文（原样发送）' },
]

/** The first lines of a file with what becomes of each, and how its identifiers are found. */
export function FilePreview(props: {
  item: UploadItem
  lines: readonly string[]
  preparation: Preparation
  onChoose(part: FileChoice): void
}) {
  const { item, lines, preparation, onChoose } = props
  const { choice, name } = item
  // Progress draws the form anew several times a second.
  const { chosen, isUnclear } = item
  const rows = useMemo(
    () => choice && previewLines(preparation, choice, lines, { chosen, isUnclear }),
    [preparation, choice, lines, chosen, isUnclear],
  )
  if (!choice || !rows) return null
  const columns = columnsOf(lines, choice)
  return (
    <Flex vertical gap={8} role="group" aria-label={`「${name}」的预览`}>
      <Flex gap="8px 16px" wrap align="center">
        <span className={styles.choice}>
          编码
          <Select<TextEncoding>
            size="small"
            aria-label="编码"
            className={styles.encoding}
            value={choice.encoding}
            options={encodingOptions as { value: TextEncoding; label: string }[]}
            onChange={(encoding) => onChoose({ encoding })}
          />
        </span>
        <span className={styles.choice}>
          分列
          <Select
            size="small"
            aria-label="分列"
            className={styles.separator}
            value={choice.separator ?? WHOLE}
            options={separatorOptions}
            onChange={(value) =>
              onChoose({
                separator: value === WHOLE ? null : (value as Separator),
                ...(value === WHOLE ? { column: 0 } : {}),
              })
            }
          />
        </span>
        {choice.separator !== null && (
          <span className={styles.choice}>
            标识所在列
            <Select
              size="small"
              aria-label="标识所在列"
              className={styles.separator}
              value={choice.column}
              options={columns}
              onChange={(column) => onChoose({ column })}
            />
          </span>
        )}
        <Checkbox checked={choice.has_header} onChange={({ target }) => onChoose({ has_header: target.checked })}>
          首行是列名
        </Checkbox>
        {isUnclear && (
          <span className={styles.choice}>
            这些值是
            <Select<NonNullable<FileChoice['values']>>
              size="small"
              aria-label="这些值是"
              className={styles.values}
              placeholder="请选择"
              value={chosen.values ?? null}
              options={VALUES}
              onChange={(values) => onChoose({ values })}
            />
          </span>
        )}
        {choice.encoding === 'gb18030' && <span className={text.small}>文件按 GBK 读取（可改）</span>}
      </Flex>
      {lines.length === 0 ? (
        <Alert type="info" showIcon title="没有可以预览的行" />
      ) : (
        <Table<PreviewLine>
          rowKey="line"
          size="small"
          pagination={false}
          tableLayout="fixed"
          dataSource={rows}
          columns={[
            { title: '行号', dataIndex: 'line', width: 64, align: 'right' },
            { title: '原文', dataIndex: 'text', ellipsis: true },
            {
              title: '结果',
              dataIndex: 'becomes',
              ellipsis: true,
              render: (becomes: string, { isBad }) => (
                <span className={isBad ? text.problem : undefined}>{becomes}</span>
              ),
            },
          ]}
        />
      )}
    </Flex>
  )
}

/** The columns of the first line, by their names where it holds names. */
function columnsOf(lines: readonly string[], { separator, column, has_header }: TextChoice) {
  const cells = separator === null ? [] : cellsOf(lines[0] ?? '', separator).slice(0, COLUMNS_SHOWN)
  return Array.from({ length: Math.max(cells.length, column + 1) }, (_, at) => ({
    value: at,
    label: `第 ${at + 1} 列${has_header && cells[at]?.trim() ? `「${cells[at].replace(/^\uFEFF/, '').trim()}」` : ''}`,
  }))
}

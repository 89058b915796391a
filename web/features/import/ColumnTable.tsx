import { Button, Select, Table, type TableColumnsType, Tooltip } from 'antd'
import { useState } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import { PREVIEW_LINES, type PreviewLine, type previewImport } from '#contract/import.ts'
import { PartTips } from '../../components/PartTips.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { ColumnSettingsDialog } from './ColumnSettingsDialog.tsx'
import {
  type ColumnRole,
  type ColumnRoles,
  plainRole,
  roleOptions,
  setRole,
  setSettings,
  settingsText,
} from './columns.ts'
import styles from './import.module.css'

type Preview = DataOf<typeof previewImport>

const COLUMN_WIDTH = 170
const LINE_WIDTH = 64
const PROBLEM_WIDTH = 200

/** The first lines of the file; each column's head chooses its role. */
export function ColumnTable(props: {
  preview: Preview
  /** The preview's lines, checked by the mapping. */
  lines: PreviewLine[]
  mapping: ColumnRoles
  onChange: (mapping: ColumnRoles) => void
}) {
  const { preview, lines, mapping, onChange } = props
  const [opened, setOpened] = useState<string | null>(null)
  const cellsOf = ({ row, cells }: PreviewLine) => (row === null ? cells : (preview.rows[row] ?? []))
  const options = roleOptions(mapping.kind)
  const hasProblems = lines.some(({ refused, warnings }) => refused || warnings.length > 0)
  const columns: TableColumnsType<PreviewLine> = [
    {
      title: '行号',
      key: 'line',
      width: LINE_WIDTH,
      align: 'right',
      fixed: 'left',
      render: (_, { line }) => <span className={text.hint}>{line}</span>,
    },
    ...(hasProblems
      ? [
          {
            title: '问题',
            key: 'problem',
            width: PROBLEM_WIDTH,
            fixed: 'left' as const,
            render: (_: unknown, line: PreviewLine) => <Problem line={line} />,
          },
        ]
      : []),
    ...preview.columns.map((column, index) => ({
      key: column,
      width: COLUMN_WIDTH,
      onCell: () => ({ className: mapping.roles[column] === 'skip' ? styles.skipped : '' }),
      title: (
        <>
          <Tooltip title={column}>
            <div className={`${text.cut} ${styles.columnName}`}>{column}</div>
          </Tooltip>
          <Select<string>
            size="small"
            aria-label={`列「${column}」导入为`}
            className={`${styles.target} ${isAssigned(mapping.roles[column]) ? styles.assigned : ''}`}
            popupMatchSelectWidth={200}
            // Few options, all rendered: opened at a selected one, those above it are visible too.
            virtual={false}
            listHeight={420}
            value={mapping.roles[column] ?? plainRole(mapping.kind)}
            onChange={(role) => onChange(setRole(mapping, column, role as ColumnRole))}
            options={options}
          />
          <SettingsButton mapping={mapping} column={column} onOpen={setOpened} />
        </>
      ),
      render: (_: unknown, line: PreviewLine) => {
        const cell = cellsOf(line)[index] ?? ''
        const warning = line.warnings.find((one) => one.column === column)
        if (cell === '') return <span className={text.hint}>{line.row === null ? '' : '空'}</span>
        return (
          <div className={`${text.cut} ${warning ? styles.odd : ''}`} data-tip={warning?.reason ?? cell}>
            {cell}
          </div>
        )
      },
    })),
  ]
  const valuesOf = (column: string) => {
    const at = preview.columns.indexOf(column)
    const cells = lines.flatMap((line) => (line.row === null ? [] : [cellsOf(line)[at]?.trim() ?? '']))
    return [...new Set(cells)].filter((cell) => cell !== '' && !cell.includes('****'))
  }
  return (
    <>
      <PartTips>
        <Table
          size="small"
          bordered
          columns={columns}
          rowKey="line"
          dataSource={lines}
          rowClassName={({ refused }) => (refused ? (styles.refusedLine ?? '') : '')}
          pagination={false}
          virtual
          scroll={{
            x: LINE_WIDTH + (hasProblems ? PROBLEM_WIDTH : 0) + preview.columns.length * COLUMN_WIDTH,
            y: 320,
          }}
          title={() => (
            <span className={text.hint}>
              共 {preview.columns.length} 列，预览前 {Math.min(PREVIEW_LINES, lines.length)} 行
            </span>
          )}
        />
      </PartTips>
      {opened !== null && (
        <ColumnSettingsDialog
          kind={mapping.kind}
          column={opened}
          settings={mapping.settings[opened]}
          values={valuesOf(opened)}
          onSave={(settings) => onChange(setSettings(mapping, settings))}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

/** Opens what is settled about a column that becomes an attribute or a property. */
function SettingsButton(props: { mapping: ColumnRoles; column: string; onOpen: (column: string) => void }) {
  const { mapping, column, onOpen } = props
  // Other roles have a fixed meaning.
  if ((mapping.roles[column] ?? plainRole(mapping.kind)) !== 'rest') return <div className={styles.noSettings} />
  return (
    <Button
      type="link"
      size="small"
      aria-label={`列「${column}」的名称与类型`}
      className={styles.settings}
      onClick={() => onOpen(column)}
    >
      <span className={text.cut}>{settingsText(mapping.settings[column]) || '名称与类型'}</span>
    </Button>
  )
}

const Problem = ({ line: { refused, warnings } }: { line: PreviewLine }) => {
  const reason = refused?.reason ?? warnings.map(worded).join('；')
  return (
    <WholeOnHover text={reason}>
      <div className={`${text.cut} ${refused ? styles.refusedReason : styles.odd}`}>{reason}</div>
    </WholeOnHover>
  )
}

/** Some reasons name the column themselves. */
const worded = ({ column, reason, outcome }: PreviewLine['warnings'][number]) =>
  'column' in outcome.params ? reason : `「${column}」${reason}`

const isAssigned = (role: ColumnRole | undefined) => role !== 'rest' && role !== 'skip'

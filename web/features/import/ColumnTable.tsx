import { Select, Table, type TableColumnsType, Tooltip } from 'antd'
import type { DataOf } from '#contract/endpoint.ts'
import { PREVIEW_LINES, type previewImport } from '#contract/import.ts'
import text from '../../components/text.module.css'
import { TOOLTIP_DELAY_S } from '../../components/WholeOnHover.tsx'
import { type ColumnRole, type ColumnRoles, roleOptions, setRole } from './columns.ts'
import styles from './import.module.css'

type Preview = DataOf<typeof previewImport>

const COLUMN_WIDTH = 170

/** The first lines of the file; each column's head chooses its role. */
export function ColumnTable(props: {
  preview: Preview
  mapping: ColumnRoles
  onChange: (mapping: ColumnRoles) => void
}) {
  const { preview, mapping, onChange } = props
  const options = roleOptions(mapping.kind)
  const columns: TableColumnsType<{ key: number; cells: string[] }> = [
    {
      title: '行',
      key: 'line',
      width: 56,
      align: 'right',
      fixed: 'left',
      render: (_, row) => <span className={text.hint}>{row.key + 1}</span>,
    },
    ...preview.columns.map((column, index) => ({
      key: column,
      width: COLUMN_WIDTH,
      onCell: () => ({ className: mapping.roles[column] === 'skip' ? styles.skipped : '' }),
      title: (
        <>
          <Tooltip title={column} mouseEnterDelay={TOOLTIP_DELAY_S}>
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
            value={mapping.roles[column] ?? 'rest'}
            onChange={(role) => onChange(setRole(mapping, column, role as ColumnRole))}
            options={options}
          />
        </>
      ),
      render: (_: unknown, row: { cells: string[] }) => {
        const cell = row.cells[index] ?? ''
        return cell === '' ? (
          <span className={text.hint}>空</span>
        ) : (
          <div className={text.cut} title={cell}>
            {cell}
          </div>
        )
      },
    })),
  ]
  return (
    <Table
      size="small"
      bordered
      columns={columns}
      dataSource={preview.rows.map((cells, key) => ({ key, cells }))}
      pagination={false}
      virtual
      scroll={{ x: 56 + preview.columns.length * COLUMN_WIDTH, y: 320 }}
      title={() => (
        <span className={text.hint}>
          共 {preview.columns.length} 列，预览前 {Math.min(PREVIEW_LINES, preview.rows.length)} 行
        </span>
      )}
    />
  )
}

const isAssigned = (role: ColumnRole | undefined) => role !== 'rest' && role !== 'skip'

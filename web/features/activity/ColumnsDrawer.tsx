import { ArrowDownOutlined, ArrowUpOutlined, CloseOutlined, HolderOutlined } from '@ant-design/icons'
import { DragDropProvider } from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import { App, Button, Checkbox, Drawer, Flex, Typography } from 'antd'
import { useState } from 'react'
import { METRIC_SOURCES, type MetricKey, type MetricSource } from '#contract/activity/metrics.ts'
import { type Column, chooseColumns, getColumns } from '#contract/activity-columns.ts'
import { dragSettings } from '../../components/drag-settings.ts'
import { IconButton } from '../../components/IconButton.tsx'
import text from '../../components/text.module.css'
import { useAction } from '../../lib/query.ts'
import styles from './activity.module.css'

/** Columns are grouped by where they come from, in this order. */
const GROUPS: readonly MetricSource[] = ['ours', 'platform', 'events', 'formula']

interface Props {
  columns: readonly Column[]
  chosen: readonly MetricKey[]
  onClose: () => void
}

/** Chooses the columns of the list and their order, for this viewer. */
export function ColumnsDrawer({ columns, chosen, onClose }: Props) {
  const { message } = App.useApp()
  const [keys, setKeys] = useState<MetricKey[]>([...chosen])
  const saving = useAction(chooseColumns, [getColumns])
  const save = (wanted: MetricKey[]) =>
    saving.mutate(
      { body: { keys: wanted } },
      {
        onSuccess: () => {
          message.success('修改成功')
          onClose()
        },
      },
    )
  const labels = new Map(columns.map((column) => [column.key, column.label]))
  const place = (from: number, to: number) =>
    setKeys((now) => {
      const next = [...now]
      const [moved] = next.splice(from, 1)
      if (moved !== undefined) next.splice(to, 0, moved)
      return next
    })
  return (
    <Drawer
      open
      size={860}
      title="自定义列"
      onClose={onClose}
      footer={
        <Flex justify="space-between">
          <Button onClick={() => save([])}>恢复默认</Button>
          <Flex gap={8}>
            <Button onClick={onClose}>取消</Button>
            <Button type="primary" loading={saving.isPending} disabled={keys.length === 0} onClick={() => save(keys)}>
              保存
            </Button>
          </Flex>
        </Flex>
      }
    >
      <Flex gap={24} align="flex-start">
        <div className={`${styles.groups} ${styles.columnLabel}`}>
          {GROUPS.map((source) => {
            const own = columns.filter(({ from }) => from[0] === source)
            if (own.length === 0) return null
            return (
              <section key={source} aria-label={METRIC_SOURCES[source]}>
                <Typography.Title level={2} className={text.sectionTitle}>
                  {METRIC_SOURCES[source]}
                </Typography.Title>
                <div className={styles.group}>
                  {own.map(({ key, label }) => (
                    <Checkbox
                      key={key}
                      checked={keys.includes(key)}
                      onChange={({ target }) =>
                        setKeys((now) => (target.checked ? [...now, key] : now.filter((one) => one !== key)))
                      }
                    >
                      {label}
                    </Checkbox>
                  ))}
                </div>
              </section>
            )
          })}
        </div>
        <section aria-label="显示的列" className={styles.columnLabel}>
          <Typography.Title level={2} className={text.sectionTitle}>
            显示的列（{keys.length}），拖动排序
          </Typography.Title>
          <DragDropProvider
            {...dragSettings}
            onDragEnd={({ operation: { source }, canceled }) => {
              if (!canceled && isSortable(source)) place(source.initialIndex, source.index)
            }}
          >
            <ol className={styles.chosen}>
              {keys.map((key, at) => (
                <ChosenColumn
                  key={key}
                  id={key}
                  index={at}
                  label={labels.get(key) ?? key}
                  isLast={at === keys.length - 1}
                  onMove={(by) => place(at, at + by)}
                  onRemove={() => setKeys((now) => now.filter((one) => one !== key))}
                />
              ))}
            </ol>
          </DragDropProvider>
        </section>
      </Flex>
    </Drawer>
  )
}

function ChosenColumn(props: {
  id: MetricKey
  index: number
  label: string
  isLast: boolean
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}) {
  const { id, index, label, isLast, onMove, onRemove } = props
  const { ref, isDragging } = useSortable({ id, index })
  return (
    <li ref={ref} className={isDragging ? `${styles.column} ${styles.dragged}` : styles.column}>
      <HolderOutlined className={styles.grip} />
      <span className={`${styles.columnLabel} ${text.cut}`}>{label}</span>
      <span data-no-drag>
        <IconButton
          name={`上移「${label}」`}
          icon={<ArrowUpOutlined />}
          size="small"
          disabled={index === 0}
          onClick={() => onMove(-1)}
        />
        <IconButton
          name={`下移「${label}」`}
          icon={<ArrowDownOutlined />}
          size="small"
          disabled={isLast}
          onClick={() => onMove(1)}
        />
        <IconButton name={`不显示「${label}」`} icon={<CloseOutlined />} size="small" onClick={onRemove} />
      </span>
    </li>
  )
}

import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Form, Select } from 'antd'
import { PROPERTY_CONDITIONS_MAX } from '#contract/tag-event.ts'
import type { PropertyInfo } from '#contract/tag-field.ts'
import text from '../../components/text.module.css'
import { useLabelSearch } from '../../lib/name-search.ts'
import { ConditionFields } from './condition/ConditionFields.tsx'
import { type DefinitionDraft, newProperty } from './definition-draft.ts'
import styles from './tag.module.css'

type Property = DefinitionDraft['properties'][number]

/** Conditions on the properties of an event; all of them must hold. */
export function PropertyConditions(props: {
  rows: readonly Property[]
  onChange: (rows: Property[]) => void
  /** The chosen event's properties; null while none is chosen. */
  offered: readonly PropertyInfo[] | null
  /** The chosen event, whose values are suggested. */
  source: { adv_id: number; event: string } | null
  /** By the key of a row. */
  problems: Record<string, string>
}) {
  const { rows, onChange, offered, source, problems } = props
  const hasNone = offered?.length === 0
  return (
    <Form.Item label="事件属性" extra={hasNone ? '此事件没有属性' : undefined}>
      <Flex vertical gap={8}>
        {rows.map((row) => (
          <PropertyRow
            key={row.key}
            row={row}
            offered={offered ?? []}
            source={source}
            problem={problems[row.key]}
            onChange={(part) => onChange(rows.map((one) => (one.key === row.key ? { ...one, ...part } : one)))}
            onRemove={() => onChange(rows.filter((one) => one.key !== row.key))}
          />
        ))}
        <Button
          type="dashed"
          icon={<PlusOutlined />}
          disabled={!offered || hasNone || rows.length >= PROPERTY_CONDITIONS_MAX}
          onClick={() => onChange([...rows, newProperty()])}
        >
          添加属性条件（同时满足）
        </Button>
      </Flex>
    </Form.Item>
  )
}

function PropertyRow(props: {
  row: Property
  offered: readonly PropertyInfo[]
  source: { adv_id: number; event: string } | null
  problem: string | undefined
  onChange: (part: Partial<Property>) => void
  onRemove: () => void
}) {
  const { row, offered, source, problem, onChange, onRemove } = props
  const search = useLabelSearch()
  return (
    <div>
      <Flex gap={8} align="flex-start">
        <Select
          aria-label="事件属性"
          placeholder="属性"
          {...(problem && !row.property ? { status: 'error' as const } : {})}
          className={styles.property}
          value={row.property}
          onChange={(property) => onChange({ property })}
          showSearch={search}
          options={offered.map(({ name, display_name }) => ({ value: name, label: display_name }))}
        />
        <ConditionFields
          value={row.condition}
          onChange={(condition) => onChange({ condition })}
          source={source && row.property ? { ...source, property: row.property } : null}
          type={offered.find(({ name, is_type_fixed }) => name === row.property && is_type_fixed)?.type ?? null}
          hasProblem={Boolean(problem && row.property)}
        />
        <Button type="text" icon={<DeleteOutlined />} aria-label="移除此条件" onClick={onRemove} />
      </Flex>
      {problem && <div className={text.problem}>{problem}</div>}
    </div>
  )
}

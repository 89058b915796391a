import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Form, InputNumber, Segmented, Select } from 'antd'
import type { ReactNode } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import { leftOutText, type listFields, WINDOW_DAYS_MAX } from '#contract/tag.ts'
import text from '../../components/text.module.css'
import { ConditionFields } from './ConditionFields.tsx'
import { type DefinitionDraft, newProperty } from './definition-draft.ts'

export type Fields = DataOf<typeof listFields>

const PROPERTIES_MAX = 10
const DEFAULT_WINDOW_DAYS = 30

/** `display（name）` if the display name differs. */
const labelOf = (field: { name: string; display_name: string }): string =>
  field.display_name && field.display_name !== field.name ? `${field.display_name}（${field.name}）` : field.name

function Row(props: { label: string; problem?: string | undefined; note?: string | null; children: ReactNode }) {
  const { label, problem, note = null, children } = props
  return (
    <Form.Item label={label} extra={note} {...(problem ? { validateStatus: 'error' as const, help: problem } : {})}>
      {children}
    </Form.Item>
  )
}

/** Builds a tag's definition from the imported attributes and events. */
export function DefinitionBuilder(props: {
  draft: DefinitionDraft
  onChange: (draft: DefinitionDraft) => void
  fields: Fields
  /** Shown after the first attempt to save. */
  problems: Record<string, string>
}) {
  const { draft, onChange, fields, problems } = props
  const set = (change: Partial<DefinitionDraft>) => onChange({ ...draft, ...change })

  if (draft.kind === 'attribute') {
    const info = fields.attributes.find((one) => one.name === draft.attribute)
    return (
      <>
        <Row label="属性" problem={problems.attribute} note={leftOutText(info?.left_out ?? [])}>
          <Select
            aria-label="属性"
            placeholder="选择属性"
            value={draft.attribute}
            onChange={(attribute) =>
              set({ attribute, condition: { ...draft.condition, value: '', values: [], from: '', to: '' } })
            }
            showSearch={{ optionFilterProp: 'label' }}
            options={fields.attributes.map((one) => ({ value: one.name, label: labelOf(one) }))}
          />
        </Row>
        <Row label="条件" problem={problems.condition}>
          <ConditionFields
            value={draft.condition}
            onChange={(condition) => set({ condition })}
            suggestions={info?.values ?? []}
            type={info?.type ?? null}
            hasProblem={Boolean(problems.condition)}
          />
        </Row>
      </>
    )
  }

  const event = fields.events.find((one) => one.name === draft.event)
  return (
    <>
      <Row label="事件" problem={problems.event}>
        <Flex gap={8}>
          <Segmented
            aria-label="做过或未做过"
            value={draft.negated}
            onChange={(negated) => set({ negated })}
            options={[
              { value: false, label: '做过' },
              { value: true, label: '未做过' },
            ]}
          />
          <Select
            aria-label="事件"
            placeholder="选择事件"
            style={{ flex: 1 }}
            value={draft.event}
            onChange={(name) => set({ event: name, properties: [] })}
            showSearch={{ optionFilterProp: 'label' }}
            options={fields.events.map((one) => ({ value: one.name, label: labelOf(one) }))}
          />
        </Flex>
      </Row>
      <Row label="时间" problem={problems.window}>
        <Flex gap={8} align="center">
          <Segmented
            aria-label="时间"
            value={draft.window_days === null}
            onChange={(allTime) => set({ window_days: allTime ? null : DEFAULT_WINDOW_DAYS })}
            options={[
              { value: true, label: '全部时间' },
              { value: false, label: '过去 N 天' },
            ]}
          />
          {draft.window_days !== null && (
            <>
              <InputNumber
                aria-label="天数"
                min={1}
                max={WINDOW_DAYS_MAX}
                precision={0}
                value={draft.window_days}
                onChange={(days) => set({ window_days: days ?? 0 })}
                style={{ width: 100 }}
              />
              <span className={text.hint}>天，截至昨天，按整天计</span>
            </>
          )}
        </Flex>
      </Row>
      <Row label={draft.negated ? '次数（不足）' : '次数（至少）'} problem={problems.times}>
        <Flex gap={8} align="center">
          <InputNumber
            aria-label="次数"
            min={1}
            max={1_000_000}
            precision={0}
            value={draft.at_least}
            onChange={(times) => set({ at_least: times ?? 0 })}
            style={{ width: 120 }}
          />
          <span>次</span>
          {draft.negated && draft.at_least === 1 && <span className={text.hint}>即一次也没有</span>}
        </Flex>
      </Row>
      <Form.Item label="事件属性" extra={event && event.properties.length === 0 ? '此事件没有属性' : undefined}>
        <Flex vertical gap={8}>
          {draft.properties.map((row) => {
            const change = (part: Partial<typeof row>) =>
              set({ properties: draft.properties.map((one) => (one.key === row.key ? { ...one, ...part } : one)) })
            const problem = problems[row.key]
            return (
              <div key={row.key}>
                <Flex gap={8} align="flex-start">
                  <Select
                    aria-label="事件属性"
                    placeholder="属性"
                    {...(problem && !row.property ? { status: 'error' as const } : {})}
                    style={{ width: 120 }}
                    value={row.property}
                    onChange={(property) => change({ property })}
                    showSearch
                    options={(event?.properties ?? []).map((name) => ({ value: name, label: name }))}
                  />
                  <ConditionFields
                    value={row.condition}
                    onChange={(condition) => change({ condition })}
                    suggestions={[]}
                    type={null}
                    hasProblem={Boolean(problem && row.property)}
                  />
                  <Button
                    type="text"
                    icon={<DeleteOutlined />}
                    aria-label="移除此条件"
                    onClick={() => set({ properties: draft.properties.filter((one) => one.key !== row.key) })}
                  />
                </Flex>
                {problem && <div className={text.problem}>{problem}</div>}
              </div>
            )
          })}
          <Button
            type="dashed"
            icon={<PlusOutlined />}
            disabled={!event || event.properties.length === 0 || draft.properties.length >= PROPERTIES_MAX}
            onClick={() => set({ properties: [...draft.properties, newProperty()] })}
          >
            添加属性条件（同时满足）
          </Button>
        </Flex>
      </Form.Item>
    </>
  )
}

import { Flex, InputNumber, Segmented, Select } from 'antd'
import { WINDOW_DAYS_MAX } from '#contract/tag.ts'
import text from '../../components/text.module.css'
import { type DefinitionProps, DefinitionRow, labelOf } from './DefinitionRow.tsx'
import { PropertyConditions } from './PropertyConditions.tsx'
import styles from './tag.module.css'

const DEFAULT_WINDOW_DAYS = 30

/** The event of an event tag: whether, when and how often it happened, and with which properties. */
export function EventDefinition({ draft, set, fields, problems }: DefinitionProps) {
  const event = fields.events.find((one) => one.name === draft.event)
  return (
    <>
      <DefinitionRow label="事件" problem={problems.event}>
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
            className={styles.event}
            value={draft.event}
            onChange={(name) => set({ event: name, properties: [] })}
            showSearch={{ optionFilterProp: 'label' }}
            options={fields.events.map((one) => ({ value: one.name, label: labelOf(one) }))}
          />
        </Flex>
      </DefinitionRow>
      <DefinitionRow label="时间" problem={problems.window}>
        <WindowField days={draft.window_days} onChange={(window_days) => set({ window_days })} />
      </DefinitionRow>
      <DefinitionRow label={draft.negated ? '次数（不足）' : '次数（至少）'} problem={problems.times}>
        <Flex gap={8} align="center">
          <InputNumber
            aria-label="次数"
            min={1}
            max={1_000_000}
            precision={0}
            value={draft.at_least}
            onChange={(times) => set({ at_least: times ?? 0 })}
            className={styles.times}
          />
          <span>次</span>
          {draft.negated && draft.at_least === 1 && <span className={text.hint}>即一次也没有</span>}
        </Flex>
      </DefinitionRow>
      <PropertyConditions
        rows={draft.properties}
        onChange={(properties) => set({ properties })}
        offered={event?.properties ?? null}
        problems={problems}
      />
    </>
  )
}

/** All time, or the last days before today. */
const WindowField = ({ days, onChange }: { days: number | null; onChange: (days: number | null) => void }) => (
  <Flex gap={8} align="center">
    <Segmented
      aria-label="时间"
      value={days === null}
      onChange={(allTime) => onChange(allTime ? null : DEFAULT_WINDOW_DAYS)}
      options={[
        { value: true, label: '全部时间' },
        { value: false, label: '过去 N 天' },
      ]}
    />
    {days !== null && (
      <>
        <InputNumber
          aria-label="天数"
          min={1}
          max={WINDOW_DAYS_MAX}
          precision={0}
          value={days}
          onChange={(next) => onChange(next ?? 0)}
          className={styles.days}
        />
        <span className={text.hint}>天，截至昨天，按整天计</span>
      </>
    )}
  </Flex>
)

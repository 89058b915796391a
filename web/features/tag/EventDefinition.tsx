import { Flex, Segmented } from 'antd'
import { MEASURES } from '#contract/tag-event.ts'
import { type DefinitionProps, DefinitionRow } from './DefinitionRow.tsx'
import { FieldSelect } from './FieldSelect.tsx'
import { MeasureFields } from './MeasureFields.tsx'
import { PeriodFields } from './PeriodFields.tsx'
import { PropertyConditions } from './PropertyConditions.tsx'
import styles from './tag.module.css'
import { useEvent } from './use-fields.ts'

const MOMENT_NOTE = '首次或最近一次发生在这段时间内的人；用过去 N 天或 N 天以前时，今天发生的不计。'

/** The event of an event tag: whether, when and how often it happened, or what its numbers come to. */
export function EventDefinition({ draft, set, advId, problems }: DefinitionProps) {
  const event = useEvent(advId, draft.event)
  const { period, measure, negated } = draft
  const source = draft.event === null ? null : { adv_id: advId, event: draft.event }
  return (
    <>
      <DefinitionRow label="事件" problem={problems.event}>
        <Flex gap={8}>
          <Segmented
            aria-label="做过或未做过"
            value={negated}
            onChange={(next) => set({ negated: next })}
            options={[
              { value: false, label: '做过' },
              { value: true, label: '未做过' },
            ]}
          />
          <FieldSelect
            advId={advId}
            kind="events"
            label="事件"
            className={styles.event}
            value={draft.event === null ? null : (event ?? { name: draft.event, display_name: '' })}
            onChange={({ name }) => set({ event: name, properties: [], measure: { ...measure, property: null } })}
          />
        </Flex>
      </DefinitionRow>
      <DefinitionRow
        label="时间"
        problem={problems.period}
        note={MEASURES[measure.key].asks === 'moment' ? MOMENT_NOTE : null}
      >
        <PeriodFields
          value={period}
          onChange={(change) => set({ period: { ...period, ...change } })}
          hasProblem={Boolean(problems.period)}
        />
      </DefinitionRow>
      <DefinitionRow label="统计" problem={problems.measure}>
        <MeasureFields
          value={measure}
          onChange={(change) => set({ measure: { ...measure, ...change } })}
          properties={event?.properties ?? []}
          source={source}
          negated={negated}
          hasProblem={Boolean(problems.measure)}
        />
      </DefinitionRow>
      <PropertyConditions
        rows={draft.properties}
        onChange={(properties) => set({ properties })}
        offered={draft.event === null ? null : (event?.properties ?? [])}
        source={source}
        problems={problems}
      />
    </>
  )
}

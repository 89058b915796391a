import { ConfigProvider, Flex, InputNumber, Select } from 'antd'
import { keysOf } from '#contract/common.ts'
import { MEASURES, type MeasureKey, TIMES_MAX } from '#contract/tag-event.ts'
import type { PropertyInfo } from '#contract/tag-field.ts'
import text from '../../components/text.module.css'
import { useLabelSearch } from '../../lib/name-search.ts'
import { ClosedField } from './condition/ClosedField.tsx'
import { NumberRange } from './condition/NumberRange.tsx'
import { useClosedField } from './condition/use-value-suggestions.ts'
import type { MeasureDraft } from './definition-draft.ts'
import styles from './tag.module.css'

const OPTIONS = keysOf(MEASURES).map((value) => ({ value, label: MEASURES[value].label }))

interface Props {
  value: MeasureDraft
  onChange: (change: Partial<MeasureDraft>) => void
  properties: readonly PropertyInfo[]
  /** The chosen event. */
  source: { adv_id: number; event: string } | null
  negated: boolean
  hasProblem: boolean
}

/** What is counted of a person's events, and between which limits. */
export function MeasureFields(props: Props) {
  const { value, onChange } = props
  const { asks } = MEASURES[value.key]
  return (
    <Flex gap={8} align="center" wrap>
      <Select<MeasureKey>
        aria-label="统计"
        value={value.key}
        onChange={(key) => onChange({ key })}
        options={OPTIONS}
        className={styles.measure}
      />
      {asks === 'count' && <CountFields {...props} />}
      {asks === 'number' && <NumberFields {...props} />}
      {asks === 'moment' && <span className={text.hint}>在上面的时间内</span>}
    </Flex>
  )
}

function CountFields({ value, onChange, negated, hasProblem }: Props) {
  const { unit } = MEASURES[value.key]
  const { at_least, at_most } = value
  const field = (label: string, name: 'at_least' | 'at_most', placeholder?: string) => (
    <InputNumber
      aria-label={label}
      {...(placeholder ? { placeholder } : {})}
      status={hasProblem ? 'error' : ''}
      min={1}
      max={TIMES_MAX}
      precision={0}
      value={value[name]}
      onChange={(times) => onChange({ [name]: times })}
      className={styles.times}
    />
  )
  return (
    <>
      <span>至少</span>
      {field(`至少几${unit}`, 'at_least')}
      <span>{unit}，至多</span>
      {field(`至多几${unit}`, 'at_most', '不限')}
      <span>{unit}</span>
      {negated && at_most === null && at_least !== null && (
        <span className={text.hint}>
          {at_least === 1 ? '即一次也没有' : `即不足 ${at_least} ${unit}，没做过的也在内`}
        </span>
      )}
    </>
  )
}

function NumberFields({ value, onChange, properties, source, hasProblem }: Props) {
  const search = useLabelSearch()
  const closed = useClosedField(source && value.property ? { ...source, property: value.property } : null)
  return (
    <>
      <Select
        aria-label="数值属性"
        placeholder="数值属性"
        status={hasProblem && !value.property ? 'error' : ''}
        value={value.property}
        onChange={(property) => onChange({ property })}
        showSearch={search}
        notFoundContent="没有数值属性；类型可在「数据接入」的「事件」中修改"
        options={numericOptions(properties, value.property)}
        className={styles.property}
      />
      <ConfigProvider componentDisabled={closed !== null}>
        <NumberRange
          from={value.from}
          to={value.to}
          onChange={onChange}
          status={hasProblem && value.property ? 'error' : ''}
        />
      </ConfigProvider>
      {closed && <ClosedField reason={closed} />}
    </>
  )
}

/** Numbers alone can be added up. Offered are also properties without a value in the sample, and one that a tag names already. */
export const numericOptions = (properties: readonly PropertyInfo[], chosen: string | null) =>
  [...properties.filter(({ type }) => type === 'number'), ...properties.filter(({ type }) => type !== 'number')]
    .filter(({ name, type }) => type === 'number' || type === null || name === chosen)
    .map(({ name, display_name }) => ({ value: name, label: display_name }))

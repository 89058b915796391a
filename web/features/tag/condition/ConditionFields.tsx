import { ConfigProvider, Flex, Select } from 'antd'
import type { ReactNode } from 'react'
import { OPERATOR_KEYS, OPERATORS, type OperatorKey, type ValueType } from '#contract/tag-condition.ts'
import type { ConditionDraft } from '../definition-draft.ts'
import styles from '../tag.module.css'
import { ClosedField } from './ClosedField.tsx'
import { DayOperand, DaySpanOperand, DaysOperand } from './DayOperands.tsx'
import type { OperandProps } from './operand.ts'
import { RangeOperand } from './RangeOperand.tsx'
import { useClosedField, type ValueSource } from './use-value-suggestions.ts'
import { TextOperand, ValueOperand, ValuesOperand } from './ValueOperands.tsx'

const OPERANDS: Record<OperatorKey, ((props: OperandProps) => ReactNode) | null> = {
  equals: ValueOperand,
  not_equals: ValueOperand,
  in: ValuesOperand,
  not_in: ValuesOperand,
  contains: TextOperand,
  starts_with: TextOperand,
  range: RangeOperand,
  on: DaySpanOperand,
  not_before: DayOperand,
  before: DayOperand,
  days: DaysOperand,
  exists: null,
  empty: null,
}

/** The operators for values of a type; the chosen one always stays. */
const operatorOptions = (type: ValueType, chosen: OperatorKey) =>
  OPERATOR_KEYS.filter((key) => {
    const { offered } = OPERATORS[key]
    return key === chosen || offered === 'all' || offered.includes(type)
  }).map((value) => ({ value, label: OPERATORS[value].label }))

/** The operator of one condition and what it compares with. */
export function ConditionFields(props: {
  value: ConditionDraft
  onChange: (value: ConditionDraft) => void
  /** Whose values are suggested. */
  source: ValueSource | null
  type: ValueType
  hasProblem: boolean
}) {
  const { value, onChange, source, type, hasProblem } = props
  const set = (change: Partial<ConditionDraft>) => onChange({ ...value, ...change })
  const Operand = OPERANDS[value.is]
  const closed = useClosedField(Operand ? source : null)
  return (
    <Flex gap={8} wrap align="center" className={styles.condition}>
      <Select
        aria-label="条件"
        value={value.is}
        onChange={(is) => set({ is, as: type === 'number' || type === 'date' ? type : value.as })}
        options={operatorOptions(type, value.is)}
        listHeight={416}
        className={styles.operator}
      />
      {Operand && (
        <ConfigProvider componentDisabled={closed !== null}>
          <Operand value={value} set={set} source={source} type={type} status={hasProblem ? 'error' : ''} />
        </ConfigProvider>
      )}
      {closed && <ClosedField reason={closed} />}
    </Flex>
  )
}

import type { ValueType } from '#contract/tag-condition.ts'
import type { ConditionDraft } from '../definition-draft.ts'
import type { ValueSource } from './use-value-suggestions.ts'

/** What an operator compares with, as fields. */
export interface OperandProps {
  value: ConditionDraft
  set: (change: Partial<ConditionDraft>) => void
  /** Whose values are suggested. */
  source: ValueSource | null
  type: ValueType
  status: 'error' | ''
}

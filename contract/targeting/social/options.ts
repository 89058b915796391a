import type { OptionGroup } from '../five-tab/options.ts'
import { type ChoiceField, codesOf, LABELS, labelOf } from './labels.ts'
import { isExclusionWithdrawn, isWithdrawn, WITHDRAWN_LABEL } from './platform.ts'

const labelWithNote = (field: ChoiceField, code: string) =>
  field === 'excluded_dimension' && isExclusionWithdrawn(code)
    ? `${labelOf(field, code)}（${WITHDRAWN_LABEL}）`
    : labelOf(field, code)

/** The static choices of the platform. */
export const optionGroups = (): OptionGroup[] =>
  (Object.keys(LABELS) as ChoiceField[]).map((field) => ({
    value: field,
    note: isWithdrawn(field) ? WITHDRAWN_LABEL : '',
    children: codesOf(field).map((value) => ({ value, label: labelWithNote(field, value) })),
  }))

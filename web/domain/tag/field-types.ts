import { keysOf } from '#contract/common.ts'
import { FIELD_TYPES } from '#contract/outcomes/tag.ts'
import type { FieldType } from '#contract/tag-field.ts'

/** The choice of leaving the type to the data. */
export const GUESSED = 'guessed'
export type TypeChoice = FieldType | typeof GUESSED

export const typeOfChoice = (choice: TypeChoice): FieldType | null => (choice === GUESSED ? null : choice)

/** The choices of a type. `guess`: what the data look like, where that is known. */
export const typeOptions = (guess: FieldType | null) => [
  { value: GUESSED, label: guess ? `由数据推断（${FIELD_TYPES[guess]}）` : '由数据推断' },
  ...keysOf(FIELD_TYPES).map((value) => ({ value, label: FIELD_TYPES[value] })),
]

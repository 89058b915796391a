import { sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'

export const Sentence = ({ outcome }: { outcome: AnyOutcome }) => sentenceOf(outcome)

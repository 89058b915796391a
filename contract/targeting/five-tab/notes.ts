import { type Outcome, outcome } from '../../outcome.ts'
import { editorOf, type FiveTabPlatform } from './platforms.ts'
import type { FiveTabForm } from './schema.ts'
import { targetingWords } from './words.ts'

/** What the preview notes about a package that can be saved all the same. */
export function previewNotes(platform: FiveTabPlatform, form: FiveTabForm): Outcome[] {
  const fields = targetingWords(platform, form).flatMap((line) => (line.isWithdrawn ? [line.field] : []))
  const isIdle =
    editorOf(platform).crowdsStopRecommend &&
    form.smart_interest_action === 'RECOMMEND' &&
    form.auto_crowd_mode.length > 0
  return [
    ...(fields.length > 0 ? [outcome('targeting_fields_withdrawn', { fields })] : []),
    ...(isIdle ? [outcome('targeting_recommend_idle')] : []),
  ]
}

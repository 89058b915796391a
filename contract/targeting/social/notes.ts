import { type Outcome, outcome } from '../../outcome.ts'
import type { Field } from './fields.ts'
import { SENDING_LIMITS, WECHAT_LOCATION_TYPE } from './platform.ts'
import type { SocialForm } from './schema.ts'
import { isShown } from './shown.ts'
import { targetingWords } from './words.ts'

const districtsIn = ({ custom_locations }: SocialForm) =>
  custom_locations.filter(({ kind }) => kind === 'business_district').length

function sizeOf(form: SocialForm, field: Field): number {
  const value = form[field]
  // Circles have no limit of their own.
  if (field === 'custom_locations') return isShown(field, form) ? districtsIn(form) : 0
  return Array.isArray(value) && isShown(field, form) ? value.length : 0
}

/** What the preview notes about a package that can be saved all the same. */
export function previewNotes(form: SocialForm): Outcome[] {
  const withdrawn = targetingWords(form).flatMap((line) => (line.isWithdrawn ? [line.field] : []))
  const overLimit = SENDING_LIMITS.flatMap(({ fields, max }) => {
    const count = fields.reduce((sum, field) => sum + sizeOf(form, field), 0)
    return count > max ? [outcome('social_over_sending_limit', { fields: [...fields], max, count })] : []
  })
  const isOutsideWechat =
    isShown('location_types', form) && form.location_types.some((code) => code !== WECHAT_LOCATION_TYPE)
  return [
    ...(withdrawn.length > 0 ? [outcome('social_fields_withdrawn', { fields: withdrawn })] : []),
    ...overLimit,
    ...(isOutsideWechat ? [outcome('social_wechat_places')] : []),
  ]
}

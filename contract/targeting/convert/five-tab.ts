import { type Outcome, outcome } from '../../outcome.ts'
import { restricts } from '../five-tab/faults.ts'
import { FIELD_ORDER, FIELDS, type Field } from '../five-tab/fields.ts'
import { emptyForm, formOf } from '../five-tab/form.ts'
import { type ChoiceField, type CodeOf, LABELS, labelOf } from '../five-tab/labels.ts'
import { codesOf, editorOf, type FiveTabPlatform, hasField } from '../five-tab/platforms.ts'
import { savedTargeting } from '../five-tab/save.ts'
import type { FiveTabForm, FiveTabTargeting } from '../five-tab/schema.ts'
import { choicesOf, isShown } from '../five-tab/shown.ts'
import { targetingWords } from '../five-tab/words.ts'
import type { Place, RadiusBounds } from '../place.ts'
import { sameBands } from './ages.ts'
import type { Conversion, CopyChange, CopyTarget } from './conversion.ts'

const isChoice = (field: string): field is ChoiceField => Object.hasOwn(LABELS, field)

/** The code of a platform that means the same: the code itself, or the one with its label. */
function sameCode<F extends ChoiceField>(platform: FiveTabPlatform, field: F, code: string): CodeOf<F> | undefined {
  const codes = codesOf(platform, field)
  return codes.find((one) => one === code) ?? codes.find((one) => labelOf(field, one) === labelOf(field, code))
}

/** A place with a radius that the platform takes. */
export const within = (place: Place, { min, max }: RadiusBounds): Place =>
  place.kind === 'circle' ? { ...place, radius: Math.min(max, Math.max(min, place.radius)) } : place

/** Plans of regions are an advertiser's own; their regions are the platform's. */
export function expanded({ regions, regionsPlan }: FiveTabForm['regions']): FiveTabForm['regions'] {
  return { regions: [...new Set([...regions, ...regionsPlan.flatMap((plan) => plan.regions)])], regionsPlan: [] }
}

/** A field's value as the platform would hold it, before the fields are looked at together. */
function fieldFor(to: FiveTabPlatform, field: Field, form: FiveTabForm, target: CopyTarget) {
  switch (field) {
    case 'age':
      return sameBands(to, form.age)
    case 'regions':
      return target.isSameAdvertiser ? form.regions : expanded(form.regions)
    case 'custom_locations': {
      const { radius } = editorOf(to)
      return radius === null ? [] : form.custom_locations.map((place) => within(place, radius))
    }
    case 'retargeting_tags_include':
    case 'retargeting_tags_exclude': {
      const has = new Set(target.crowds?.map((row) => row.retargeting_tags_id))
      return target.isSameAccount ? form[field] : form[field].filter((id) => has.has(id))
    }
    default: {
      const value = form[field]
      if (!isChoice(field)) return value
      if (!Array.isArray(value)) return sameCode(to, field, String(value)) ?? emptyForm(to)[field]
      return (value as readonly string[]).flatMap((code) => sameCode(to, field, code) ?? [])
    }
  }
}

/** Leaves out what other choices rule out, and switches whose field has become empty. */
function settled(to: FiveTabPlatform, form: FiveTabForm): FiveTabForm {
  const next = { ...form }
  const offers = <F extends 'platform' | 'device_brand'>(field: F) => {
    const codes: readonly string[] = choicesOf(to, field, next).map(({ value }) => value)
    return (code: string) => codes.includes(code)
  }
  next.platform = next.platform.filter(offers('platform'))
  next.device_brand = next.device_brand.filter(offers('device_brand'))
  if (next.device_brand.length === 0) next.device_brand_by = []
  if (next.career.length === 0) next.career_by = []
  if (next.action_scene.length === 0) next.action_scene = [...codesOf(to, 'action_scene')]
  next.auto_crowd_mode = next.auto_crowd_mode.filter(
    (role) => next[role === 1 ? 'retargeting_tags_include' : 'retargeting_tags_exclude'].length > 0,
  )
  const opens = next.auto_extend_targets.filter((one) => !editorOf(to).expandsOnlyRestricted || restricts(next, one))
  next.auto_extend_targets = opens
  if (opens.length === 0) next.auto_extend_enabled = 0
  return next
}

/** The rows of crowds as the account lists them. */
function withRowsOf(form: FiveTabForm, { crowds, isSameAccount }: CopyTarget): FiveTabForm {
  if (isSameAccount) return form
  const rowsOf = (ids: readonly string[]) =>
    ids.flatMap((id) => crowds?.find((row) => row.retargeting_tags_id === id) ?? [])
  return {
    ...form,
    retargeting_tags_include_local: rowsOf(form.retargeting_tags_include),
    retargeting_tags_exclude_local: rowsOf(form.retargeting_tags_exclude),
  }
}

/** The type that was asked for or the original's, where the platform has it; else its first. */
export function typeFor(to: FiveTabPlatform, had: FiveTabForm['landing_type'], asked: string | null) {
  const types = codesOf(to, 'landing_type')
  return types.find((type) => type === (asked ?? had)) ?? types[0] ?? null
}

/** Tells of another type that nobody asked for. */
export function typeChangeOf(
  had: FiveTabForm['landing_type'],
  has: FiveTabForm['landing_type'],
  { landing_type }: CopyTarget,
): CopyChange[] {
  if (landing_type !== null || had === has || has === null) return []
  const words = had === null ? [] : [labelOf('landing_type', had)]
  return [{ label: '定向包类型', words, now: [labelOf('landing_type', has)], reason: outcome('copy_choices_missing') }]
}

const CROWD_FIELDS: readonly Field[] = ['retargeting_tags_include', 'retargeting_tags_exclude']

function reasonOf(to: FiveTabPlatform, field: Field, next: FiveTabForm, target: CopyTarget): Outcome {
  if (!hasField(to, field)) return outcome('copy_field_missing')
  if (CROWD_FIELDS.includes(field))
    return outcome(target.crowds === null ? 'copy_crowds_unread' : 'copy_crowds_missing')
  if (field === 'age') return outcome('copy_ages_differ')
  if (field === 'regions') return outcome('copy_plans_expanded')
  if (field === 'custom_locations') {
    const { radius } = editorOf(to)
    return radius === null ? outcome('copy_field_missing') : outcome('copy_radius_bounded', radius)
  }
  return outcome(isShown(to, field, next) && isChoice(field) ? 'copy_choices_missing' : 'copy_depends')
}

/** What differs between the two, in words of each field. */
function changesOf(
  from: FiveTabPlatform,
  form: FiveTabForm,
  to: FiveTabPlatform,
  next: FiveTabForm,
  target: CopyTarget,
): CopyChange[] {
  // Crowds are named as in the original, so that only those that are left out differ.
  const named = {
    ...next,
    retargeting_tags_include_local: form.retargeting_tags_include_local,
    retargeting_tags_exclude_local: form.retargeting_tags_exclude_local,
  }
  const before = new Map(targetingWords(from, form).map((line) => [line.field, line.words]))
  const after = new Map(targetingWords(to, named).map((line) => [line.field, line.words]))
  return FIELD_ORDER.flatMap((field) => {
    const [had, has] = [before.get(field) ?? [], after.get(field) ?? []]
    const words = had.filter((word) => !has.includes(word))
    const now = has.filter((word) => !had.includes(word))
    if (words.length + now.length === 0) return []
    return [{ label: FIELDS[field].label, words, now, reason: reasonOf(to, field, next, target) }]
  })
}

/** A targeting of one platform of the five-tab editor for another one, or for another account. */
export function convertFiveTab(
  from: FiveTabPlatform,
  targeting: FiveTabTargeting,
  to: FiveTabPlatform,
  target: CopyTarget,
): Conversion {
  const form = formOf(from, targeting)
  const landing_type = typeFor(to, form.landing_type, target.landing_type)
  if (from === to && target.isSameAccount && landing_type === form.landing_type) return { targeting, changes: [] }
  const fields = FIELD_ORDER.filter((field) => isShown(from, field, form) && hasField(to, field))
  const carried = Object.fromEntries(fields.map((field) => [field, fieldFor(to, field, form, target)]))
  const next = settled(to, { ...emptyForm(to), ...carried, landing_type })
  const rows = {
    retargeting_tags_include_local: form.retargeting_tags_include_local,
    retargeting_tags_exclude_local: form.retargeting_tags_exclude_local,
  }
  return {
    targeting: savedTargeting(to, withRowsOf({ ...next, ...rows }, target)),
    changes: [...typeChangeOf(form.landing_type, landing_type, target), ...changesOf(from, form, to, next, target)],
  }
}

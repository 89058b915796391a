import { CROWD_LABELS, type CrowdRole, crowdLabel } from '../five-tab/crowd-row.ts'
import { type NameOf, named } from '../names.ts'
import { inOfferedOrder } from '../offered-order.ts'
import { placeWords } from '../place.ts'
import { CROWD_FIELDS } from './change.ts'
import { FIELD_ORDER, FIELDS, type Field, type Tab } from './fields.ts'
import { isChoice, LABELS, labelOf } from './labels.ts'
import { AGE, COMMUNITY_PRICE, isExclusionWithdrawn, isWithdrawn } from './platform.ts'
import { sceneWords } from './scene.ts'
import type { AgeRange, PriceRange, SocialForm, Tag } from './schema.ts'
import { isShown } from './shown.ts'

/** The dictionaries that name ids; what is left out is named as it was when it was chosen. */
export interface Names {
  region?: NameOf<string>
  /** Of 商圈. */
  district?: NameOf<string>
  behaviour?: NameOf<string>
  interest?: NameOf<string>
  intention?: NameOf<string>
  /** Keywords are texts: null where the platform knows the text no more. */
  behaviourKeyword?: NameOf<string>
  interestKeyword?: NameOf<string>
  crowd?: NameOf<string>
}

/** One line of the preview. */
export interface WordsLine {
  tab: Tab
  field: Field
  label: string
  words: string[]
  /** The platform no longer accepts it, so it is not sent. */
  isWithdrawn: boolean
}

/** A range of ages: 18-30 岁, 40 岁及以上. */
export const ageWords = ({ min, max }: AgeRange): string => (max < AGE.max ? `${min}-${max} 岁` : `${min} 岁及以上`)
/** A range of prices: 10000-20000 元/m², 50000 元/m² 以上. */
export const priceWords = ({ min, max }: PriceRange): string =>
  max < COMMUNITY_PRICE.max ? `${min}-${max} 元/m²` : `${min} 元/m² 以上`

const tagWords = (tags: readonly Tag[], nameOf: NameOf<string> | undefined) =>
  tags.map(({ id, name }) => named(nameOf?.(id), name, id))
const textWords = (texts: readonly string[], nameOf: NameOf<string> | undefined) =>
  texts.map((text) => named(nameOf?.(text), text, text))

function crowdWords(form: SocialForm, role: CrowdRole, nameOf: NameOf<string> | undefined): string[] {
  const field = CROWD_FIELDS[role]
  const rows = new Map(form[`${field}_local`].map((row) => [row.retargeting_tags_id, row]))
  return (form[field] ?? []).map((id) => {
    const row = rows.get(id)
    const label = row && crowdLabel(row, role)
    return named(nameOf?.(id), row?.name, id) + (label ? `（${CROWD_LABELS[label]}）` : '')
  })
}

/** Words of dimensions that are not lists of codes; one that only opens others has none. */
const SAY: { [F in Field]?: (form: SocialForm, names: Names) => string[] } = {
  geo_location: () => [],
  regions: ({ regions }, { region }) => regions.map((id) => named(region?.(id), undefined, id)),
  custom_locations: ({ custom_locations }, { district }) =>
    custom_locations.map((place) => placeWords(place, district)),
  age: ({ age }) => (age ?? []).map(ageWords),
  residential_community_price: ({ residential_community_price }) => (residential_community_price ?? []).map(priceWords),
  behavior: (form) => (form.behavior === 'CUSTOM' ? [sceneWords(form)] : []),
  // Both are in the sentence.
  behavior_scene: () => [],
  behavior_time_window: () => [],
  behavior_categories: (form, { behaviour }) => tagWords(form.behavior_categories, behaviour),
  behavior_keywords: (form, { behaviourKeyword }) => textWords(form.behavior_keywords, behaviourKeyword),
  interest: () => [],
  interest_categories: (form, { interest }) => tagWords(form.interest_categories, interest),
  interest_keywords: (form, { interestKeyword }) => textWords(form.interest_keywords, interestKeyword),
  intention: ({ intention }, names) => tagWords(intention ?? [], names.intention),
  custom_audience: (form, { crowd }) => crowdWords(form, 'include', crowd),
  excluded_custom_audience: (form, { crowd }) => crowdWords(form, 'exclude', crowd),
}

function wordsOf(form: SocialForm, field: Field, names: Names): string[] {
  const say = SAY[field]
  if (say) return say(form, names)
  const chosen = form[field]
  if (!isChoice(field) || !Array.isArray(chosen)) return []
  return inOfferedOrder(LABELS[field], chosen.map(String)).map((code) => labelOf(field, code))
}

/** Whether what the form holds of a dimension is not sent. */
const isLeftOut = (field: Field, form: SocialForm): boolean =>
  isWithdrawn(field) ||
  (FIELDS[field].tab === 'conversion' && (form.excluded_dimension ?? []).some((code) => isExclusionWithdrawn(code)))

/** The chosen targeting in words: one line for each dimension that restricts it, in the order of the tabs. */
export function targetingWords(form: SocialForm, names: Names = {}): WordsLine[] {
  return FIELD_ORDER.filter((field) => isShown(field, form)).flatMap((field) => {
    const words = wordsOf(form, field, names)
    const { tab, label } = FIELDS[field]
    return words.length > 0 ? [{ tab, field, label, words, isWithdrawn: isLeftOut(field, form) }] : []
  })
}

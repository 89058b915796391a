import { type NameOf, named } from '../names.ts'
import { inOfferedOrder } from '../offered-order.ts'
import { placeWords } from '../place.ts'
import { CROWD_LABELS, type CrowdRole, crowdLabel } from './crowd-row.ts'
import { FIELD_ORDER, FIELDS, type Field, type Tab } from './fields.ts'
import { type ChoiceField, LABELS, labelOf } from './labels.ts'
import { type FiveTabPlatform, isWithdrawn } from './platforms.ts'
import { PRICE, priceWords } from './price.ts'
import type { Fan, FiveTabForm, Tag } from './schema.ts'
import { isShown } from './shown.ts'

/** The dictionaries that name ids; what is left out is named as it was when it was chosen. */
export interface Names {
  region?: NameOf<string>
  /** Of 商圈. */
  district?: NameOf<string>
  action?: NameOf<Tag>
  interest?: NameOf<Tag>
  crowd?: NameOf<string>
  fan?: NameOf<Fan>
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

const tagWords = (tags: readonly Tag[], nameOf: NameOf<Tag> | undefined) =>
  tags.map((tag) => named(nameOf?.(tag), tag.name, tag.id))

const fanWords = (fan: Fan, nameOf: NameOf<Fan> | undefined) =>
  fan.type === 'account'
    ? named(nameOf?.(fan), fan.author_name, fan.label_id)
    : named(nameOf?.(fan), fan.label, fan.value)

function crowdWords(form: FiveTabForm, role: CrowdRole, nameOf: NameOf<string> | undefined): string[] {
  const rows = new Map(form[`retargeting_tags_${role}_local`].map((row) => [row.retargeting_tags_id, row]))
  return form[`retargeting_tags_${role}`].map((id) => {
    const row = rows.get(id)
    const label = row && crowdLabel(row, role)
    return named(nameOf?.(id), row?.name, id) + (label ? `（${CROWD_LABELS[label]}）` : '')
  })
}

type Say = (form: FiveTabForm, names: Names) => string[]

/** Words of fields that are not lists of codes; a switch that only opens another field has none. */
const SAY: { [F in Field]?: Say } = {
  regions: ({ regions }, { region }) => [
    ...regions.regions.map((id) => named(region?.(id), undefined, id)),
    ...regions.regionsPlan.map(({ name }) => name),
  ],
  district: () => [],
  custom_locations: ({ custom_locations }, { district }) =>
    custom_locations.map((place) => placeWords(place, district)),
  exclude_limited_region: ({ exclude_limited_region }) => (exclude_limited_region === 1 ? ['排除'] : []),
  smart_interest_action: ({ smart_interest_action }) =>
    smart_interest_action === 'RECOMMEND' ? [LABELS.smart_interest_action.RECOMMEND] : [],
  action_days: ({ action_days }) => [`${action_days} 天`],
  action_tags: ({ action_tags }, { action }) => tagWords(action_tags, action),
  interest_tags: ({ interest_tags }, { interest }) => tagWords(interest_tags, interest),
  retargeting_tags_include: (form, { crowd }) => crowdWords(form, 'include', crowd),
  retargeting_tags_exclude: (form, { crowd }) => crowdWords(form, 'exclude', crowd),
  launch_price: ({ launch_price: [low, high] }) =>
    low === PRICE.min && high === PRICE.max ? [] : [priceWords([low, high])],
  user_aweme_fan: ({ user_aweme_fan }, { fan }) => user_aweme_fan.map((one) => fanWords(one, fan)),
  new_customer: ({ new_customer }) => (new_customer === 'NONE' ? [] : [LABELS.new_customer[new_customer]]),
}

const isChoice = (field: Field): field is Field & ChoiceField => field in LABELS

function wordsOf(form: FiveTabForm, field: Field, names: Names): string[] {
  const say = SAY[field]
  if (say) return say(form, names)
  if (!isChoice(field)) return []
  const chosen: string | readonly string[] = form[field]
  return inOfferedOrder(LABELS[field], typeof chosen === 'string' ? [chosen] : chosen).map((code) =>
    labelOf(field, code),
  )
}

/** The chosen targeting in words: one line for each field that restricts it, in the order of the tabs. */
export function targetingWords(platform: FiveTabPlatform, form: FiveTabForm, names: Names = {}): WordsLine[] {
  return FIELD_ORDER.filter((field) => isShown(platform, field, form)).flatMap((field) => {
    const words = wordsOf(form, field, names)
    const { tab, label } = FIELDS[field]
    return words.length > 0 ? [{ tab, field, label, words, isWithdrawn: isWithdrawn(platform, field) }] : []
  })
}

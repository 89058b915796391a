import { type Json, parseJson } from '../json.ts'
import {
  both,
  type Crowd,
  crowdOf,
  daysAgo,
  either,
  everyone,
  membersOf,
  nobody,
  put,
  without,
} from '../population/population.ts'
import { ofStatus, type Status, valuesOf } from '../population/statuses.ts'
import { agedBetween, ofGender, onNetwork } from '../population/traits.ts'
import type { Generation } from './access.ts'
import { behaviourAt } from './behaviour.ts'
import { deviceOf, onSystemVersion, ownersOf, PRICES, SYSTEMS, withPrice } from './devices.ts'
import { Refusal } from './envelope.ts'
import { type Geo, geoAt } from './geo.ts'
import { codeAt, codesAt, eachAt, idAt, type JsonObject, listAt, objectAt, textAt, wholeAt } from './values.ts'

/** What an object restricts: the people whom it keeps, or those whom it takes away. */
interface Part {
  keeps?: () => Crowd
  takes?: () => Crowd
}
interface About {
  generation: Generation
  account_id: string
  /** Whether it may use what is open to some industries alone. */
  isOpen: boolean
  /** The people in an audience; refuses one that the account must not use. */
  members(id: string, path: string): Uint16Array
}
interface Field {
  /** The only generation that has it. */
  only?: Generation
  read(value: Json, path: string, about: About): Part
}

const union = (crowds: readonly Crowd[]): Crowd => crowds.reduce(either, nobody())
/** Any of some codes. */
const anyOf = <T extends string>(codes: readonly T[], reach: (code: T) => Crowd, most = codes.length): Field => ({
  read: (value, path) => {
    const chosen = codesAt(value, path, codes, most)
    return { keeps: () => union(chosen.map(reach)) }
  },
})
const ofStatuses = (status: Status, most?: number, codes = valuesOf(status)): Field =>
  anyOf(codes, (code) => ofStatus(status, code), most)

const PARENTING = ['PARENTING_0', 'PARENTING_0_6', 'PARENTING_6_12', 'PARENTING_12_24', 'PARENTING_24_36']
const NETWORKS = { WIFI: 'WIFI', NET_2G: '2G', NET_3G: '3G', NET_4G: '4G', NET_5G: '5G' } as const
const WECHAT_ACTIONS = [
  ...['WECHAT_OFFICIAL_ACCOUNT_FOLLOWED', 'WECHAT_COUPON_OBTAINED', 'WECHAT_OFFICIAL_ACCOUNT_AD_LIKE'],
  ...['WECHAT_MOMENTS_AD_LIKE', 'WECHAT_MOMENTS_AD_DISLIKE', 'MINI_GAME_WECHAT_REGISTERED'],
  ...['WECHAT_WORK_CONTACTS_ADDED', 'GDT_WECHAT_OFFICIAL_ACCOUNT_FOLLOWED', 'WECHAT_CHANNELS_FANS'],
  ...['WE_COM_CORP_ID_ADDED', 'WECHAT_MINI_GAME_AD_LIKE', 'APP_INSTALLED'],
]
const EXCLUSIONS = {
  1: [
    ...['EXCLUDED_DIMENSION_CAMPAIGN', 'EXCLUDED_DIMENSION_UID', 'EXCLUDED_DIMENSION_BUSINESS_MANAGER'],
    ...['EXCLUDED_DIMENSION_COMPANY_ACCOUNT', 'EXCLUDED_DIMENSION_APP', 'EXCLUDED_DIMENSION_PRODUCT'],
    // The platform's own spelling.
    'EXCLUDE_DIMENSION_WORKTABLE',
  ],
  3: [
    ...['EXCLUDED_DIMENSION_UID', 'EXCLUDED_DIMENSION_COMPANY_ACCOUNT', 'EXCLUDED_DIMENSION_APP'],
    ...['EXCLUDED_DIMENSION_PRODUCT', 'EXCLUDE_DIMENSION_WORKTABLE'],
  ],
}
const EXCLUDED_DAYS = { EXCLUDED_DAY_ONE_DAY: 1, EXCLUDED_DAY_SEVEN_DAY: 7, EXCLUDED_DAY_ONE_MONTH: 30 } as const
const LONGEST_DAYS = 180
const ACTION_LEAF = 910_000_000
const CONVERTED_LEAF = 920_000_000
const ACTION_SHARE = 0.2
const CONVERTED_SHARE = 0.06
const AUDIENCES_MOST = 200
const DEVICES_MOST = 400
const OLDEST = 66
/** The older generation has no ages between childhood and these. */
const NO_AGES = [15, 16, 17]

const number = (text: string) => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7)

const ages: Field = {
  read(value, path, { generation }) {
    const ranges = listAt(value, path, { most: 5 }).map((one, no): [number, number] => {
      const at = `${path}[${no}]`
      const { min, max } = objectAt(one, at, ['min', 'max'])
      if (min === undefined || max === undefined) throw new Refusal(18001, [`${at}.min`, `${at}.max`])
      const from = wholeAt(min, `${at}.min`, generation === 3 ? 18 : 14, OLDEST)
      const to = wholeAt(max, `${at}.max`, 18, OLDEST)
      if (generation === 1 && NO_AGES.includes(from)) throw new Refusal(31002, [`${at}.min`])
      if (to - from < (generation === 3 ? 4 : 0)) throw new Refusal(31002, [at])
      return [from, to]
    })
    return { keeps: () => union(ranges.map(([from, to]) => agedBetween(from, to === OLDEST ? 200 : to))) }
  },
}

const brands: Field = {
  read(value, path) {
    const given = objectAt(value, path, ['included_list', 'excluded_list'])
    const names = Object.keys(given)
    if (names.length !== 1) throw new Refusal(names.length === 0 ? 18001 : 31002, [path])
    const [name = ''] = names
    const owners = eachAt(given[name] as Json, `${path}.${name}`, { most: DEVICES_MOST }, idAt).map((id) => {
      const device = deviceOf(id)
      if (!device) throw new Refusal(31002, [`${path}.${name}`], id)
      return device
    })
    const reach = () => union(owners.map(ownersOf))
    return name === 'included_list' ? { keeps: reach } : { takes: reach }
  },
}

const wechat: Field = {
  read(value, path, { generation }) {
    const given = objectAt(value, path, ['actions', 'excluded_actions', ...(generation === 3 ? ['corp_id'] : [])])
    const read = (name: string) =>
      given[name] === undefined ? [] : codesAt(given[name], `${path}.${name}`, WECHAT_ACTIONS)
    const [actions, excluded] = [read('actions'), read('excluded_actions')]
    const corporations =
      given.corp_id === undefined
        ? []
        : eachAt(given.corp_id, `${path}.corp_id`, { most: 10 }, (one, at) => textAt(one, at, 1, 128))
    const isCorporate = [...actions, ...excluded].includes('WE_COM_CORP_ID_ADDED')
    if (generation === 3 && isCorporate && corporations.length === 0) throw new Refusal(18001, [`${path}.corp_id`])
    if (actions.length + excluded.length === 0) throw new Refusal(18001, [`${path}.actions`])
    const did = (names: string[]) =>
      union(names.map((name) => crowdOf(membersOf(ACTION_LEAF + WECHAT_ACTIONS.indexOf(name), ACTION_SHARE))))
    return {
      ...(actions.length > 0 && { keeps: () => did(actions) }),
      ...(excluded.length > 0 && { takes: () => did(excluded) }),
    }
  },
}

const converted: Field = {
  read(value, path, { generation, account_id }) {
    const given = objectAt(value, path, [
      ...['excluded_dimension', 'conversion_behavior_list'],
      ...(generation === 3 ? ['excluded_day'] : []),
    ])
    if (given.excluded_dimension === undefined) throw new Refusal(18001, [`${path}.excluded_dimension`])
    const dimension = codeAt(given.excluded_dimension, `${path}.excluded_dimension`, EXCLUSIONS[generation])
    const goals =
      given.conversion_behavior_list === undefined
        ? ['OPTIMIZATIONGOAL_ECOMMERCE_ORDER']
        : eachAt(given.conversion_behavior_list, `${path}.conversion_behavior_list`, { most: 2 }, goalAt)
    const day =
      given.excluded_day === undefined
        ? undefined
        : codeAt(given.excluded_day, `${path}.excluded_day`, Object.keys(EXCLUDED_DAYS))
    const days = day ? EXCLUDED_DAYS[day as keyof typeof EXCLUDED_DAYS] : LONGEST_DAYS
    return {
      takes: () => {
        const people = nobody()
        for (const goal of goals) {
          const leaf = CONVERTED_LEAF + number(`${account_id} ${dimension} ${goal}`)
          for (const person of membersOf(leaf, CONVERTED_SHARE)) {
            if (daysAgo(leaf, person, LONGEST_DAYS) <= days) put(people, person)
          }
        }
        return people
      },
    }
  },
}
function goalAt(value: Json, path: string): string {
  const goal = textAt(value, path, 1, 128)
  if (!/^OPTIMIZATIONGOAL_[A-Z0-9_]+$/.test(goal)) throw new Refusal(18009, [path], goal)
  return goal
}

const audiences = (part: keyof Part): Field => ({
  read(value, path, { members }) {
    const ids = eachAt(value, path, { most: AUDIENCES_MOST }, idAt)
    const crowds = ids.map((id) => members(id, path))
    return { [part]: () => union(crowds.map(crowdOf)) }
  },
})

const GEO = 'geo_location'
const FIELDS: Readonly<Record<string, Field>> = {
  age: ages,
  gender: anyOf(['MALE', 'FEMALE'], (code) => ofGender(`GENDER_${code}`), 1),
  education: ofStatuses('education'),
  marital_status: anyOf([...valuesOf('marital_status'), 'PARENTING'], (code) =>
    union((code === 'PARENTING' ? PARENTING : [code]).map((one) => ofStatus('marital_status', one))),
  ),
  [GEO]: { read: (value, path, { generation }) => ({ keeps: geoAt(value, path, generation).reach }) },
  user_os: anyOf(SYSTEMS, onSystemVersion),
  excluded_os: {
    only: 3,
    read: (value, path) => {
      const chosen = codesAt(value, path, ['ANDROID_PURE_MODE', ...SYSTEMS])
      return { takes: () => union(chosen.map((code) => (SYSTEMS.includes(code) ? onSystemVersion(code) : nobody()))) }
    },
  },
  device_price: anyOf(PRICES, withPrice),
  device_brand_model: brands,
  network_type: anyOf(Object.keys(NETWORKS) as (keyof typeof NETWORKS)[], (code) => onNetwork(NETWORKS[code])),
  network_operator: { only: 1, ...ofStatuses('network_operator') },
  app_install_status: ofStatuses('app_install_status', 1),
  consumption_status: { only: 1, ...ofStatuses('consumption_status') },
  game_consumption_level: ofStatuses('game_consumption_level'),
  financial_situation: { only: 1, ...ofStatuses('financial_situation') },
  wechat_ad_behavior: wechat,
  custom_audience: audiences('keeps'),
  excluded_custom_audience: audiences('takes'),
  behavior_or_interest: { only: 1, read: (value, path) => ({ keeps: behaviourAt(value, path) }) },
  excluded_converted_audience: converted,
}

/** The newer generation is withdrawing these. */
const RESTRICTED = [
  ...['education', 'marital_status', 'user_os', 'device_price', 'device_brand_model', 'network_type'],
  'game_consumption_level',
]
const fieldsOf = (generation: Generation) =>
  Object.keys(FIELDS).filter((name) => (FIELDS[name]?.only ?? generation) === generation)

export interface Targeting {
  /** As it was given. */
  object: JsonObject
  geo: Geo | null
  /** The people whom it reaches: all conditions at once, any of the values of each. */
  reach(): Crowd
}

/** Reads a `targeting` object; refuses what the generation does not take. */
export function targetingAt(value: Json, path: string, about: About): Targeting {
  const object = objectAt(value, path, fieldsOf(about.generation))
  const count = (name: string) => (Array.isArray(object[name]) ? object[name].length : 0)
  if (count('custom_audience') + count('excluded_custom_audience') > AUDIENCES_MOST) {
    throw new Refusal(18003, [`${path}.custom_audience`, `${path}.excluded_custom_audience`])
  }
  const closed = Object.keys(object).find((name) => about.generation === 3 && RESTRICTED.includes(name))
  if (closed && !about.isOpen) throw new Refusal(31033, [`${path}.${closed}`])
  const parts = Object.entries(object).map(([name, one]) => (FIELDS[name] as Field).read(one, `${path}.${name}`, about))
  return {
    object,
    geo: object[GEO] === undefined ? null : geoAt(object[GEO], `${path}.${GEO}`, about.generation),
    reach: () => {
      const kept = parts.flatMap(({ keeps }) => (keeps ? [keeps()] : []))
      const taken = parts.flatMap(({ takes }) => (takes ? [takes()] : []))
      return without(
        kept.reduce(
          both,
          everyone(() => true),
        ),
        union(taken),
      )
    },
  }
}

/** What a generation shows of a stored object. */
export const shownTo = (generation: Generation, object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => fieldsOf(generation).includes(name)))

/** Whether a stored object, as its JSON text, has an audience in or out. */
export function usesAudience(stored: string, id: string): boolean {
  const object = parseJson(stored) as JsonObject
  const listed = [object.custom_audience, object.excluded_custom_audience]
  return listed.some((ids) => Array.isArray(ids) && ids.some((one) => String(one) === id))
}

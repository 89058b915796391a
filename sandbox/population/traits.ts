import { draw } from './draw.ts'
import { type Crowd, everyone } from './population.ts'
import { inRegions } from './whereabouts.ts'

/** What is drawn of each of the people. */
const KEYS = {
  gender: 0x11,
  age: 0x12,
  system: 0x16,
  network: 0x17,
  bought: 0x18,
}
const WHOLE = 2 ** 32
const share = (key: number, person: number) => draw(key, person) / WHOLE

/** The first value whose share, added to those before it, reaches what was drawn. */
function drawnOf<T extends string>(shares: Readonly<Record<T, number>>, key: number, person: number): T | null {
  let left = share(key, person)
  for (const [value, part] of Object.entries(shares) as [T, number][]) {
    if (left < part) return value
    left -= part
  }
  return null
}

const GENDERS = { GENDER_FEMALE: 0.52, GENDER_MALE: 0.48 }
const SYSTEMS = { ANDROID: 0.71, IOS: 0.25 }
const NETWORKS = { WIFI: 0.46, '5G': 0.3, '4G': 0.2, '3G': 0.03, '2G': 0.01 }
const YOUNGEST = 18
const OLDEST = 74
const AGES: Readonly<Record<string, readonly [from: number, to: number]>> = {
  AGE_BETWEEN_18_23: [18, 23],
  AGE_BETWEEN_24_30: [24, 30],
  AGE_BETWEEN_31_40: [31, 40],
  AGE_BETWEEN_41_49: [41, 49],
  AGE_ABOVE_50: [50, OLDEST],
}
export const AGE_BANDS = Object.keys(AGES)
/** Provinces to which goods are not delivered. */
const LIMITED = ['540000', '650000', '710000', '810000', '820000']

const ageOf = (person: number) => YOUNGEST + Math.floor((OLDEST + 1 - YOUNGEST) * share(KEYS.age, person) ** 1.4)

const known = new Map<string, Crowd>()
/** A set of people, drawn once. */
function kept(name: string, isTrue: (person: number) => boolean): Crowd {
  let set = known.get(name)
  if (!set) {
    set = everyone(isTrue)
    known.set(name, set)
  }
  return set
}

export const ofGender = (gender: string): Crowd =>
  kept(`gender ${gender}`, (person) => drawnOf(GENDERS, KEYS.gender, person) === gender)
/** People of an age in years, both ends included. */
export const agedBetween = (from: number, to: number): Crowd =>
  kept(`age ${from} ${to}`, (person) => ageOf(person) >= from && ageOf(person) <= to)
export const ofAge = (band: string): Crowd => {
  const [from, to] = AGES[band] ?? [0, -1]
  return agedBetween(from, to)
}
export const onSystem = (system: string): Crowd =>
  kept(`system ${system}`, (person) => drawnOf(SYSTEMS, KEYS.system, person) === system)
export const onNetwork = (network: string): Crowd =>
  kept(`network ${network}`, (person) => drawnOf(NETWORKS, KEYS.network, person) === network)
/** People who never bought in the shop. */
export const newCustomers = (): Crowd => kept('new customers', (person) => share(KEYS.bought, person) < 0.83)

/** The people in places without delivery. */
export function whereLimited(): Crowd {
  let set = known.get('limited')
  if (!set) {
    set = inRegions(LIMITED, 'CURRENT')
    known.set('limited', set)
  }
  return set
}

import { draw } from './draw.ts'
import { type Crowd, everyone } from './population.ts'
import { onSystem } from './traits.ts'

const KEYS = { brand: 0x21, price: 0x22, carrier: 0x23, kind: 0x24, bought: 0x25, work: 0x26 }
const WHOLE = 2 ** 32
const share = (key: number, person: number) => draw(key, person) / WHOLE
/** 11,000 yuan and above are one price. */
const DEAREST = 12_000

/** Brands of phones that do not run iOS, those sold most first. */
const OTHERS = [
  ...['HUAWEI', 'XIAOMI', 'OPPO', 'VIVO', 'HONOR', 'SAMSUNG', 'ONEPLUS', 'MEIZU', 'LENOVO', 'ZTE', 'NUBIA', 'MOTO'],
  ...[
    'HISENSE',
    'TCL',
    'SONY',
    'COOLPAD',
    'CHINAMOBILE',
    'SMARTISAN',
    'GOOGLE',
    '360',
    'NOKIA',
    'GIONEE',
    'LETV',
    'HTC',
  ],
  ...['QIKU', 'PEPPER', 'LG'],
]
const CARRIERS = ['MOBILE', 'MOBILE', 'MOBILE', 'UNICOM', 'UNICOM', 'TELCOM']
const WORK = ['COLLEGE_STUDENT', 'TEACHER', 'IT', 'CIVIL_SERVANTS', 'FINANCIAL', 'MEDICAL_STAFF']
/** What is drawn of each place beside the two systems, and how many use it. */
const PLACES = { PC: [0x27, 0.12], WAP: [0x28, 0.2], IPAD: [0x29, 0.05], HARMONY: [0x2a, 0.04] } as const
/** Months since a phone was first used. */
const AGES = { WITH_IN_A_MONTH: [0, 1], ONE_MONTH_2_THREE_MONTH: [1, 3], THREE_MONTH_EAILIER: [3, 60] } as const

const sets = new Map<string, Crowd>()
function kept(name: string, isTrue: (person: number) => boolean): Crowd {
  let set = sets.get(name)
  if (!set) {
    set = everyone(isTrue)
    sets.set(name, set)
  }
  return set
}
const isIn = (set: Crowd, person: number) => (((set[person >>> 5] as number) >>> (person & 31)) & 1) === 1

/** Who has a phone of a brand; Apple's are those with iOS. */
export const withBrand = (brand: string): Crowd =>
  kept(`brand ${brand}`, (person) => {
    const isApple = isIn(onSystem('IOS'), person)
    return brand === 'APPLE'
      ? isApple
      : !isApple && OTHERS[Math.floor(OTHERS.length * share(KEYS.brand, person) ** 2.2)] === brand
  })
const priceOf = (person: number) => {
  const spread = share(KEYS.price, person) ** (isIn(onSystem('IOS'), person) ? 0.7 : 1.9)
  return 500 + Math.floor((DEAREST - 500) * spread)
}
/** Whose phone cost from `low` to below `high` yuan; 11,000 has no upper end. */
export const withPrice = (low: number, high: number): Crowd =>
  kept(`price ${low} ${high}`, (person) => {
    const price = priceOf(person)
    return price >= low && (price < high || high >= 11_000)
  })
export const withCarrier = (carrier: string): Crowd =>
  kept(`carrier ${carrier}`, (person) => CARRIERS[draw(KEYS.carrier, person) % CARRIERS.length] === carrier)
export const onDevice = (kind: string): Crowd =>
  kept(`kind ${kind}`, (person) => share(KEYS.kind, person) < 0.06 === (kind === 'PAD'))
/** Devices beside those of the two systems: some also use a computer, a page of a phone, a tablet. */
export function onPlatform(platform: string): Crowd {
  if (platform === 'ANDROID' || platform === 'IOS') return onSystem(platform)
  const [key, most] = PLACES[platform as keyof typeof PLACES] ?? [0, 0]
  return kept(`platform ${platform}`, (person) => share(key, person) < most)
}
/** Who started to use a phone some months ago. */
export const activated = (when: string): Crowd =>
  kept(`activated ${when}`, (person) => {
    const [from, to] = AGES[when as keyof typeof AGES] ?? [0, 0]
    const months = 40 * share(KEYS.bought, person) ** 2
    return months >= from && months < to
  })
export const inCareer = (career: string): Crowd =>
  kept(`career ${career}`, (person) => WORK[draw(KEYS.work, person) % (WORK.length * 4)] === career)
export const CAREERS = WORK
export const ACTIVATIONS = Object.keys(AGES)

import { draw } from '../population/draw.ts'
import { type Crowd, everyone, PEOPLE } from '../population/population.ts'
import { onSystem } from '../population/traits.ts'

/** A brand of phones with its models, or one of the models. */
export interface Device {
  id: number
  name: string
  brand: Device | null
}

const BRANDS: readonly { name: string; series: readonly string[] }[] = [
  { name: '苹果', series: ['iPhone', 'iPhone Plus', 'iPhone Pro', 'iPhone Pro Max', 'iPhone mini', 'iPhone SE'] },
  { name: '华为', series: ['Mate', 'Mate Pro', 'P', 'Pura', 'nova', '畅享'] },
  { name: '荣耀', series: ['Magic', '数字', 'X', '畅玩', 'GT'] },
  { name: '小米', series: ['数字', 'Ultra', 'MIX', 'Civi'] },
  { name: '红米', series: ['Note', 'K', '数字', 'Turbo'] },
  { name: 'OPPO', series: ['Find X', 'Reno', 'A', 'K'] },
  { name: 'vivo', series: ['X', 'S', 'Y', 'T'] },
  { name: 'iQOO', series: ['数字', 'Neo', 'Z'] },
  { name: '一加', series: ['数字', 'Ace'] },
  { name: '真我', series: ['GT', '数字', 'Neo'] },
  { name: '三星', series: ['Galaxy S', 'Galaxy Z Fold', 'Galaxy A'] },
  { name: '魅族', series: ['数字', 'Note'] },
  { name: '中兴', series: ['Axon', 'Blade'] },
  { name: '努比亚', series: ['Z', '红魔'] },
  { name: '联想', series: ['拯救者', 'moto'] },
]
/** Generations of each series. */
const GENERATIONS = 8
const FIRST_ID = 61_000
const BRAND_KEY = 0x61
const MODEL_KEY = 0x62
const VERSION_KEY = 0x63

let all: readonly Device[] | null = null
let models: ReadonlyMap<string, readonly Device[]> = new Map()
/** Brands, each before its models. */
export function devices(): readonly Device[] {
  if (all) return all
  let id = FIRST_ID
  const byBrand = new Map<string, Device[]>()
  all = BRANDS.flatMap(({ name, series }) => {
    const brand: Device = { id: id++, name, brand: null }
    const own = series.flatMap((one) =>
      Array.from({ length: GENERATIONS }, (_, no): Device => {
        return { id: id++, name: `${name} ${one === '数字' ? '' : `${one} `}${no + 9}`, brand }
      }),
    )
    byBrand.set(name, own)
    return [brand, ...own]
  })
  models = byBrand
  return all
}

export const deviceOf = (id: string): Device | null => devices().find((one) => String(one.id) === id) ?? null

/** The model that each person has: Apple's for its system, another brand's otherwise, the first ones more often. */
let owned: readonly Device[] | null = null
function ownedModels(): readonly Device[] {
  if (owned) return owned
  devices()
  const apple = onSystem('IOS')
  owned = Array.from({ length: PEOPLE }, (_, person) => {
    const isApple = ((apple[person >>> 5] as number) & (1 << (person & 31))) !== 0
    const others = BRANDS.length - 1
    const drawn = Math.floor(others * (draw(BRAND_KEY, person) / 2 ** 32) ** 1.6)
    const own = models.get(BRANDS[isApple ? 0 : 1 + drawn]?.name ?? '') ?? []
    return own[draw(MODEL_KEY, person) % own.length] as Device
  })
  return owned
}

/** The people who have the model, or one of the brand's. */
export function ownersOf(device: Device): Crowd {
  const all = ownedModels()
  return everyone((person) => all[person] === device || all[person]?.brand === device)
}

export const PRICES = [
  'PRICE_1500_LESS',
  'PRICE_1500_2500',
  'PRICE_2500_3500',
  'PRICE_3500_4500',
  'PRICE_4500_MORE',
] as const
/** The people whose model costs so much; a model has one price. */
export function withPrice(price: (typeof PRICES)[number]): Crowd {
  const all = ownedModels()
  const no = PRICES.indexOf(price)
  return everyone((person) => draw((all[person] as Device).id, MODEL_KEY) % PRICES.length === no)
}

const versions = (name: string, last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, no) => `${name}_VERSION_${first + no}`)
const ANDROIDS = versions('ANDROID', 16)
const IPHONES = versions('IOS', 18, 4)
export const SYSTEMS = ['IOS', ...IPHONES, 'ANDROID', ...ANDROIDS, 'WINDOWS', 'SYMBIAN', 'JAVA', 'HARMONY']

/** The people on a system, or on one version of it, mostly the latest ones. Systems of long ago reach nobody. */
export function onSystemVersion(name: string): Crowd {
  const [system = '', isVersion] = [name.replace(/_VERSION_\d+$/, ''), name.includes('_VERSION_')]
  if (system === 'HARMONY') {
    const [android, apple] = [onSystem('ANDROID'), onSystem('IOS')]
    return everyone((person) => {
      const bit = 1 << (person & 31)
      return (((android[person >>> 5] as number) | (apple[person >>> 5] as number)) & bit) === 0
    })
  }
  const users = onSystem(system)
  if (!isVersion) return users
  const all = system === 'IOS' ? IPHONES : ANDROIDS
  return everyone((person) => {
    const isUser = ((users[person >>> 5] as number) & (1 << (person & 31))) !== 0
    return isUser && all[Math.floor(all.length * (1 - (draw(VERSION_KEY, person) / 2 ** 32) ** 3))] === name
  })
}

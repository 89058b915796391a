import { quote } from '../clickhouse/bind.ts'
import { slotColumn } from '../clickhouse/person-sql.ts'
import { phoneForms } from '../identifiers/forms-sql.ts'
import { sealSql } from '../identifiers/seal.ts'
import type { AttributeType } from '../ingest/attribute-values.ts'
import {
  BRANDS,
  CHANNELS,
  CITIES,
  FEMALE_NAMES,
  LIFESTYLES,
  MALE_NAMES,
  PRICES,
  ROUTINES,
  SURNAMES,
} from './dictionaries.ts'
import { type Draws, draws, weighted, weightedIndex } from './random-sql.ts'

/** All that a generated world depends on; the same values give the same rows. */
export interface World {
  adv_id: number
  people: number
  seed: number
  timezone: string
  /** Day of TIMEZONE (YYYY-MM-DD); events end the day before. */
  today: string
}

export const PERSON_BASE = 1
/** Days of events, up to yesterday; everybody registered before them. */
export const DAYS = 90

const PRIME = 1_000_003
/** People are ranked by activity, the most active first; their numbers follow another order. */
export const uidOfRank = (people: number, rank: string) => `toUInt32(${PERSON_BASE} + (${rank} * ${PRIME}) % ${people})`

interface Attribute {
  name: string
  type: AttributeType
  sql(draw: Draws, world: World): string
}

const gender = (draw: Draws) =>
  draw.pick(
    [
      ['女', 535],
      ['男', 440],
      ['', 25],
    ],
    'gender',
  )
const city = (draw: Draws) =>
  weightedIndex(
    CITIES.map((one) => one.weight),
    (end) => draw.below(end, 'city'),
  )
const ofCity = (what: 'city' | 'province' | 'level') => (draw: Draws) =>
  `[${CITIES.map((one) => quote(one[what])).join(', ')}][${city(draw)}]`
const isApple = (draw: Draws) => `(${draw.pick(BRANDS, 'brand')} = 'Apple')`

/** Share of the people ranked above someone, 0 for the most active. */
const standing = (world: World) => `(rank / ${world.people})`

/** In the order of their slots. Some are empty for some people, as in real files. */
export const ATTRIBUTES: Attribute[] = [
  {
    name: '性别',
    type: 'text',
    sql: gender,
  },
  {
    name: '年龄',
    type: 'number',
    // The sum of two draws, so few people are very young or very old.
    sql: (draw) =>
      `if(${draw.chance(0.04, 'no age')}, '', toString(18 + ${draw.below(24, 'age')} + ${draw.below(24, 'age2')}))`,
  },
  { name: '城市级别', type: 'text', sql: ofCity('level') },
  { name: '省份', type: 'text', sql: ofCity('province') },
  { name: '城市', type: 'text', sql: ofCity('city') },
  {
    name: '会员等级',
    type: 'text',
    sql: (draw, world) =>
      `multiIf(${standing(world)} + ${draw.unit('level')} * 0.1 < 0.08, '钻石会员', ${standing(world)} + ${draw.unit('level')} * 0.2 < 0.26,
        '金卡会员', ${standing(world)} + ${draw.unit('level')} * 0.3 < 0.6, '银卡会员', '普通会员')`,
  },
  {
    name: '操作系统',
    type: 'text',
    sql: (draw) =>
      `multiIf(${isApple(draw)}, 'iOS', ${draw.pick(BRANDS, 'brand')} = '华为' AND ${draw.chance(0.62, 'harmony')}, 'HarmonyOS', 'Android')`,
  },
  { name: '手机品牌', type: 'text', sql: (draw) => draw.pick(BRANDS, 'brand') },
  {
    name: '机型价位',
    type: 'text',
    sql: (draw) => weighted(PRICES, `least(999, ${draw.below(1000, 'price')} + if(${isApple(draw)}, 420, 0))`),
  },
  { name: '注册渠道', type: 'text', sql: (draw) => draw.pick(CHANNELS, 'channel') },
  {
    name: '注册日期',
    type: 'date',
    sql: (draw, world) =>
      `toString(toDate(${quote(world.today)}) - ${DAYS + 1} - toUInt32(pow(${draw.unit('registered')}, 1.5) * 1400))`,
  },
  {
    name: '累计消费',
    type: 'number',
    sql: (draw, world) =>
      `if(${standing(world)} > 0.86, '', toString(round(18 + 9000 * pow(1 - ${standing(world)}, 3) * (0.2 + ${draw.unit('spent')} * ${draw.unit('spent2')} * 3), 2)))`,
  },
  {
    name: '生活方式',
    type: 'text',
    sql: (draw) => `if(${draw.chance(0.12, 'no style')}, '', ${draw.pick(LIFESTYLES, 'style')})`,
  },
  { name: '作息', type: 'text', sql: (draw) => draw.pick(ROUTINES, 'routine') },
]

/** Common surnames have a larger weight, rare ones 1. */
const surnameWeights = SURNAMES.map((_, index) => Math.max(1, Math.round(70 / (index + 3))))

const nameSql = (draw: Draws) =>
  `concat([${SURNAMES.map(quote).join(', ')}][${weightedIndex(surnameWeights, (end) => draw.below(end, 'surname'))}],
    if(${gender(draw)} = '男', ${draw.oneOf(MALE_NAMES, 'given')}, ${draw.oneOf(FEMALE_NAMES, 'given')}))`
/** No Chinese mobile number begins with 100, so no real person can be reached. */
const phoneSql = (draw: Draws) => `concat('100', leftPad(toString(${draw.below(100_000_000, 'phone')}), 8, '0'))`

const oneIdSql = (uid: string) => `concat('U', leftPad(toString(${uid}), 9, '0'))`

/** The keys and rows of people from rank `from` up to `to`; phones only when there is a key to encrypt them. */
export function peopleInserts(world: World, from: number, to: number, key: Buffer | null): string[] {
  const { adv_id, people } = world
  const draw = draws(world.seed, 'rank')
  const ranks = `(SELECT number AS rank, ${uidOfRank(people, 'rank')} AS uid FROM numbers(${from}, ${to - from}))`
  const columns = ATTRIBUTES.map((_, slot) => slotColumn(slot))
  const values = ATTRIBUTES.map((attribute) => attribute.sql(draw, world))
  const registered = `toDateTime64(${quote(world.today)}, 3, ${quote(world.timezone)}) - toIntervalDay(${DAYS + 1})`
  const phone = key ? sealSql(phoneSql(draw), key) : `''`
  const forms = key ? phoneForms('phone') : []
  return [
    `INSERT INTO person_key (adv_id, one_id, uid) SELECT ${adv_id}, ${oneIdSql('uid')}, uid FROM ${ranks}`,
    `INSERT INTO person_row (adv_id, uid, bucket, ts, line, row_id, name, phone, ${columns.join(', ')})
     SELECT ${adv_id}, uid, bitShiftRight(uid, 20), ${registered}, rank + 1, toUInt128(uid), ${nameSql(draw)}, ${phone}, ${values.join(', ')}
     FROM ${ranks}`,
    ...forms.map(
      ({ id_type, value }) =>
        `INSERT INTO identifier (adv_id, id_type, value_hash, uid)
         SELECT ${adv_id}, ${quote(id_type)}, ${value}, uid FROM (SELECT uid, ${phoneSql(draw)} AS phone FROM ${ranks})`,
    ),
  ]
}

import { quote } from '../clickhouse/bind.ts'
import { GOODS, MEDIA, PAYMENTS } from './dictionaries.ts'
import { DAYS, uidOfRank, type World } from './people-sql.ts'
import { draws, weightedIndex } from './random-sql.ts'

/** Events in the order of a funnel, with their properties. */
export const EVENTS: Record<string, string[]> = {
  曝光: ['媒体'],
  点击: ['媒体'],
  扫码: ['地点'],
  访问: ['来源'],
  浏览商品: ['类目', '价格'],
  加入购物车: ['类目', '价格'],
  下单: ['类目', '金额'],
  支付: ['类目', '金额', '支付方式'],
  分享: ['类目'],
  关注公众号: ['来源'],
  提交表单: ['表单'],
  抽奖: ['活动'],
  中奖: ['活动', '奖品'],
  订阅消息: ['模板'],
}

/** Sessions drawn per person; about three quarters are kept, depending on hour and weekday. */
const SESSIONS = 9.9
/** Percent, Monday first. */
const WEEKDAYS = [66, 64, 66, 70, 84, 100, 96]
/** Percent by hour of the day. */
const HOURS = [14, 7, 4, 3, 3, 5, 12, 24, 36, 42, 46, 48, 60, 50, 44, 44, 46, 52, 62, 80, 98, 100, 74, 34]

export const sessionsOf = (people: number) => Math.round(people * SESSIONS)

/** The events of a world's sessions from number `from` up to `to`. */
export function eventInsert(world: World, from: number, to: number): string {
  const { adv_id, people, timezone } = world
  const draw = draws(world.seed + 1, 's')
  const zone = quote(timezone)
  // The most active people have many sessions, the least active hardly any.
  const rank = `toUInt64(${people} * pow(${draw.unit('who')}, 2.1))`
  const day = `toDate(${quote(world.today)}) - 1 - ${draw.below(DAYS, 'day')}`
  const sessions = `
    SELECT number AS s, ${rank} AS rank, ${uidOfRank(people, 'rank')} AS uid, ${day} AS day,
      ${weightedIndex(HOURS, (end) => draw.below(end, 'hour'))} - 1 AS hour,
      toDateTime64(day, 3, ${zone}) + hour * 3600 + ${draw.below(3600, 'second')} AS at,
      1 - rank / ${people} AS keen
    FROM numbers(${from}, ${to - from})
    WHERE ${draw.below(100, 'busy day')} < [${WEEKDAYS.join(', ')}][toDayOfWeek(day)]`
  const opened = `
    SELECT *, ${draw.pick(GOODS, 'goods')} AS goods, ${draw.pick(MEDIA, 'media')} AS media,
      round(9 + 40 * pow(${draw.unit('price')} + 0.2, 3) * [3, 4, 1, 20, 5, 6, 4][1 + cityHash64(goods) % 7], 2) AS price,
      ${draw.chance('0.14 + 0.22 * keen', 'click')} AS clicked,
      ${draw.chance(0.025, 'scan')} AS scanned,
      clicked OR scanned OR ${draw.chance('0.12 + 0.2 * keen', 'direct')} AS visited,
      visited AND ${draw.chance(0.68, 'browse')} AS browsed,
      browsed AND ${draw.chance('0.14 + 0.2 * keen', 'cart')} AS carted,
      (carted AND ${draw.chance('0.42 + 0.2 * keen', 'order')}) OR (browsed AND ${draw.chance(0.03, 'direct order')}) AS ordered,
      ordered AND ${draw.chance('0.68 + 0.22 * keen', 'pay')} AS paid,
      visited AND ${draw.chance(0.035, 'lottery')} AS drew
    FROM (${sessions})`
  // Name, seconds into the session, and properties.
  const step = (name: string, when: string, seconds: string, properties: string) =>
    `if(${when}, [(${quote(name)}, toUInt32(${seconds}), ${properties})], [])`
  const goods = `map('类目', goods, '价格', toString(price))`
  const order = `map('类目', goods, '金额', toString(price))`
  const campaign = `concat('2026', '秋季', ['新品', '会员日', '品牌日', '大促'][1 + ${draw.below(4, 'campaign')}])`
  const steps = [
    `[('曝光', toUInt32(0), map('媒体', media))]`,
    step('点击', 'clicked', '3', `map('媒体', media)`),
    step('扫码', 'scanned', '4', `map('地点', ['门店', '快递包裹', '线下活动'][1 + ${draw.below(3, 'place')}])`),
    step('访问', 'visited', '6', `map('来源', multiIf(clicked, '广告', scanned, '扫码', '自然流量'))`),
    step('浏览商品', 'browsed', '40', goods),
    step('浏览商品', `browsed AND ${draw.chance(0.45, 'more')}`, '95', goods),
    step('浏览商品', `browsed AND ${draw.chance(0.2, 'even more')}`, '170', goods),
    step('加入购物车', 'carted', '230', goods),
    step('下单', 'ordered', '300', order),
    step(
      '支付',
      'paid',
      '340',
      `map('类目', goods, '金额', toString(price), '支付方式', ${draw.pick(PAYMENTS, 'payment')})`,
    ),
    step('分享', `browsed AND ${draw.chance(0.05, 'share')}`, '260', `map('类目', goods)`),
    step('关注公众号', `visited AND ${draw.chance(0.018, 'follow')}`, '20', `map('来源', media)`),
    step(
      '提交表单',
      `clicked AND ${draw.chance(0.03, 'form')}`,
      '80',
      `map('表单', ['试用申请', '预约到店', '领券'][1 + ${draw.below(3, 'form kind')}])`,
    ),
    step('抽奖', 'drew', '60', `map('活动', ${campaign})`),
    step(
      '中奖',
      `drew AND ${draw.chance(0.14, 'win')}`,
      '62',
      `map('活动', ${campaign}, '奖品', ['优惠券', '小样', '周边'][1 + ${draw.below(3, 'prize')}])`,
    ),
    step(
      '订阅消息',
      `visited AND ${draw.chance(0.02, 'subscribe')}`,
      '30',
      `map('模板', ['到货提醒', '订单通知', '活动开始'][1 + ${draw.below(3, 'template')}])`,
    ),
  ]
  const end = `toDateTime64(${quote(world.today)}, 3, ${zone})`
  return `INSERT INTO event (adv_id, bucket, uid, ts, name, title, properties, campaign_id, row_id)
    SELECT ${adv_id}, bitShiftRight(uid, 20), uid, at + step.2 AS moment, step.1,
      if(step.3['类目'] = '', '', concat(step.3['类目'], '专区')), step.3,
      if(step.1 IN ('曝光', '点击'), toString(1000 + ${draw.below(12, 'plan')}), ''), toUInt128(s) * 64 + place
    FROM (SELECT s, uid, at, arrayConcat(${steps.join(', ')}) AS steps FROM (${opened}))
    ARRAY JOIN steps AS step, arrayEnumerate(steps) AS place
    WHERE moment < ${end}`
}

/** The rollup by day of the people with these numbers; the table adds up rows of the same key. */
export const eventDayInsert = (world: World, fromUid: number, toUid: number) =>
  `INSERT INTO event_day (adv_id, name, day, bucket, uid, import_id, n)
   SELECT adv_id, name, toDate(ts, ${quote(world.timezone)}), bucket, uid, 0, 1
   FROM event WHERE adv_id = ${world.adv_id} AND uid >= ${fromUid} AND uid < ${toUid}`

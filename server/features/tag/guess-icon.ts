import type { CategoryIcon } from '#contract/tag.ts'

type Guess = readonly [CategoryIcon, RegExp]

/** The first that fits; names are compared in lower case, with blanks, dots and hyphens as underscores. */
const ATTRIBUTES: readonly Guess[] = [
  ['gender', /性别|gender|(^|_)sex($|_)/],
  ['city_level', /城市|city|(^|_)tier($|_)/],
  ['province', /省|地区|地域|区域|州|province|state|region|country|国家/],
  ['age', /年龄|出生|生日|(^|_)age($|_|s|d)|birth/],
  ['vip', /会员|等级|vip|member|loyalty|(^|_)level($|_)/],
  ['device_price', /(机型|设备|手机).*(价|档)|device_?price/],
  ['launch_time', /上市|发布时间|launch/],
  ['manufacturer', /品牌|厂商|制造|brand|manufactur|vendor/],
  ['model', /机型|型号|model|device/],
  ['os', /系统|(^|_)os($|_)|platform/],
  ['channel', /渠道|来源|channel|source|utm/],
  ['media', /媒体|media/],
  ['ad_format', /广告(形式|样式)|ad_?(format|type)/],
  ['app', /应用|(^|_)apps?($|_)/],
  ['routine', /作息|活跃时(间|段)|routine|active_?(hour|time)/],
  ['places', /地点|常去|位置|place|location|address|邮编|zip|postal/],
  [
    'lifestyle',
    /生活|兴趣|爱好|偏好|职业|婚姻|家庭|收入|学历|lifestyle|interest|hobby|income|marital|household|occupation/,
  ],
]

const EVENTS: readonly Guess[] = [
  ['winner', /中奖|win(ner|ning)?($|_)/],
  ['lottery', /抽奖|lottery|draw/],
  ['subscribe', /订阅|subscri/],
  ['follow', /关注|follow/],
  ['scan', /扫码|扫描|scan|qr/],
  ['form', /表单|留资|提交|form|submit|lead/],
  ['landing', /落地页|landing/],
  ['share', /分享|转发|share/],
  ['pay', /支付|付款|购买|成交|(^|_)pay|paid|purchase|(^|_)buy|conversion|redeem|redemption/],
  ['order', /下单|订单|加购|购物车|收藏|order|cart|checkout|(^|_)fav/],
  ['exposure', /曝光|展示|展现|expos|impression/],
  ['click', /点击|click|tap/],
  ['browse', /浏览|查看|详情|browse|view|(^|_)pv($|_)/],
  ['visit', /访问|打开|启动|登录|visit|(^|_)page|session|open|login/],
]

const ICON_OF_ALL = { attribute: ATTRIBUTES, event: EVENTS } as const

export function guessIcon(kind: 'attribute' | 'event', name: string): CategoryIcon {
  const plain = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[\s.-]+/g, '_')
  return ICON_OF_ALL[kind].find(([, pattern]) => pattern.test(plain))?.[0] ?? 'other'
}

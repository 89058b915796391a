import { regionOf } from '../population/regions.ts'
import type { JsonObject } from './values.ts'

const LABELS: Readonly<Record<string, string>> = {
  age: '年龄',
  gender: '性别',
  education: '学历',
  marital_status: '婚恋育儿状态',
  geo_location: '地理位置',
  user_os: '操作系统',
  excluded_os: '排除操作系统',
  device_price: '设备价格',
  device_brand_model: '设备品牌型号',
  network_type: '联网方式',
  network_operator: '移动运营商',
  app_install_status: '应用安装',
  consumption_status: '消费水平',
  game_consumption_level: '游戏消费能力',
  financial_situation: '财产状态',
  wechat_ad_behavior: '微信再营销',
  custom_audience: '定向人群',
  excluded_custom_audience: '排除人群',
  behavior_or_interest: '行为兴趣意向',
  excluded_converted_audience: '排除已转化用户',
}

/** A targeting in words, as the platform adds it to what it lists. */
export function translationOf(object: JsonObject): string {
  const words = Object.entries(object).map(([name, value]) => `${LABELS[name] ?? name}：${wordsOf(name, value)}`)
  return words.length > 0 ? words.join('；') : '不限'
}

function wordsOf(name: string, value: JsonObject[string]): string {
  if (name === 'geo_location') {
    const { regions = [], business_districts = [], custom_locations = [] } = value as Record<string, unknown[]>
    const names = regions.map((id) => regionOf(String(id))?.name ?? String(id))
    const more = business_districts.length + custom_locations.length
    return [...names, ...(more > 0 ? [`${more} 个地点`] : [])].join('、')
  }
  if (name === 'age') {
    return (value as { min: number; max: number }[]).map(({ min, max }) => `${min}-${max}岁`).join('、')
  }
  return Array.isArray(value) && value.every((one) => typeof one !== 'object') ? value.join('、') : '已设置'
}

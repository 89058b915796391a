import { polyphonic } from 'pinyin-pro'
import { expect, test } from 'vitest'
import { findRegion, findText, readingsFrom } from './find-text.ts'

const readings = readingsFrom(polyphonic)
const found = (text: string, keyword: string) => {
  const match = findText(text, keyword, readings)
  return match && text.slice(match.from, match.to)
}

test.each([
  ['高价值女性', '价值', '价值'],
  ['iPhone 手机', 'IPHONE', 'iPhone'],
  ['高价值女性', 'nvxing', '女性'],
  ['高价值女性', 'nuxing', '女性'],
  ['高价值女性', 'gjznx', '高价值女性'],
  ['高价值女性', 'gaojz', '高价值'],
  ['高价值女性', 'jiazh', '价值'],
  ['支付', 'zhf', '支付'],
  ['支付', 'zhi fu', '支付'],
  ['支付', "zhi'fu", '支付'],
  ['近30天支付', 'j30t', '近30天'],
  ['近30天支付', '30tian', '30天'],
  ['重庆', 'chongqing', '重庆'],
  ['重庆', 'cq', '重庆'],
  ['银行客户', 'yinhang', '银行'],
  ['VIP会员', 'viphy', 'VIP会员'],
  ['男', 'nan', '男'],
])('%s is found by %s', (text, keyword, part) => {
  expect(found(text, keyword)).toBe(part)
})

test.each([
  ['高价值女性', 'gz'],
  ['支付', 'zhifuu'],
  ['女', '男'],
  ['İstanbul 店', '女'],
  ['支付', '支fu付'],
])('%s is not found by %s', (text, keyword) => {
  expect(found(text, keyword)).toBeNull()
})

test.each([
  ['上海市', 'sh', true],
  ['上海市', 'shs', true],
  ['上海市', 'haishi', true],
  ['北京市', 'sh', false],
  ['河北省', 'sheng', false],
  ['广西壮族自治区', 'zz', true],
  ['广西壮族自治区', 'zzq', false],
  ['北京市', '市', true],
])('the region %s by %s: %s', (name, keyword, isFound) => {
  expect(findRegion(name, keyword, readings) !== null).toBe(isFound)
})

test('until the readings are there, texts are found by their characters alone', () => {
  expect(findText('高价值女性', '女', null)).toEqual({ from: 3, to: 4 })
  expect(findText('高价值女性', 'nv', null)).toBeNull()
})

test('an empty keyword finds everything and marks nothing', () => {
  expect(findText('高价值女性', '  ', readings)).toEqual({ from: 0, to: 0 })
})

test('all of twelve thousand names are found by initials', () => {
  const names = Array.from({ length: 12_000 }, (_, i) => `城市级别${i}一线高价值女性用户近30天支付`)
  expect(names.filter((name) => findText(name, 'nvxyh', readings))).toHaveLength(12_000)
})

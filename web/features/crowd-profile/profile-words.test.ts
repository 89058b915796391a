import { expect, test } from 'vitest'
import {
  byClarity,
  chartLabel,
  differenceOf,
  largestGroup,
  type ProfileGroup,
  type ProfileValue,
  tgiWords,
} from './profile-words.ts'

const value = (part: Partial<ProfileValue>): ProfileValue => ({
  ...{ tag_id: 1, name: '女', count: 30, share: 0.3, base_count: 100, base_share: 0.1, tgi: 300, p_value: 0.001 },
  ...{ is_significant: true, ...part },
})
const group = (id: number, values: ProfileValue[]): ProfileGroup => ({
  ...{ id, name: `分类${id}`, tag_type: 1, counted_at: 1, left_out: 0, values },
})

test.each([
  [{}, 'more'],
  [{ share: 0.05 }, 'less'],
  // The base never has it.
  [{ base_count: 0, base_share: 0, tgi: null }, 'more'],
  [{ share: 0.1, is_significant: false, p_value: null }, 'none'],
  [{ is_significant: false, p_value: 0.4 }, 'chance'],
  [{ is_significant: false, p_value: null }, 'few'],
])('what is said of a difference: %o', (part, difference) => {
  expect(differenceOf(value(part))).toBe(difference)
})

test('the index has a decimal only where it is small', () => {
  expect([tgiWords(null), tgiWords(4.26), tgiWords(133.4)]).toEqual(['--', '4.3', '133'])
})

test('a tag that the base never has ranks above all others', () => {
  const only = value({ name: '独有', base_count: 0, base_share: 0, tgi: null })
  expect([value({ tgi: 900 }), only].sort(byClarity)[0]).toBe(only)
  expect(largestGroup([group(1, [value({ tgi: 900 })]), group(2, [only])])?.id).toBe(2)
})

test('the category with the clearest difference is shown first', () => {
  const chance = group(1, [value({ tgi: 900, is_significant: false })])
  const low = group(2, [value({ tgi: 20 }), value({ tgi: 105 })])
  expect(largestGroup([chance, group(3, [value({ tgi: 150 })]), low])?.id).toBe(2)
  expect(largestGroup([])).toBeUndefined()
})

test('significant differences come first, the higher ones above', () => {
  const values = [
    value({ name: '不显著', tgi: 900, is_significant: false }),
    value({ name: '低', tgi: 20 }),
    value({ name: '高', tgi: 150 }),
    value({ name: '没有', tgi: null, count: 0, is_significant: false }),
  ]
  expect(values.sort(byClarity).map(({ name }) => name)).toEqual(['高', '低', '不显著', '没有'])
})

test('a chart is told in words', () => {
  expect(chartLabel(group(1, [value({})]))).toBe('分类1：女 人群 30.0%，对照 10.0%')
})

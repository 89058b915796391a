import dayjs from 'dayjs'
import { expect, test } from 'vitest'
import { contentOf } from './form-content.ts'

test.each<[string, unknown, unknown]>([
  ['a field that has appeared and is empty', { name: '甲' }, { name: '甲', note: undefined }],
  ['a text typed and removed', { name: undefined }, { name: '' }],
  ['a list emptied again', { ids: undefined }, { ids: [] }],
  ['a switch turned back', {}, { isOn: false }],
  ['another order', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['the same day', { day: dayjs('2031-03-01') }, { day: dayjs('2031-03-01') }],
])('%s is no change', (_what, before, after) => {
  expect(contentOf(after)).toBe(contentOf(before))
})

test.each<[string, unknown, unknown]>([
  ['another text', { name: '甲' }, { name: '乙' }],
  ['a text removed', { name: '甲' }, { name: '' }],
  ['another order of a list', { ids: [1, 2] }, { ids: [2, 1] }],
  ['a switch turned off', { isOn: true }, { isOn: false }],
  ['a number set to 0', { times: 1 }, { times: 0 }],
  ['something within', { rows: [{ value: '0', label: '男' }] }, { rows: [{ value: '0', label: '女' }] }],
])('%s is a change', (_what, before, after) => {
  expect(contentOf(after)).not.toBe(contentOf(before))
})

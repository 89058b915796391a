import { expect, test } from 'vitest'
import { filterOf, readSuppressionState, writeSuppressionState } from './list-state.ts'

const read = (search: string) => readSuppressionState(new URLSearchParams(search))

test('a link restores the list', () => {
  const link = 'page=3&page_size=50&keyword=138****0001&type=HASH_MOBILE_PHONE'
  const state = read(link)
  expect(state).toEqual({ keyword: '138****0001', type: 'HASH_MOBILE_PHONE', page: 3, page_size: 50 })
  expect(decodeURIComponent(writeSuppressionState(state).toString())).toBe(link)
  expect(filterOf(state)).toEqual({ keyword: '138****0001', type: 'HASH_MOBILE_PHONE' })
})

test('invalid values fall back to the defaults, which are not in the URL', () => {
  const state = read('type=PHONE&page=-1&page_size=9999')
  expect(state).toEqual({ keyword: '', type: null, page: 1, page_size: 10 })
  expect(writeSuppressionState(state).toString()).toBe('')
  expect(filterOf(state)).toEqual({})
})

test('what another list of the page shows stays in the URL', () => {
  const now = new URLSearchParams('keyword=1&forgotten_page=2')
  const next = writeSuppressionState({ ...readSuppressionState(now), keyword: '', page: 2 }, now)
  expect(next.toString()).toBe('forgotten_page=2&page=2')
})

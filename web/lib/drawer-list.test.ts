import { expect, test } from 'vitest'
import { filtered, readDrawerList, turned, withoutDrawerLists } from './drawer-list.ts'

const BELOW = 'dir_id=3&page=4&name=a&crowd=7'
const below = () => new URLSearchParams(BELOW)

test('the page of a list in a drawer stands beside the page of the list below', () => {
  const url = turned(below(), 'pushes', { page: 2, page_size: 20 })
  expect(String(url)).toBe(`${BELOW}&pushes_page=2&pushes_page_size=20`)
  expect(readDrawerList(url, 'pushes', []).paged).toEqual({ page: 2, page_size: 20 })
  expect(readDrawerList(url, 'logs', []).paged).toEqual({ page: 1, page_size: 10 })
  expect(String(turned(url, 'pushes', { page: 1, page_size: 10 }))).toBe(BELOW)
})

test('another filter starts on the first page; the other filters stay', () => {
  const url = filtered(turned(below(), 'files', { page: 3, page_size: 10 }), 'files', { name: '一' })
  const both = filtered(url, 'files', { op_at: '1,2' })
  expect(readDrawerList(both, 'files', ['name', 'op_at'])).toEqual({
    paged: { page: 1, page_size: 10 },
    filters: { name: '一', op_at: '1,2' },
  })
  expect(String(filtered(both, 'files', { name: '', op_at: '' }))).toBe(BELOW)
})

test.each(['0', '-1', '1.5', 'x', '1e99'])('a page %s in the URL is the first', (page) => {
  expect(readDrawerList(new URLSearchParams({ logs_page: page }), 'logs', []).paged.page).toBe(1)
})

test('a drawer that closes takes along what its lists showed', () => {
  const url = new URLSearchParams(`${BELOW}&files_name=a&files_page=2&logs_op_type=1&pushes_page_size=50`)
  expect(String(withoutDrawerLists(url))).toBe(BELOW)
})

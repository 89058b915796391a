import { afterEach, expect, test, vi } from 'vitest'
import { switchViewer } from '../saved-context.ts'
import { newKeptLines } from './kept-lines.ts'
import { findKeptLines, rememberKeptLines, staysKept } from './kept-store.ts'

afterEach(() => void vi.unstubAllGlobals())

const place = (url: string) => new URL(url, 'http://renqun.test/cowd-manage/')

test.each([
  ['a choice on the upload page', 'custom-crowd/upload', 'custom-crowd/upload?dir_id=1', true],
  ['the list after submitting', 'custom-crowd/upload', 'custom-crowd/list?dir_id=1', true],
  ['the crowd opened from the list', 'custom-crowd/list', 'custom-crowd/list?crowd=5', true],
  ['another tab of the crowd', 'custom-crowd?crowd=5', 'custom-crowd?crowd=5&panel=logs', true],
  ['the crowd closed', 'custom-crowd/list?crowd=5', 'custom-crowd/list', false],
  ['another crowd in its place', 'custom-crowd?crowd=5', 'custom-crowd?crowd=6', false],
  ['another page', 'custom-crowd/list', 'tags', false],
  ['another upload', 'custom-crowd/list', 'custom-crowd/upload', false],
  ['signed out', 'custom-crowd/list', '/login', false],
])('kept lines and %s', (_, from, to, stays) => {
  expect(staysKept(place(from), place(to))).toBe(stays)
})

test('the next viewer in the tab does not get the lines of the one before', () => {
  const store = new Map<string, string>()
  vi.stubGlobal('window', {
    sessionStorage: {
      getItem: (name: string) => store.get(name) ?? null,
      setItem: (name: string, value: string) => void store.set(name, value),
      removeItem: (name: string) => void store.delete(name),
    },
  })
  switchViewer(1)
  rememberKeptLines('a', newKeptLines('HASH_IMEI'))
  switchViewer(1)
  expect(findKeptLines('a')).not.toBeNull()
  switchViewer(2)
  expect(findKeptLines('a')).toBeNull()
})

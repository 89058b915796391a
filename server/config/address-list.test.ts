import { expect, test } from 'vitest'
import { addressMatcher, isAddressOrRange, LOOPBACK } from './address-list.ts'

test.each([
  ['127.0.0.1', true],
  ['10.0.0.0/8', true],
  ['::1', true],
  ['fd00::/8', true],
  ['10', false],
  ['10.0.0.0/33', false],
  ['proxy.local', false],
  ['', false],
])('%s is an address or a range: %s', (text, expected) => {
  expect(isAddressOrRange(text)).toBe(expected)
})

test.each([
  [LOOPBACK, '127.0.0.9', true],
  [LOOPBACK, '::1', true],
  [LOOPBACK, '::ffff:127.0.0.1', true],
  [LOOPBACK, '10.0.0.5', false],
  [LOOPBACK, '', false],
  [['10.0.0.0/8'], '10.200.1.1', true],
  [['10.0.0.0/8'], '::ffff:10.200.1.1', true],
  [['10.0.0.0/8'], '11.0.0.1', false],
  [['10.0.0.5'], '10.0.0.6', false],
  [['fd00::/8'], 'fd12::1', true],
  [['fd00::/8'], '10.0.0.1', false],
])('%j holds %s: %s', (texts, address, expected) => {
  expect(addressMatcher(texts)(address)).toBe(expected)
})

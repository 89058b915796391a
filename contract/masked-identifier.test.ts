import { expect, test } from 'vitest'
import type { IdentifierType } from './identifier.ts'
import { maskedIdentifier } from './masked-identifier.ts'

test.each<[IdentifierType, string, string]>([
  ['IMEI', '861234567890123', '861****123'],
  ['IDFA', 'A1B2C3D4-0000-0000-0000-00000000FFFF', 'A1B2****FFFF'],
  ['QQ', '10001', '1****1'],
  ['QQ', '123', '****'],
  ['HASH_MOBILE_PHONE', '0123456789abcdef0123456789abcdef', '****'],
  ['SHA256_MOBILE_PHONE', `${'0'.repeat(60)}beef`, '****'],
])('a %s is shown in part', (type, text, shown) => {
  expect(maskedIdentifier(type, text)).toBe(shown)
})

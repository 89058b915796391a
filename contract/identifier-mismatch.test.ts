import { describe, expect, test } from 'vitest'
import type { IdentifierType } from './identifier.ts'
import { type LineKind, typeMismatch } from './identifier-mismatch.ts'

const MD5 = 'd41d8cd98f00b204e9800998ecf8427e'
const HEX64 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const IDFA = 'ABCDEF01-2345-6789-ABCD-EF0123456789'

describe('lines that do not look like the type are refused', () => {
  test.each<[IdentifierType, string, boolean, LineKind | null]>([
    ['HASH_MOBILE_PHONE', '13812345678', false, 'phone'],
    ['SHA256_MOBILE_PHONE', MD5, true, 'md5'],
    ['HASH_MOBILE_PHONE', HEX64, true, 'hex64'],
    ['HASH_MOBILE_PHONE', '861234567890123', true, 'imei'],
    ['IMEI', MD5, false, 'md5'],
    ['IMEI', IDFA, false, 'idfa'],
    ['IDFA', IDFA.toLowerCase(), false, 'uuid'],
    ['IDFA', '861234567890123', false, 'imei'],
    ['HASH_IMEI', '861234567890123', false, 'imei'],
    ['HASH_IMEI', IDFA, true, 'idfa'],
    ['MAC', '00-1a-2b-3c-4d-5e', false, 'mac'],
    ['QQ', '13812345678', false, 'phone'],
    ['HASH_QQ', '13812345678', true, 'phone'],
    ['OAID', '13812345678', false, 'phone'],
    ['HASH_OAID', '861234567890123', true, 'imei'],
    ['IMEI', '861234567890123,北京', false, 'columns'],
    ['HASH_MOBILE_PHONE', '"13812345678","张三"', true, 'columns'],
    ['IMEI', '姓名', false, null],
  ])('%s: %s (hashing: %s) looks like %s', (type, line, hashes, kind) => {
    expect(typeMismatch(type, [line, line, line], hashes)).toMatchObject({ kind, fits: 0, lines: 3 })
  })
})

describe('lines that look like the type are accepted', () => {
  test.each<[IdentifierType, string, boolean]>([
    ['HASH_MOBILE_PHONE', '13812345678', true],
    ['SHA256_MOBILE_PHONE', '13812345678', true],
    ['SHA256_MOBILE_PHONE', HEX64, true],
    ['HASH_MOBILE_PHONE', MD5.toUpperCase(), false],
    ['HASH_IMEI', '861234567890123', true],
    ['HASH_IMEI', `"${MD5}"`, false],
    ['MD5_SHA256_OAID', HEX64, false],
    ['IDFA', `\uFEFF${IDFA}`, false],
    ['IMEI', ' 86123456789012 ', false],
    ['OAID', MD5, false],
    ['OAID', 'a1b2c3d4e5f60718', false],
    ['OAID', IDFA.toLowerCase(), false],
    ['MAC', '00:1A:2B:3C:4D:5E', false],
    ['QQ', '10001', false],
  ])('%s: %s (hashing: %s)', (type, line, hashes) => {
    expect(typeMismatch(type, [line, line], hashes)).toBeNull()
  })
})

test('a heading, a few bad lines and empty lines are ignored', () => {
  expect(typeMismatch('IMEI', ['imei', '', '861234567890123', '861234567890124', ' '], false)).toBeNull()
  expect(typeMismatch('IMEI', ['', ' '], false)).toBeNull()
  expect(typeMismatch('IMEI', [], false)).toBeNull()
})

test('lines of many kinds look like no known kind', () => {
  expect(typeMismatch('IMEI', [MD5, IDFA, HEX64], false)).toMatchObject({
    kind: null,
    label: '无法识别为支持的标识类型',
  })
})

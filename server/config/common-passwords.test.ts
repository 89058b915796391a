import { expect, test } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'

test.each([
  ...['Password123', '1qaz2wsx', 'iloveyou1', 'a123456789'],
  ...['88888888', '00000000', 'aaaaaaaa', '12121212', '123123123', '111111111', 'abcabcab', '12341234'],
  ...['87654321', '987654321', '0987654321', '12345678', 'abcdefgh', 'HGFEDCBA', 'asdfghjkl', 'qwertyuiop', 'poiuytre'],
  ...['woaini1314', '5201314520', 'woaini520'],
])('%s is tried first', (password) => {
  expect(isCommonPassword(password)).toBe(true)
})

test.each([
  ...[
    'right-password',
    'e2e-password',
    '晴天霹雳又一天',
    'k8Fz2LwQ',
    '20261123x9',
    'abcdefgx1',
    '1231231239',
    'aaxbbxyy',
  ],
])('%s is not', (password) => {
  expect(isCommonPassword(password)).toBe(false)
})

import { describe, expect, test } from 'vitest'
import { audienceName, lengthOf, shorten } from './audience-name.ts'

const BYTES = { max: 32, unit: 'bytes' } as const
const CHARACTERS = { max: 30, unit: 'characters' } as const

describe('a name on a platform', () => {
  test.each([
    ['ten Chinese characters are 30 bytes', '云杉九月新客人群包一', BYTES, false, '云杉九月新客人群包一'],
    ['32 bytes fit to the last', 'abcdefghijklmnopqrstuvwxyz_12345', BYTES, false, 'abcdefghijklmnopqrstuvwxyz_12345'],
    [
      '33 bytes are cut before the mark',
      'abcdefghijklmnopqrstuvwxyz_123456',
      BYTES,
      false,
      'abcdefghijklmnopqrstuvwxyz_1_k7x',
    ],
    ['no character is cut in two', '云杉九月新客人群包一二三', BYTES, false, '云杉九月新客人群包_k7x'],
    ['nor is a mixed one', 'a云杉九月新客人群包一二三', BYTES, false, 'a云杉九月新客人群包_k7x'],
    ['nor are two halves of one picture', `云杉九月新客人群${'👨‍👩‍👧'}一二三`, BYTES, false, '云杉九月新客人群_k7x'],
    ['one that must differ is marked though it fits', '新客', BYTES, true, '新客_k7x'],
    [
      '30 characters with the mark',
      '一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十',
      CHARACTERS,
      true,
      '一二三四五六七八九十一二三四五六七八九十一二三四五六_k7x',
    ],
    ['a picture beyond 16 bits is one character', '😀😀', { max: 6, unit: 'characters' }, true, '😀😀_k7x'],
  ] as const)('%s', (_why, name, limit, mustDiffer, wanted) => {
    const given = audienceName(name, 'k7x', limit, mustDiffer)
    expect(given).toBe(wanted)
    expect(lengthOf(given, limit.unit)).toBeLessThanOrEqual(limit.max)
  })

  test('names with the same beginning differ by their marks', () => {
    const long = '同一个开头非常长的人群名称'
    expect(audienceName(`${long}甲`, '1a', BYTES, false)).not.toBe(audienceName(`${long}乙`, '1b', BYTES, false))
  })

  test('a mark that leaves no room is refused', () => {
    expect(() => audienceName('新客', 'x'.repeat(31), BYTES, true)).toThrow('no room')
  })

  test('a description is only cut', () => {
    expect(shorten('云杉九月', { max: 7, unit: 'bytes' })).toBe('云杉')
    expect(shorten('云杉', { max: 250, unit: 'bytes' })).toBe('云杉')
  })
})

import { expect, test } from 'vitest'
import { areAllRaw, inspect } from './preparing.ts'

const IMEI = { type: 'IMEI', hashes: false } as const
const inFile = (...lines: string[]) => new File([lines.join('\n')], '缺列.csv')

test('lines without the chosen column are malformed, empty lines say nothing', async () => {
  const chosen = { separator: ',', column: 2, has_header: true } as const
  const whole = '1,甲,861000000000001'
  const { isMostlyBad } = await inspect(inFile('号,名,标识', whole, ...Array(3).fill('只有一列')), IMEI, chosen)
  expect(isMostlyBad).toBe(true)
  const spaced = await inspect(inFile('号,名,标识', whole, '', '', ''), IMEI, chosen)
  expect(spaced.isMostlyBad).toBe(false)
})

test('a file whose first lines alone are good is mostly malformed', async () => {
  const imeis = Array.from({ length: 200 }, (_, at) => String(861_000_000_000_000 + at))
  const isBad = async (bad: number) => (await inspect(inFile(...imeis, 'x\n'.repeat(bad)), IMEI, {})).isMostlyBad
  expect(await isBad(199)).toBe(false)
  expect(await isBad(201)).toBe(true)
  expect(await isBad(500_000)).toBe(true)
})

test('bytes of no encoding refuse a file, unless it is hashed here', async () => {
  const file = new File(['13812340001,', new Uint8Array([0xff, 0xff])], 'a.csv')
  const refusal = async (hashes: boolean) => (await inspect(file, { type: 'HASH_MOBILE_PHONE', hashes }, {})).refusal
  expect(await refusal(false)).toContain('第 1 行不是有效的 UTF-8 文本')
  expect(await refusal(true)).toBeNull()
})

test.each([
  ['only values that look like hashes', ['a'.repeat(32), 'b'.repeat(32)], {}, true, false, true],
  ['the same, said to be raw', ['a'.repeat(32), 'b'.repeat(32)], { values: 'raw' }, true, true, false],
  ['the same, said to be hashes', ['a'.repeat(32), 'b'.repeat(32)], { values: 'hashed' }, true, false, false],
  ['OAIDs of several makers', ['a'.repeat(32), '5bfd79c4-7fdb-4f2d-bfff-5ddc8fbf6d2c'], {}, false, true, false],
] as const)('%s', async (_, lines, chosen, isUnclear, allRaw, isRefused) => {
  const seen = await inspect(inFile(...lines), { type: 'HASH_OAID', hashes: true }, chosen)
  expect(seen.isUnclear).toBe(isUnclear)
  expect(areAllRaw('HASH_OAID', { chosen, isUnclear })).toBe(allRaw)
  expect(seen.refusal !== null).toBe(isRefused)
})

test('values of other types never look like their hashes', async () => {
  const seen = await inspect(inFile('a'.repeat(32)), { type: 'HASH_IMEI', hashes: true }, {})
  expect([seen.isUnclear, areAllRaw('HASH_IMEI', { chosen: {}, isUnclear: false })]).toEqual([false, false])
})

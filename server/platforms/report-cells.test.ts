import { describe, expect, test } from 'vitest'
import type { ReportedKey } from '#contract/activity/metrics.ts'
import { parseJson } from './lossless-json.ts'
import { type PerYuan, readCell, readCells, UnreadableCell } from './report-cells.ts'

test.each<[ReportedKey, unknown, PerYuan, bigint | null]>([
  ['cost', '12.34', 1, 12_340_000n],
  ['cost', 12.34, 1, 12_340_000n],
  // 0.1 + 0.2 of doubles is not 0.3.
  ['cost', '0.3', 1, 300_000n],
  ['cost', 1234, 100, 12_340_000n],
  ['cost', '1234567.8', 100_000, 12_345_678n],
  ['cost', '0.0000005', 1, 1n],
  ['cost', '0.0000004', 1, 0n],
  ['cost', '-1.5', 1, -1_500_000n],
  ['cost', '1e-3', 1, 1000n],
  ['cost', parseJson('123456789.1234567890123'), 1, 123_456_789_123_457n],
  ['imp_pv', '123', 1, 123n],
  ['imp_pv', '123.00', 100, 123n],
  ['imp_pv', 123, 1, 123n],
  ['imp_pv', '1.2e3', 1, 1200n],
  ['live_gift_amount', 12, 100, 12n],
  ['imp_pv', '--', 1, null],
  ['imp_pv', '', 1, null],
  ['imp_pv', null, 1, null],
  ['cost', undefined, 1, null],
])('%s of %o, %i to a yuan, is %s', (key, value, perYuan, read) => {
  expect(readCell(key, value, perYuan)).toBe(read)
})

test.each<[ReportedKey, unknown]>([
  ['imp_pv', '1.5'],
  ['imp_pv', 'many'],
  ['imp_pv', Number.NaN],
  ['imp_pv', true],
  ['imp_pv', [1]],
  ['cost', '12,340'],
  ['cost', '0x10'],
  ['cost', '1e40'],
  ['cost', '10000000000'],
])('%s of %o is refused', (key, value) => {
  expect(() => readCell(key, value, 1)).toThrow(UnreadableCell)
})

describe('a row', () => {
  test('has what the platform has, and a field may stand for two metrics', () => {
    const fields = { cost: 'cost', gdt_cost: 'cost', imp_pv: 'view_count', click_pv: 'valid_click_count' }
    expect(readCells(fields, { cost: 5, view_count: '-', other: 'x' }, 100)).toEqual({
      cost: 50_000n,
      gdt_cost: 50_000n,
    })
  })
})

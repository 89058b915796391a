import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { countLines } from './slice-bytes.ts'

test('line ends are counted at any alignment and beside any bytes', () => {
  const near = [0x0a, 0x0a, 0x00, 0x0b, 0x09, 0x8a, 0xff, 0x80, 0x0d]
  const all = Buffer.from(Array.from({ length: 5000 }, (_, at) => near[(at * at + (at >> 3)) % near.length] ?? 0))
  const full = Buffer.alloc(5000, 0x0a)
  for (let from = 0; from < 5; from++) {
    for (const length of [0, 1, 3, 4, 1019, 1024, 4990]) {
      for (const bytes of [all.subarray(from, from + length), full.subarray(from, from + length)]) {
        expect(countLines(bytes)).toBe(bytes.filter((byte) => byte === 0x0a).length)
      }
    }
  }
})

import { expect, test } from 'vitest'
import { BLOCK_BYTES, bitmapKernel } from './bitmap-kernel.ts'
import { wasm } from './wasm.ts'

const OPERATIONS = {
  and: (a: number, b: number) => a & b,
  or: (a: number, b: number) => a | b,
  andnot: (a: number, b: number) => a & ~b,
}

test.each(Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[])('%s gives every bit and their number', (name) => {
  const memory = new wasm.Memory({ initial: 1 })
  const kernel = bitmapKernel(memory)
  const words = new Uint32Array(memory.buffer)
  const block = BLOCK_BYTES / 4
  const fills = [
    () => 0,
    () => 0xffffffff,
    () => Math.floor(Math.random() * 2 ** 32),
    (at: number) => (at % 97 === 0 ? 1 << (at % 32) : 0),
  ]
  for (const left of fills) {
    for (const right of fills) {
      for (let at = 0; at < block; at++) {
        words[block + at] = left(at)
        words[2 * block + at] = right(at)
      }
      const wanted = Uint32Array.from({ length: block }, (_, at) =>
        OPERATIONS[name](words[block + at] ?? 0, words[2 * block + at] ?? 0),
      )
      const people = wanted.reduce((sum, word) => sum + word.toString(2).replaceAll('0', '').length, 0)
      expect(kernel[name](0, BLOCK_BYTES, 2 * BLOCK_BYTES)).toBe(people)
      expect(words.subarray(0, block)).toEqual(wanted)
      // The result may overwrite the first operand.
      expect(kernel[name](BLOCK_BYTES, BLOCK_BYTES, 2 * BLOCK_BYTES)).toBe(people)
      expect(words.subarray(block, 2 * block)).toEqual(wanted)
    }
  }
})

import { type WasmMemory, wasm } from './wasm.ts'
/**
 * and, or and andnot of two blocks of 65,536 bits in WebAssembly SIMD; each answers how many bits the result has.
 * The module is assembled here, so it needs no build: three functions that differ in one instruction.
 */
export type BitmapKernel = {
  and(dst: number, a: number, b: number): number
  or(dst: number, a: number, b: number): number
  andnot(dst: number, a: number, b: number): number
}

export const BLOCK_BYTES = 8192
export const PAGE_BYTES = 65_536
/** The maximum of a 32-bit memory. */
export const PAGES_MAX = 65_536

const I32 = 0x7f
const V128 = 0x7b
const END = 0x0b
const GET = 0x20
const SET = 0x21
const TEE = 0x22
const SIMD = 0xfd
const OPS = { and: 0x4e, andnot: 0x4f, or: 0x50 } as const

/** Unsigned LEB128, as every number in a module is written. */
function leb(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  do {
    const low = rest % 128
    rest = Math.floor(rest / 128)
    bytes.push(rest > 0 ? low + 128 : low)
  } while (rest > 0)
  return bytes
}
const vector = (items: number[][]) => [...leb(items.length), ...items.flat()]
const section = (id: number, content: number[]) => [id, ...leb(content.length), ...content]
const text = (value: string) => vector([...Buffer.from(value)].map((byte) => [byte]))
const simd = (op: number, ...rest: number[]) => [SIMD, ...leb(op), ...rest]
const at = (offset: number) => [4, ...leb(offset)]

const [DST, A, B, LEFT, BYTES, SUMS, RESULT] = [0, 1, 2, 3, 4, 5, 6]
/** Vectors per round: a byte lane counts at most 16 × 8 bits, which fits a byte. */
const ROUND = 16
const zero = simd(0x0c, ...new Array<number>(16).fill(0))
const extract = (lane: number) => [GET, SUMS, ...simd(0x1b, lane)]

/** The loop: 32 rounds of 16 vectors; bits are counted per byte lane, then widened once a round. */
function body(op: number): number[] {
  const advance = (pointer: number) => [GET, pointer, 0x41, ...[0x80, 0x02], 0x6a, SET, pointer]
  const step = (offset: number) => [
    ...[GET, DST],
    ...[GET, A, ...simd(0x00, ...at(offset))],
    ...[GET, B, ...simd(0x00, ...at(offset))],
    ...simd(op),
    ...[TEE, RESULT],
    ...simd(0x0b, ...at(offset)),
    ...[GET, BYTES, GET, RESULT, ...simd(0x62), ...simd(0x6e), SET, BYTES],
  ]
  const code = [
    ...[...zero, SET, SUMS],
    ...[0x41, ...leb(BLOCK_BYTES / 16 / ROUND), SET, LEFT],
    ...[0x03, 0x40], // loop
    ...[...zero, SET, BYTES],
    ...Array.from({ length: ROUND }, (_, index) => step(index * 16)).flat(),
    // A 16-bit lane holds 32 rounds of at most 256; a 32-bit lane holds any.
    ...[GET, SUMS, GET, BYTES, ...simd(0x7d), ...simd(0x8e), SET, SUMS],
    ...[...advance(DST), ...advance(A), ...advance(B)],
    ...[GET, LEFT, 0x41, 1, 0x6b, TEE, LEFT, 0x0d, 0], // br_if loop
    END,
    ...[GET, SUMS, ...simd(0x7f), SET, SUMS],
    ...[...extract(0), ...extract(1), 0x6a, ...extract(2), 0x6a, ...extract(3), 0x6a],
    END,
  ]
  const locals = vector([
    [1, I32],
    [3, V128],
  ])
  return [...leb(locals.length + code.length), ...locals, ...code]
}

function moduleBytes(): Uint8Array<ArrayBuffer> {
  const names = Object.keys(OPS)
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector([[0x60, ...vector([[I32], [I32], [I32]]), ...vector([[I32]])]])),
    ...section(2, vector([[...text('store'), ...text('memory'), 0x02, 0x00, 0x00]])),
    ...section(3, vector(names.map(() => [0]))),
    ...section(7, vector(names.map((name, index) => [...text(name), 0x00, index]))),
    ...section(10, vector(Object.values(OPS).map(body))),
  ])
}

export function bitmapKernel(memory: WasmMemory): BitmapKernel {
  const module = new wasm.Module(moduleBytes())
  // The module above exports exactly these functions.
  return new wasm.Instance<BitmapKernel>(module, { store: { memory } }).exports
}

// MD5 and SHA-256 of eight short texts at once, with the 128-bit instructions of WebAssembly: a lane for each text, four
// lanes in a group. The two groups take turns, since each round of a hash has to wait for the one before. The code is
// written here, round by round, because no kept library hashes many short texts side by side.

export const LANES = 8

/** Messages of one block each, and where their hashes are written. */
export interface Lanes {
  /** Words of the messages: word i of lane l at `i * LANES + l`, 16 words each. */
  words: Int32Array
  /** Where in `out` the hash of a lane is written, as hex; null: nowhere. */
  setPlace(lane: number, at: number | null): void
  /** Takes the hashes, and what the caller writes between them. */
  out: Uint8Array<ArrayBuffer>
  /** Hashes all lanes. */
  run(): void
}

export const OUT_BYTES = 12 * 1024 * 1024

const GROUPS = [0, 1] as const
/** Addresses in the module's memory. The schedule of SHA-256 follows the messages. */
const wordAt = (word: number, group: number) => (word * LANES + group * 4) * 4
const PLACES = wordAt(64, 0)
const NOWHERE = PLACES + LANES * 4
/** Each constant four times: loading it is faster than making it in the code. */
const SINES_AT = 4096
const CUBES_AT = 8192
const PAGE = 65_536
const OUTPUT = PAGE
const V128 = 0x7b

const LOAD = 0
const STORE = 11
const CONST = 12
const SHUFFLE = 13
const SWIZZLE = 14
const NOT = 77
const AND = 78
const OR = 80
const XOR = 81
const SELECT = 82
const SHR_BYTES = 109
const SHL = 171
const SHR = 173
const ADD = 174

const leb = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)])
const signed = (value: number): number[] => (value < 64 ? [value] : [(value & 0x7f) | 0x80, 0])
const simd = (operation: number): number[] => [0xfd, ...leb(operation)]
const get = (local: number): number[] => [0x20, ...leb(local)]
const set = (local: number): number[] => [0x21, ...leb(local)]
const load = (at: number): number[] => [0x41, 0, ...simd(LOAD), 4, ...leb(at)]
const store = (at: number, value: number[]): number[] => [0x41, 0, ...value, ...simd(STORE), 4, ...leb(at)]
/** Stores at the place of a lane. */
const storeAtPlace = (lane: number, at: number, value: number[]): number[] => [
  ...[0x41, 0, 0x28, 2, ...leb(PLACES + lane * 4)],
  ...[...value, ...simd(STORE), 0, ...leb(at)],
]
/** The same word in all four lanes. */
const all = (word: number): number[] => {
  const bytes = [word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24]
  return [...simd(CONST), ...bytes, ...bytes, ...bytes, ...bytes]
}
const two = (operation: number) => (one: number[], other: number[]) => [...one, ...other, ...simd(operation)]
const add = (first: number[], ...rest: number[][]) => rest.reduce(two(ADD), first)
const xor = (first: number[], ...rest: number[][]) => rest.reduce(two(XOR), first)
const or = two(OR)
const and = two(AND)
const not = (value: number[]) => [...value, ...simd(NOT)]
const select = (one: number[], other: number[], by: number[]) => [...one, ...other, ...by, ...simd(SELECT)]
const shift = (operation: number, value: number[], bits: number) => [
  ...value,
  0x41,
  ...signed(bits),
  ...simd(operation),
]
const left = (local: number, bits: number) => or(shift(SHL, get(local), bits), shift(SHR, get(local), 32 - bits))
const right = (local: number, bits: number) => left(local, 32 - bits)

const MD5_SHIFTS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const
const MD5_STATE = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]

/** One block of each lane. */
function md5Code(): number[] {
  const code: number[] = []
  const locals = GROUPS.map((group) => ({ group, state: numbered(4, group * 5), t: group * 5 + 4 }))
  for (const { state } of locals)
    MD5_STATE.forEach((word, at) => void code.push(...all(word), ...set(state[at] as number)))
  for (let i = 0; i < 64; i++) {
    const word = [i, 5 * i + 1, 3 * i + 5, 7 * i][i >> 4] as number
    const bits = MD5_SHIFTS[i >> 4]?.[i & 3] as number
    for (const { group, state, t } of locals) {
      const [a, b, c, d] = rotated(state, -i) as FourLocals
      const mixed = [
        () => select(get(c), get(d), get(b)),
        () => select(get(b), get(c), get(d)),
        () => xor(get(b), get(c), get(d)),
        () => xor(get(c), or(get(b), not(get(d)))),
      ][i >> 4] as () => number[]
      // What the round before gives comes last, so that the other sums need not wait.
      code.push(...add(get(a), load(SINES_AT + i * 16), load(wordAt(word & 15, group)), mixed()), ...set(t))
      code.push(...add(left(t, bits), get(b)), ...set(a))
    }
  }
  for (const { group, state, t } of locals) {
    MD5_STATE.forEach((word, at) => {
      const local = state[at] as number
      code.push(...add(get(local), all(word)), ...set(local))
    })
    code.push(...hexCode(group, state as FourLocals, [t, 10], 0, true))
  }
  return code
}

/** One block of each lane, group after group: the state of both does not fit the registers. */
function sha256Code(squares: Int32Array): number[] {
  return GROUPS.flatMap((group) => sha256Group(group, squares))
}

function sha256Group(group: number, squares: Int32Array): number[] {
  const code: number[] = []
  const [x, y] = [8, 9] as const
  const word = (i: number) => load(wordAt(i, group))
  for (let i = 16; i < 64; i++) {
    code.push(...word(i - 15), ...set(x), ...word(i - 2), ...set(y))
    const s0 = xor(right(x, 7), right(x, 18), shift(SHR, get(x), 3))
    const s1 = xor(right(y, 17), right(y, 19), shift(SHR, get(y), 10))
    code.push(...store(wordAt(i, group), add(s0, s1, word(i - 16), word(i - 7))))
  }
  squares.forEach((word, at) => void code.push(...all(word), ...set(at)))
  const state = numbered(8, 0)
  for (let i = 0; i < 64; i++) {
    const [a, b, c, d, e, f, g, h] = rotated(state, -i) as [...FourLocals, ...FourLocals]
    const s1 = xor(right(e, 6), right(e, 11), right(e, 25))
    const sum = add(get(h), load(CUBES_AT + i * 16), word(i), select(get(f), get(g), get(e)), s1)
    code.push(...sum, ...set(x))
    const s0 = xor(right(a, 2), right(a, 13), right(a, 22))
    const majority = or(and(get(a), get(b)), and(get(c), or(get(a), get(b))))
    code.push(...add(get(x), s0, majority), ...set(h), ...add(get(d), get(x)), ...set(d))
  }
  squares.forEach((word, at) => void code.push(...add(get(at), all(word)), ...set(at)))
  const [a, b, c, d, e, f, g, h] = state as [...FourLocals, ...FourLocals]
  return [
    ...code,
    ...hexCode(group, [a, b, c, d], [x, y], 0, false),
    ...hexCode(group, [e, f, g, h], [x, y], 32, false),
  ]
}

const numbered = (many: number, from: number) => Array.from({ length: many }, (_, at) => from + at)
const rotated = (names: number[], by: number) => names.map((_, at) => names.at((at + by) % names.length) as number)
const shuffle = (one: number[], other: number[], bytes: number[]) => [...one, ...other, ...simd(SHUFFLE), ...bytes]
const bytesOf = (...words: number[]) => words.flatMap((word) => [0, 1, 2, 3].map((byte) => word * 4 + byte))
const charCodes = (name: string) => [...name].map((char) => char.charCodeAt(0))
const HEX = charCodes('0123456789abcdef')

/** Writes four words of each lane as hex, `offset` bytes after the lane's place. */
function hexCode(
  group: number,
  words: FourLocals,
  [x, y]: [number, number],
  offset: number,
  isLittleEndian: boolean,
): number[] {
  const code: number[] = []
  for (let lane = 0; lane < 4; lane++) {
    const [one, two, three, four] = words
    const half = (first: number, second: number) => shuffle(get(first), get(second), bytesOf(lane, lane + 4, 0, 0))
    code.push(...shuffle(half(one, two), half(three, four), bytesOf(0, 1, 4, 5)), ...set(x))
    code.push(...shift(SHR_BYTES, get(x), 4), ...set(y), ...and(get(x), all(0x0f0f0f0f)), ...set(x))
    for (const start of [0, 8]) {
      const digits = Array.from({ length: 8 }, (_, at) => (isLittleEndian ? start + at : (start + at) ^ 3))
      const nibbles = shuffle(
        get(y),
        get(x),
        digits.flatMap((byte) => [byte, byte + 16]),
      )
      const letters = [...simd(CONST), ...HEX, ...nibbles, ...simd(SWIZZLE)]
      code.push(...storeAtPlace(group * 4 + lane, offset + start * 2, letters))
    }
  }
  return code
}
type FourLocals = [number, number, number, number]

const section = (id: number, content: number[]) => [id, ...leb(content.length), ...content]
const body = (locals: number, code: number[]) => {
  const whole = [1, locals, V128, ...code, 0x0b]
  return [...leb(whole.length), ...whole]
}
const exported = (name: string, kind: number, at: number) => [name.length, ...charCodes(name), kind, at]

export interface Constants {
  sines: Int32Array
  cubes: Int32Array
  squares: Int32Array
}

/**
 * The lanes; null where WebAssembly or its 128-bit instructions are missing or forbidden. Only the hash that is asked for is
 * compiled, since writing the code of both takes 85 ms.
 */
export function openLanes(kind: 'md5' | 'sha256', { sines, cubes, squares }: Constants): Lanes | null {
  try {
    const bytes = Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      ...section(1, [1, 0x60, 0, 0]),
      ...section(3, [1, 0]),
      ...section(5, [1, 0, ...leb((OUTPUT + OUT_BYTES) / PAGE)]),
      ...section(7, [2, ...exported('m', 2, 0), ...exported('run', 0, 0)]),
      ...section(10, [1, ...(kind === 'md5' ? body(11, md5Code()) : body(10, sha256Code(squares)))]),
    ])
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes))
    const { buffer } = exports.m as WebAssembly.Memory & { buffer: ArrayBuffer }
    const places = new Int32Array(buffer, PLACES, LANES)
    const repeat = (constants: Int32Array, at: number) => {
      const to = new Int32Array(buffer, at, constants.length * 4)
      constants.forEach((word, i) => void to.fill(word, i * 4, i * 4 + 4))
    }
    repeat(sines, SINES_AT)
    repeat(cubes, CUBES_AT)
    return {
      words: new Int32Array(buffer, 0, 16 * LANES),
      setPlace(lane, at) {
        places[lane] = at === null ? NOWHERE : OUTPUT + at
      },
      out: new Uint8Array(buffer, OUTPUT, OUT_BYTES),
      run: exports.run as () => void,
    }
  } catch {
    return null
  }
}

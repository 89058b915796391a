// MD5 and SHA-256 of millions of short texts. Libraries made for streams spend most of their time
// starting and finishing each hash: `docs/decisions/identifier-files.md` has the measurements.

/** Holds the text to hash, at most 119 bytes (two blocks); the bytes after it are overwritten. */
export const message = new Uint8Array(128)
const words = new Int32Array(message.buffer)
const view = new DataView(message.buffer)

export const SINES = Int32Array.from({ length: 64 }, (_, at) => Math.floor(Math.abs(Math.sin(at + 1)) * 2 ** 32))
const md5State = new Int32Array(4)

/** Pads the text in `message` and returns its number of 64-byte blocks. */
function pad(length: number): 1 | 2 {
  const blocks = length < 56 ? 1 : 2
  message.fill(0, length, blocks * 64)
  message[length] = 0x80
  return blocks
}

function md5Block(w: Int32Array, at: number): void {
  let a = md5State[0] as number
  let b = md5State[1] as number
  let c = md5State[2] as number
  let d = md5State[3] as number
  for (let i = 0; i < 16; i += 4) {
    a = (a + (d ^ (b & (c ^ d))) + (w[at + (i & 15)] as number) + (SINES[i] as number)) | 0
    a = (((a << 7) | (a >>> 25)) + b) | 0
    d = (d + (c ^ (a & (b ^ c))) + (w[at + ((i + 1) & 15)] as number) + (SINES[i + 1] as number)) | 0
    d = (((d << 12) | (d >>> 20)) + a) | 0
    c = (c + (b ^ (d & (a ^ b))) + (w[at + ((i + 2) & 15)] as number) + (SINES[i + 2] as number)) | 0
    c = (((c << 17) | (c >>> 15)) + d) | 0
    b = (b + (a ^ (c & (d ^ a))) + (w[at + ((i + 3) & 15)] as number) + (SINES[i + 3] as number)) | 0
    b = (((b << 22) | (b >>> 10)) + c) | 0
  }
  for (let i = 16; i < 32; i += 4) {
    a = (a + (c ^ (d & (b ^ c))) + (w[at + ((5 * i + 1) & 15)] as number) + (SINES[i] as number)) | 0
    a = (((a << 5) | (a >>> 27)) + b) | 0
    d = (d + (b ^ (c & (a ^ b))) + (w[at + ((5 * i + 6) & 15)] as number) + (SINES[i + 1] as number)) | 0
    d = (((d << 9) | (d >>> 23)) + a) | 0
    c = (c + (a ^ (b & (d ^ a))) + (w[at + ((5 * i + 11) & 15)] as number) + (SINES[i + 2] as number)) | 0
    c = (((c << 14) | (c >>> 18)) + d) | 0
    b = (b + (d ^ (a & (c ^ d))) + (w[at + ((5 * i + 16) & 15)] as number) + (SINES[i + 3] as number)) | 0
    b = (((b << 20) | (b >>> 12)) + c) | 0
  }
  for (let i = 32; i < 48; i += 4) {
    a = (a + (b ^ c ^ d) + (w[at + ((3 * i + 5) & 15)] as number) + (SINES[i] as number)) | 0
    a = (((a << 4) | (a >>> 28)) + b) | 0
    d = (d + (a ^ b ^ c) + (w[at + ((3 * i + 8) & 15)] as number) + (SINES[i + 1] as number)) | 0
    d = (((d << 11) | (d >>> 21)) + a) | 0
    c = (c + (d ^ a ^ b) + (w[at + ((3 * i + 11) & 15)] as number) + (SINES[i + 2] as number)) | 0
    c = (((c << 16) | (c >>> 16)) + d) | 0
    b = (b + (c ^ d ^ a) + (w[at + ((3 * i + 14) & 15)] as number) + (SINES[i + 3] as number)) | 0
    b = (((b << 23) | (b >>> 9)) + c) | 0
  }
  for (let i = 48; i < 64; i += 4) {
    a = (a + (c ^ (b | ~d)) + (w[at + ((7 * i) & 15)] as number) + (SINES[i] as number)) | 0
    a = (((a << 6) | (a >>> 26)) + b) | 0
    d = (d + (b ^ (a | ~c)) + (w[at + ((7 * i + 7) & 15)] as number) + (SINES[i + 1] as number)) | 0
    d = (((d << 10) | (d >>> 22)) + a) | 0
    c = (c + (a ^ (d | ~b)) + (w[at + ((7 * i + 14) & 15)] as number) + (SINES[i + 2] as number)) | 0
    c = (((c << 15) | (c >>> 17)) + d) | 0
    b = (b + (d ^ (c | ~a)) + (w[at + ((7 * i + 21) & 15)] as number) + (SINES[i + 3] as number)) | 0
    b = (((b << 21) | (b >>> 11)) + c) | 0
  }
  md5State[0] = (md5State[0] as number) + a
  md5State[1] = (md5State[1] as number) + b
  md5State[2] = (md5State[2] as number) + c
  md5State[3] = (md5State[3] as number) + d
}

/** The MD5 of the first `length` bytes of `message`, as hex at `out[at]`. */
export function md5(length: number, out: Uint8Array, at: number): void {
  const blocks = pad(length)
  view.setUint32(blocks * 64 - 8, length * 8, true)
  md5State[0] = 0x67452301
  md5State[1] = 0xefcdab89
  md5State[2] = 0x98badcfe
  md5State[3] = 0x10325476
  md5Block(words, 0)
  if (blocks === 2) md5Block(words, 16)
  for (let i = 0; i < 4; i++) {
    const word = md5State[i] as number
    writeHex(((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24), out, at + i * 8)
  }
}

/** SHA-256's constants: fractional parts of roots of the first primes. */
const PRIMES = Array.from({ length: 312 }, (_, at) => at).filter(
  (n) => n > 1 && !Array.from({ length: Math.floor(Math.sqrt(n)) - 1 }, (_, at) => at + 2).some((of) => n % of === 0),
)
const fractions = (many: number, root: (n: number) => number) =>
  Int32Array.from(PRIMES.slice(0, many), (prime) => Math.floor((root(prime) % 1) * 2 ** 32))
export const CUBES = fractions(64, Math.cbrt)
export const SQUARES = fractions(8, Math.sqrt)
const shaState = new Int32Array(8)
const schedule = new Int32Array(64)

function sha256Block(at: number): void {
  const w = schedule
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + i * 4)
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number
    const y = w[i - 2] as number
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[i] = ((w[i - 16] as number) + (w[i - 7] as number) + s0 + s1) | 0
  }
  let a = shaState[0] as number
  let b = shaState[1] as number
  let c = shaState[2] as number
  let d = shaState[3] as number
  let e = shaState[4] as number
  let f = shaState[5] as number
  let g = shaState[6] as number
  let h = shaState[7] as number
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + (g ^ (e & (f ^ g))) + (CUBES[i] as number) + (w[i] as number)) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  shaState[0] = (shaState[0] as number) + a
  shaState[1] = (shaState[1] as number) + b
  shaState[2] = (shaState[2] as number) + c
  shaState[3] = (shaState[3] as number) + d
  shaState[4] = (shaState[4] as number) + e
  shaState[5] = (shaState[5] as number) + f
  shaState[6] = (shaState[6] as number) + g
  shaState[7] = (shaState[7] as number) + h
}

/** The SHA-256 of the first `length` bytes of `message`, as hex at `out[at]`. */
export function sha256(length: number, out: Uint8Array, at: number): void {
  const blocks = pad(length)
  view.setUint32(blocks * 64 - 4, length * 8)
  shaState.set(SQUARES)
  sha256Block(0)
  if (blocks === 2) sha256Block(64)
  for (let i = 0; i < 8; i++) writeHex(shaState[i] as number, out, at + i * 8)
}

const HEX = Uint8Array.from('0123456789abcdef', (char) => char.charCodeAt(0))
function writeHex(word: number, out: Uint8Array, at: number): void {
  out[at] = HEX[word >>> 28] as number
  out[at + 1] = HEX[(word >>> 24) & 15] as number
  out[at + 2] = HEX[(word >>> 20) & 15] as number
  out[at + 3] = HEX[(word >>> 16) & 15] as number
  out[at + 4] = HEX[(word >>> 12) & 15] as number
  out[at + 5] = HEX[(word >>> 8) & 15] as number
  out[at + 6] = HEX[(word >>> 4) & 15] as number
  out[at + 7] = HEX[word & 15] as number
}

import { CUBES, message, SINES, SQUARES } from './digests.ts'
import { phoneLine } from './plain-values.ts'
import { LANES, type Lanes, openLanes } from './simd-hash.ts'

/** The longest text that fits one block, and so a lane. */
export const LANE_TEXT_MAX = 55
const PHONE_BITS = 11 * 8
const PHONE_LAST_WORD = 2
const NEWLINE = 0x0a
const messageWords = new Int32Array(message.buffer)
const opened: { md5?: Lanes | null; sha256?: Lanes | null } = {}

/**
 * Hashes several texts at once. Texts wait in the lanes until all are taken or `run` is called; then their hashes stand as hex
 * in `out`, each at the `at` it was put with. null where the browser cannot.
 */
export function openLaneHash(kind: 'md5' | 'sha256') {
  if (opened[kind] === undefined) opened[kind] = openLanes(kind, { sines: SINES, cubes: CUBES, squares: SQUARES })
  const lanes = opened[kind]
  if (!lanes) return null
  const { words, setPlace, out, run: hash } = lanes
  const isMd5 = kind === 'md5'
  const hashBytes = isMd5 ? 32 : 64
  const bitsWord = isMd5 ? 14 : 15
  /** The last word that each lane's text has used. */
  const lastWords = new Int32Array(LANES)
  words.fill(0)
  let taken = 0

  /** Clears the words that a lane's text does not use, and sets its length. */
  function prepare(lane: number, lastWord: number, bits: number): void {
    for (let i = lastWord + 1; i <= (lastWords[lane] as number); i++) words[i * LANES + lane] = 0
    lastWords[lane] = lastWord
    words[bitsWord * LANES + lane] = bits
  }
  function run(): void {
    if (taken === 0) return
    while (taken < LANES) setPlace(taken++, null)
    hash()
    taken = 0
  }
  return {
    out,
    run,
    /** The first `length` bytes of `message`, at most LANE_TEXT_MAX. */
    put(length: number, at: number): void {
      const lastWord = length >> 2
      message[length] = 0x80
      // The rest of the last word; `fill` takes 18 ns longer.
      message[length + 1] = 0
      message[length + 2] = 0
      message[length + 3] = 0
      for (let i = 0; i <= lastWord; i++) {
        const word = messageWords[i] as number
        words[i * LANES + taken] = isMd5 ? word : swapped(word)
      }
      prepare(taken, lastWord, length * 8)
      setPlace(taken++, at)
      if (taken === LANES) run()
    },
    /**
     * Hashes lines that are nothing but a phone and have `lineBytes` bytes each, until another line comes or `out` is full.
     * Returns their number; the hashes stand at `at`, each with its line end.
     */
    putPhones(view: DataView, from: number, at: number, lineBytes: number): number {
      run()
      for (let lane = 0; lane < LANES; lane++) prepare(lane, PHONE_LAST_WORD, PHONE_BITS)
      const most = Math.floor((out.length - at) / (hashBytes + 1))
      let many = 0
      let lane = 0
      while (many < most && phoneLine(view, from) === lineBytes) {
        words[lane] = view.getInt32(from, isMd5)
        words[LANES + lane] = view.getInt32(from + 4, isMd5)
        const last = view.getInt32(from + 8, isMd5)
        words[2 * LANES + lane] = isMd5 ? (last & 0xffffff) | 0x80000000 : (last & 0xffffff00) | 0x80
        setPlace(lane++, at)
        if (lane === LANES) {
          hash()
          lane = 0
        }
        out[at + hashBytes] = NEWLINE
        at += hashBytes + 1
        from += lineBytes
        many++
      }
      taken = lane
      return many
    },
  }
}

const swapped = (word: number): number =>
  ((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)

import { BLOCK_BYTES, PAGE_BYTES, PAGES_MAX } from './bitmap-kernel.ts'
import type { WasmMemory } from './wasm.ts'

/**
 * People are stored in blocks of 65,536 numbers, as in roaring bitmaps: a block with few people is a sorted list of
 * 16-bit numbers, one with more is 65,536 bits. The limit is low, since combining lists costs more per person than bits.
 */
export const LIST_MAX = 512
export const BLOCK_PEOPLE = 65_536

/** Where a set's blocks are: block i has `counts[i]` people and begins at byte `places[i]`. */
export type Blocks = { counts: Int32Array; places: Uint32Array }

const GROW_PAGES = 256

/** Allocates and frees blocks of 8 KB. Throws a RangeError when memory is full. */
function blockMemory(memory: WasmMemory) {
  const free: number[] = []
  let next = 0
  let end = memory.buffer.byteLength
  return {
    take(): number {
      const known = free.pop()
      if (known !== undefined) return known
      if (next === end) {
        const pages = Math.min(GROW_PAGES, PAGES_MAX - end / PAGE_BYTES)
        if (pages === 0) throw new RangeError('the bitmap memory is full')
        memory.grow(pages)
        end += pages * PAGE_BYTES
      }
      next += BLOCK_BYTES
      return next - BLOCK_BYTES
    },
    give(places: readonly number[]) {
      free.push(...places)
    },
  }
}
export type BlockMemory = ReturnType<typeof blockMemory>

/** Calls `found` with each block of a serialised roaring bitmap, as its list or its bits. */
export type BlockFound = (key: number, count: number, list: Uint16Array | null, bits: Uint8Array | null) => void

/**
 * Reads the states of a RowBinary answer: (set UInt32, bucket UInt16, bitmap AggregateFunction(groupBitmap, UInt32)).
 * Skips blocks that are not `wanted`.
 */
function readStates(
  bytes: Uint8Array,
  wanted: (key: number) => boolean,
  found: (set: number, ...block: Parameters<BlockFound>) => void,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const varint = () => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = view.getUint8(at++)
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  while (at < bytes.byteLength) {
    const set = view.getUint32(at, true)
    at += 6
    const kind = view.getUint8(at++)
    const size = varint()
    if (kind === 0) {
      const numbers = Array.from({ length: size }, (_, index) => view.getUint32(at + index * 4, true)).sort(
        (a, b) => a - b,
      )
      at += size * 4
      readNumbers(numbers, wanted, (...block) => found(set, ...block))
    } else {
      readRoaring(view, at, wanted, (...block) => found(set, ...block))
      at += size
    }
  }
}

function readNumbers(sorted: readonly number[], wanted: (key: number) => boolean, found: BlockFound): void {
  for (let from = 0; from < sorted.length; ) {
    const key = (sorted[from] ?? 0) >>> 16
    let to = from
    while (to < sorted.length && (sorted[to] ?? 0) >>> 16 === key) to++
    const list = sorted.slice(from, to)
    if (wanted(key))
      found(
        key,
        list.length,
        Uint16Array.from(list, (number) => number & 0xffff),
        null,
      )
    from = to
  }
}

const WITH_RUNS = 12_347
const WITHOUT_RUNS = 12_346
const OFFSETS_FROM = 4
const ARRAY_MAX = 4096

/** The portable format of the roaring bitmap libraries. */
function readRoaring(view: DataView, start: number, wanted: (key: number) => boolean, found: BlockFound): void {
  let at = start
  const cookie = view.getUint32(at, true)
  at += 4
  const withRuns = (cookie & 0xffff) === WITH_RUNS
  if (!withRuns && cookie !== WITHOUT_RUNS) throw new Error(`a bitmap of an unknown format (${cookie})`)
  let size: number
  let runFlags = 0
  if (withRuns) {
    size = (cookie >>> 16) + 1
    runFlags = at
    at += Math.ceil(size / 8)
  } else {
    size = view.getUint32(at, true)
    at += 4
  }
  const heads = at
  at += size * 4
  if (!withRuns || size >= OFFSETS_FROM) at += size * 4
  for (let index = 0; index < size; index++) {
    const key = view.getUint16(heads + index * 4, true)
    const count = view.getUint16(heads + index * 4 + 2, true) + 1
    if (withRuns && (view.getUint8(runFlags + (index >> 3)) >> (index & 7)) & 1) {
      const runs = view.getUint16(at, true)
      if (wanted(key)) found(key, count, null, bitsOfRuns(view, at + 2, runs))
      at += 2 + runs * 4
    } else if (count <= ARRAY_MAX) {
      if (wanted(key)) {
        // Copied, since the numbers may begin at an odd byte.
        const list = new Uint8Array(count * 2)
        list.set(new Uint8Array(view.buffer, view.byteOffset + at, count * 2))
        found(key, count, new Uint16Array(list.buffer), null)
      }
      at += count * 2
    } else {
      if (wanted(key)) found(key, count, null, new Uint8Array(view.buffer, view.byteOffset + at, BLOCK_BYTES))
      at += BLOCK_BYTES
    }
  }
}

function bitsOfRuns(view: DataView, at: number, runs: number): Uint8Array {
  const bits = new Uint32Array(BLOCK_BYTES / 4)
  for (let run = 0; run < runs; run++) {
    const from = view.getUint16(at + run * 4, true)
    setRange(bits, from, from + view.getUint16(at + run * 4 + 2, true))
  }
  return new Uint8Array(bits.buffer)
}

/** Sets the bits from `from` to `to`, both included. */
function setRange(bits: Uint32Array, from: number, to: number): void {
  const first = from >>> 5
  const last = to >>> 5
  const head = 0xffffffff << (from & 31)
  const tail = 0xffffffff >>> (31 - (to & 31))
  if (first === last) bits[first] = (bits[first] ?? 0) | (head & tail)
  else {
    bits[first] = (bits[first] ?? 0) | head
    bits.fill(0xffffffff, first + 1, last)
    bits[last] = (bits[last] ?? 0) | tail
  }
}

/** The sets that one thread holds: every `lanes`-th block, from block `lane` on. */
export function bitmapStore(memory: WasmMemory, lane: number, lanes: number) {
  const blocks = blockMemory(memory)
  const sets = new Map<
    number,
    { counts: number[]; places: number[]; owned: number[]; listEnd: number; listPlace: number }
  >()
  const full = blocks.take()
  new Uint8Array(memory.buffer, full, BLOCK_BYTES).fill(255)
  const frozen = new Map<number, Blocks>()

  const add = (handle: number, key: number, count: number, list: Uint16Array | null, bits: Uint8Array | null) => {
    const set = sets.get(handle)
    if (!set) return
    const index = (key - lane) / lanes
    if (set.counts[index]) throw new Error(`block ${key} of a set was given twice`)
    set.counts[index] = count
    if (count === BLOCK_PEOPLE) {
      set.places[index] = full
      return
    }
    if (count <= LIST_MAX) {
      if (set.listEnd + count * 2 > BLOCK_BYTES) {
        set.listPlace = blocks.take()
        set.listEnd = 0
        set.owned.push(set.listPlace)
      }
      const place = set.listPlace + set.listEnd
      const target = new Uint16Array(memory.buffer, place, count)
      if (list) target.set(list)
      else if (bits) listBits(bits, target)
      set.places[index] = place
      set.listEnd += count * 2
      return
    }
    const place = blocks.take()
    set.owned.push(place)
    if (bits) new Uint8Array(memory.buffer, place, BLOCK_BYTES).set(bits)
    else if (list) {
      const target = new Uint32Array(memory.buffer, place, BLOCK_BYTES / 4).fill(0)
      for (const bit of list) target[bit >>> 5] = (target[bit >>> 5] ?? 0) | (1 << (bit & 31))
    }
    set.places[index] = place
  }

  return {
    blocks,
    open(handle: number) {
      sets.set(handle, { counts: [], places: [], owned: [], listEnd: BLOCK_BYTES, listPlace: 0 })
    },
    /** Adds the states of `bytes`, whose set numbers are indexes of `handles`. */
    load(bytes: Uint8Array, handles: readonly number[]) {
      readStates(
        bytes,
        (key) => key % lanes === lane,
        (set, ...block) => add(handles[set] ?? -1, ...block),
      )
    },
    /** Closes a set to further states; answers its people and bytes in this thread. */
    seal(handle: number): { count: number; bytes: number } {
      const set = sets.get(handle)
      if (!set) throw new Error('no such set')
      const counts = Int32Array.from({ length: set.counts.length }, (_, index) => set.counts[index] ?? 0)
      const places = Uint32Array.from({ length: set.counts.length }, (_, index) => set.places[index] ?? 0)
      set.counts = []
      set.places = []
      frozen.set(handle, { counts, places })
      const bytes = set.owned.length * BLOCK_BYTES + counts.byteLength + places.byteLength
      return { count: counts.reduce((sum, count) => sum + count, 0), bytes }
    },
    get(handle: number): Blocks {
      const set = frozen.get(handle)
      if (!set) throw new Error('no such set')
      return set
    },
    drop(handle: number) {
      const set = sets.get(handle)
      if (set) blocks.give(set.owned)
      sets.delete(handle)
      frozen.delete(handle)
    },
  }
}

function listBits(bits: Uint8Array, target: Uint16Array): void {
  let length = 0
  for (let byte = 0; byte < bits.length; byte++) {
    for (let left = bits[byte] ?? 0; left !== 0; left &= left - 1) {
      target[length++] = byte * 8 + 31 - Math.clz32(left & -left)
    }
  }
}

import type { RuleOp } from '#contract/rule.ts'
import { type BitmapKernel, BLOCK_BYTES, bitmapKernel } from './bitmap-kernel.ts'
import { BLOCK_PEOPLE, type BlockMemory, type Blocks, LIST_MAX } from './bitmap-store.ts'
import type { WasmMemory } from './wasm.ts'

/** The part of a RulePlan that is folded: slots 0 to sets-1 are sets, step i fills slot sets+i. */
export type FoldPlan = { sets: number; steps: readonly { op: RuleOp; parts: readonly number[] }[] }

/** Counts every step of a plan in one pass over the blocks: a block's operands and results stay in the core's cache. */
export function folder(memory: WasmMemory, blocks: BlockMemory) {
  const kernel = bitmapKernel(memory)
  const scratch: Scratch[] = []

  return function countSteps(plan: FoldPlan, sets: readonly Blocks[]): number[] {
    const depths = depthsOf(plan)
    while (scratch.length <= Math.max(0, ...depths)) scratch.push({ bits: blocks.take(), list: blocks.take() })
    const slots = plan.sets + plan.steps.length
    const work: Work = {
      kernel,
      sets: plan.sets,
      words: new Uint32Array(memory.buffer),
      bytes: new Uint8Array(memory.buffer),
      lists: new Uint16Array(memory.buffer),
      counts: new Int32Array(slots),
      places: new Uint32Array(slots),
      isList: new Uint8Array(slots),
    }
    const { counts, places, isList } = work
    const totals = new Float64Array(plan.steps.length)
    const length = sets.reduce((longest, set) => Math.max(longest, set.counts.length), 0)
    for (let block = 0; block < length; block++) {
      for (let at = 0; at < sets.length; at++) {
        const set = sets[at] as Blocks
        const count = set.counts[block] ?? 0
        counts[at] = count
        places[at] = set.places[block] ?? 0
        isList[at] = count <= LIST_MAX ? 1 : 0
      }
      for (let at = 0; at < plan.steps.length; at++) {
        const { op, parts } = plan.steps[at] as FoldPlan['steps'][number]
        const slot = plan.sets + at
        const own = scratch[depths[at] as number] as Scratch
        counts[slot] = 0
        for (let part = 0; part < parts.length; part++) {
          if (part === 0) same(work, slot, parts[0] as number)
          else COMBINE[op](work, slot, parts[part] as number, own)
        }
        totals[at] = (totals[at] as number) + (counts[slot] as number)
      }
    }
    return [...totals]
  }
}

/** Memory for a step's result. */
type Scratch = { bits: number; list: number }

/** How many earlier results are still needed when a step is folded; the index of its scratch, shared with its first child. */
function depthsOf(plan: FoldPlan): number[] {
  let waiting = 0
  return plan.steps.map(({ parts }) => {
    waiting -= parts.filter((part) => part >= plan.sets).length
    return waiting++
  })
}

/** The current block of each slot: its number of people, its place (none if empty), and whether it is a list or bits. */
type Work = {
  kernel: BitmapKernel
  sets: number
  words: Uint32Array
  bytes: Uint8Array
  lists: Uint16Array
  counts: Int32Array
  places: Uint32Array
  isList: Uint8Array
}

/** Puts `slot op part` into `slot`. */
type Combine = (work: Work, slot: number, part: number, own: Scratch) => void

const COMBINE: Record<RuleOp, Combine> = {
  n(work, slot, part, own) {
    const { counts, isList } = work
    if (counts[slot] === 0 || counts[part] === BLOCK_PEOPLE) return
    if (counts[part] === 0) counts[slot] = 0
    else if (counts[slot] === BLOCK_PEOPLE) adopt(work, slot, part, own)
    else if (isList[slot] && isList[part]) mergeLists(work, slot, part, own, true)
    else if (isList[slot]) filterList(work, slot, slot, part, own, 1)
    else if (isList[part]) filterList(work, slot, part, slot, own, 1)
    else bitsWith(work, work.kernel.and, slot, part, own)
  },
  u(work, slot, part, own) {
    const { counts, isList } = work
    if (counts[part] === 0 || counts[slot] === BLOCK_PEOPLE) return
    if (counts[slot] === 0 || counts[part] === BLOCK_PEOPLE) adopt(work, slot, part, own)
    else if (isList[slot] && isList[part]) uniteLists(work, slot, part, own)
    else if (isList[slot]) changeBits(work, slot, part, slot, own, true)
    else if (isList[part]) changeBits(work, slot, slot, part, own, true)
    else bitsWith(work, work.kernel.or, slot, part, own)
  },
  e(work, slot, part, own) {
    const { counts, isList } = work
    if (counts[slot] === 0 || counts[part] === 0) return
    if (counts[part] === BLOCK_PEOPLE) counts[slot] = 0
    else if (isList[slot] && isList[part]) mergeLists(work, slot, part, own, false)
    else if (isList[slot]) filterList(work, slot, slot, part, own, 0)
    else if (isList[part]) changeBits(work, slot, slot, part, own, false)
    else bitsWith(work, work.kernel.andnot, slot, part, own)
  },
}

function same({ counts, places, isList }: Work, slot: number, part: number): void {
  counts[slot] = counts[part] as number
  places[slot] = places[part] as number
  isList[slot] = isList[part] as number
}

function result({ counts, places, isList }: Work, slot: number, count: number, place: number, list: 0 | 1): void {
  counts[slot] = count
  places[slot] = place
  isList[slot] = list
}

/** Makes `slot` equal to `part`. Another step's scratch is copied, since it is reused soon. */
function adopt(work: Work, slot: number, part: number, own: Scratch): void {
  const place = work.places[part] as number
  same(work, slot, part)
  if (part < work.sets) return
  const to = work.isList[part] ? own.list : own.bits
  const length = work.isList[part] ? (work.counts[part] as number) * 2 : BLOCK_BYTES
  work.bytes.copyWithin(to, place, place + length)
  work.places[slot] = to
}

function bitsWith(work: Work, operation: BitmapKernel['and'], slot: number, part: number, own: Scratch): void {
  const count = operation(own.bits, work.places[slot] as number, work.places[part] as number)
  result(work, slot, count, own.bits, 0)
}

/** For two lists: keeps what is in `part`, or what is not. The result may overwrite `slot`. */
function mergeLists(work: Work, slot: number, part: number, own: Scratch, inBoth: boolean): void {
  const { lists, counts, places } = work
  let left = (places[slot] as number) >>> 1
  let right = (places[part] as number) >>> 1
  const leftEnd = left + (counts[slot] as number)
  const rightEnd = right + (counts[part] as number)
  const start = own.list >>> 1
  let to = start
  while (left < leftEnd) {
    const number = lists[left++] as number
    while (right < rightEnd && (lists[right] as number) < number) right++
    const found = right < rightEnd && lists[right] === number
    if (found === inBoth) lists[to++] = number
  }
  result(work, slot, to - start, own.list, 1)
}

/** Keeps the numbers of the list whose bit is `wanted`. */
function filterList(work: Work, slot: number, list: number, bits: number, own: Scratch, wanted: 0 | 1): void {
  const { lists, words, counts, places } = work
  const wordsFrom = (places[bits] as number) >>> 2
  const from = (places[list] as number) >>> 1
  const end = from + (counts[list] as number)
  const start = own.list >>> 1
  let to = start
  for (let at = from; at < end; at++) {
    const number = lists[at] as number
    lists[to] = number
    to += (((words[wordsFrom + (number >>> 5)] as number) >>> (number & 31)) & 1) ^ wanted ^ 1
  }
  result(work, slot, to - start, own.list, 1)
}

/** Sets or clears the list's numbers in the bits. */
function changeBits(work: Work, slot: number, bits: number, list: number, own: Scratch, adds: boolean): void {
  const place = work.places[bits] as number
  const before = work.counts[bits] as number
  if (place !== own.bits) work.bytes.copyWithin(own.bits, place, place + BLOCK_BYTES)
  const changed = markList(work, list, own.bits >>> 2, adds)
  result(work, slot, adds ? before + changed : before - changed, own.bits, 0)
}

function uniteLists(work: Work, slot: number, part: number, own: Scratch): void {
  const wordsFrom = own.bits >>> 2
  work.words.fill(0, wordsFrom, wordsFrom + BLOCK_BYTES / 4)
  const count = markList(work, slot, wordsFrom, true) + markList(work, part, wordsFrom, true)
  result(work, slot, count, own.bits, 0)
}

/** Sets or clears the list's bits; answers how many changed. */
function markList({ lists, words, counts, places }: Work, list: number, wordsFrom: number, adds: boolean): number {
  const from = (places[list] as number) >>> 1
  const end = from + (counts[list] as number)
  let changed = 0
  for (let at = from; at < end; at++) {
    const number = lists[at] as number
    const word = wordsFrom + (number >>> 5)
    const mask = 1 << (number & 31)
    const old = words[word] as number
    const had = (old & mask) === 0 ? 0 : 1
    words[word] = adds ? old | mask : old & ~mask
    changed += adds ? 1 - had : had
  }
  return changed
}

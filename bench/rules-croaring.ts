import type { RuleNode } from '#contract/rule.ts'
import type { AcrossShards } from '../server/clickhouse/handles.ts'
import type { RuleCounts, SetVersion } from '../server/clickhouse/rule/evaluate.ts'
import { peer } from './peer.ts'

/** The part of the `roaring` package (CRoaring for Node) that is used here. */
type Bitmap = {
  readonly size: number
  andInPlace(other: Bitmap): Bitmap
  orInPlace(other: Bitmap): Bitmap
  andNotInPlace(other: Bitmap): Bitmap
  addMany(numbers: Uint32Array): Bitmap
  runOptimize(): boolean
  shrinkToFit(): number
}
type Roaring = {
  RoaringBitmap32: {
    new (): Bitmap
    and(a: Bitmap, b: Bitmap): Bitmap
    or(a: Bitmap, b: Bitmap): Bitmap
    andNot(a: Bitmap, b: Bitmap): Bitmap
    deserialize(bytes: Uint8Array, format: 'portable'): Bitmap
  }
}

// Loaded with the module, so that a missing package is installed before anything is measured.
const { RoaringBitmap32 } = peer('roaring', '2.7.0') as Roaring

/** The same counts as one would write them with CRoaring; intermediate results are changed in place. */
export async function openCroaring(
  live: AcrossShards,
  adv_id: number,
  sets: readonly SetVersion[],
): Promise<(rule: RuleNode) => RuleCounts> {
  const fresh = { n: RoaringBitmap32.and, u: RoaringBitmap32.or, e: RoaringBitmap32.andNot }
  const inPlace = { n: 'andInPlace', u: 'orInPlace', e: 'andNotInPlace' } as const

  const tags = new Map<number, Bitmap>()
  for (const { id, version } of sets) {
    const bitmap = new RoaringBitmap32()
    const buckets = await live.query<{ bucket: number }>(
      `SELECT DISTINCT bucket FROM tag_member WHERE adv_id = ${adv_id} AND tag_id = ${id} AND version = ${version} ORDER BY bucket`,
    )
    for (const { bucket } of buckets) {
      const bytes = await live.bytes(
        `SELECT groupBitmapMergeState(bitmap) FROM tag_member
         WHERE adv_id = ${adv_id} AND tag_id = ${id} AND version = ${version} AND bucket = ${bucket} FORMAT RowBinary`,
      )
      const portable = portableOf(bytes)
      if (portable) bitmap.orInPlace(RoaringBitmap32.deserialize(portable, 'portable'))
      else bitmap.addMany(numbersOf(bytes))
    }
    bitmap.runOptimize()
    bitmap.shrinkToFit()
    tags.set(id, bitmap)
  }

  return (rule) => {
    const counts: RuleCounts = {}
    const solve = (node: RuleNode): Bitmap => {
      const parts = node.exps.length > 0 ? node.exps.map(solve) : node.subTags.map(({ id }) => tags.get(id) as Bitmap)
      const op = node.op ?? 'u'
      const [left, right] = parts as [Bitmap, Bitmap]
      const solved = node.exps.length > 0 ? left[inPlace[op]](right) : fresh[op](left, right)
      counts[node.id] = solved.size
      return solved
    }
    solve(rule)
    return counts
  }
}

/** Reads the engine's state: a kind, a length, and the portable format; for few people, their numbers. */
function portableOf(state: Uint8Array): Uint8Array | null {
  if (state[0] === 0) return null
  let at = 1
  while (((state[at] ?? 0) & 128) !== 0) at++
  return state.subarray(at + 1)
}
const numbersOf = (state: Uint8Array) => new Uint32Array(Uint8Array.from(state.subarray(2)).buffer)

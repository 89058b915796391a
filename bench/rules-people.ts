import type { AcrossShards } from '../server/clickhouse/handles.ts'
import type { SetVersion } from '../server/clickhouse/rule/evaluate.ts'

/** Who has a tag: a random share of all people, or of a range of numbers, as for people added in the same weeks. */
export type TagShape = { id: number; share: number; stretch: { from: number; length: number } }

const SHARES = [0.6, 0.5, 0.35, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01, 0.008, 0.005, 0.002, 0.0005]
const EVERYONE = { from: 0, length: 1 }

/** From gender and city down to rare purchases; every tenth tag covers a range of numbers. */
export const tagShapes = (tags: number): TagShape[] =>
  Array.from({ length: tags }, (_, at) => {
    const stretch = at % 10 === 9 ? { from: (at * 0.37) % 0.8, length: 0.2 } : EVERYONE
    const share = at === 0 ? 1 : (SHARES[(at * 7) % SHARES.length] as number)
    return { id: at + 1, share: share * stretch.length, stretch }
  })

const VERSION = 1
/** People per statement; their numbers are in memory while they are sorted into buckets. */
const AT_ONCE = 64 * 2 ** 20

/** Made by the engine: shares below a tenth by steps of random length, others by a draw per person. */
export async function writeTags(
  load: AcrossShards,
  adv_id: number,
  people: number,
  shapes: readonly TagShape[],
): Promise<Map<number, SetVersion>> {
  for (const { id, share, stretch } of shapes) {
    const first = Math.floor(people * stretch.from)
    const last = Math.min(people, first + Math.ceil(people * stretch.length))
    const within = share / stretch.length
    for (let from = first; from < last; from += AT_ONCE - (from % AT_ONCE)) {
      const to = Math.min(last, from - (from % AT_ONCE) + AT_ONCE)
      await load.command(
        `INSERT INTO tag_member SELECT ${adv_id}, ${id}, ${VERSION}, bitShiftRight(uid, 20) AS bucket, groupBitmapState(uid)
         FROM (${within < 0.1 ? steps(id, from, to, Math.round(1 / within)) : draws(id, from, to, within)}) GROUP BY bucket`,
      )
    }
  }
  const counted = await load.query<{ tag_id: number; people: number }>(
    `SELECT tag_id, sum(n) AS people FROM (SELECT tag_id, bucket, groupBitmapMerge(bitmap) AS n FROM tag_member WHERE adv_id = ${adv_id} GROUP BY tag_id, bucket) GROUP BY tag_id`,
  )
  return new Map(
    counted.map(({ tag_id, people }) => [tag_id, { kind: 'tag', id: tag_id, version: VERSION, count: people }]),
  )
}

const draws = (id: number, from: number, to: number, share: number) =>
  `SELECT toUInt32(number) AS uid FROM numbers(${from}, ${to - from})${share >= 1 ? '' : ` WHERE intHash32(number + ${id} * 1000000007) < ${Math.floor(share * 2 ** 32)}`}`
const steps = (id: number, from: number, to: number, step: number) =>
  `SELECT toUInt32(${from} + number * ${step} + intHash32(number + ${id} * 1000000007) % ${step}) AS uid FROM numbers(${Math.floor((to - from) / step)})`

import { isWarehouseAway } from '../../clickhouse/engine-error.ts'
import type { EveryShard } from '../../clickhouse/handles.ts'
import { IN_ORDER, type MemberSelect } from './frame.ts'

const PASSES_AT_ONCE = 3

interface Insert {
  adv_id: number
  version: number
  signal?: AbortSignal | undefined
  progress?(share: number): void
}

/**
 * Runs the passes of a build, several at once because one leaves cores idle. Negations and 全部用户 run last, in order:
 * everybody in another tag of the build is then in 全部用户 too. A failing pass does not stop the others; its tags are
 * answered with the reason. Throws when every pass fails.
 */
export async function insertMembers(
  load: EveryShard,
  passes: readonly MemberSelect[],
  { adv_id, version, signal, progress }: Insert,
): Promise<Map<number, unknown>> {
  const failed = new Map<number, unknown>()
  const reasons: unknown[] = []
  let done = 0
  const insert = async ({ sql: select, ids }: MemberSelect) => {
    signal?.throwIfAborted()
    try {
      await load.command(
        `INSERT INTO tag_member (adv_id, tag_id, version, bucket, bitmap)
         SELECT ${adv_id}, tag_id, ${version}, bucket, bitmap FROM (${select})`,
        {},
        { settings: IN_ORDER, signal },
      )
    } catch (error) {
      signal?.throwIfAborted()
      // Every other pass would fail too.
      if (isWarehouseAway(error)) throw error
      reasons.push(error)
      for (const id of ids) failed.set(id, error)
    }
    progress?.(++done / (passes.length + 1))
  }
  const waiting = passes.filter((pass) => !pass.isLast)
  const work = async () => {
    for (let pass = waiting.shift(); pass; pass = waiting.shift()) await insert(pass)
  }
  await Promise.all(Array.from({ length: PASSES_AT_ONCE }, work))
  for (const pass of passes) if (pass.isLast) await insert(pass)
  if (reasons.length > 0 && reasons.length === passes.length) throw reasons[0]
  return failed
}

import { type Check, READ_SHARE, SINGLE, WORKERS } from './check-tables.ts'
import { bucketSql, rangesOf, storedBytes } from './identifier-sql.ts'
import { sideBySide } from './side-by-side.ts'

const VALUES_AT_ONCE = 1_000_000
const SPILL_BYTES = 512 * 1024 * 1024
const DISTINCT_SHARE = 0.45

/**
 * Fills `values` from `raw`. Counts a repeated value for the first file that has it, and leaves out files that could
 * not be read to their end. Works bucket by bucket to limit memory.
 */
export async function keepDistinct({ deps, request, run, tables: { raw, values }, read }: Check): Promise<void> {
  const { load, valuesAtOnce = VALUES_AT_ONCE } = deps
  const { adv_id, crowd_id, version, type } = request
  const { signal } = run
  const unread = read.flatMap(({ error }, file) => (error === null ? [] : [file]))
  const isRead = unread.length > 0 ? ` AND file NOT IN (${unread.join(', ')})` : ''
  const rows = await load.oneNode.query<{ bucket: number; n: number }>(
    `SELECT bucket, count() AS n FROM ${raw} GROUP BY bucket ORDER BY bucket`,
    {},
    { signal },
  )
  const ranges = rangesOf(rows, valuesAtOnce)
  const waiting = [...ranges]
  const bytes = storedBytes(type)
  // A cast of a FixedString to String would drop trailing zero bytes.
  const whole = bytes ? `substring(value, 1, ${bytes})` : 'value'
  await sideBySide(WORKERS, async () => {
    const range = waiting.shift()
    if (!range) return false
    await load.acrossShards.command(
      `INSERT INTO ${values} (adv_id, crowd_id, bucket, version, value, sign, file)
       SELECT ${adv_id}, ${crowd_id}, ${bucketSql('value')}, ${version}, ${whole}, 1, min(file) FROM ${raw}
       WHERE bucket BETWEEN ${range.first} AND ${range.last}${isRead} GROUP BY value`,
      {},
      { signal, settings: { ...SINGLE, max_bytes_before_external_group_by: SPILL_BYTES } },
    )
    run.progress?.(READ_SHARE + DISTINCT_SHARE * (1 - waiting.length / ranges.length), '去重')
    return true
  })
}

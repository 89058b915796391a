import { setImmediate as breathe } from 'node:timers/promises'
import type { Database } from './database.ts'
import { PLATFORMS, type PlatformName } from './platforms.ts'

const AT_ONCE = 20_000

/**
 * Adds values of one kind to a set, or removes them. Returns false if it was stopped halfway; it can then start again from
 * the beginning, since repeating values changes nothing.
 */
export async function changeSet(
  db: Database,
  platform: PlatformName,
  given: { owner: number; kind: string; values: string[]; isRemoval: boolean },
  isStopped: () => boolean,
): Promise<boolean> {
  const { owner, kind, values, isRemoval } = given
  const { table, owner: column } = PLATFORMS[platform].values
  const statement = isRemoval
    ? `DELETE FROM ${table} WHERE ${column} = ?1 AND kind = ?2 AND value IN (SELECT value FROM json_each(?3))`
    : `INSERT OR IGNORE INTO ${table} SELECT ?1, ?2, value FROM json_each(?3)`
  // Sorted like the table, so that a batch of values touches few of its pages.
  values.sort()
  for (let start = 0; start < values.length; start += AT_ONCE) {
    if (isStopped()) return false
    db.run(statement, owner, kind, JSON.stringify(values.slice(start, start + AT_ONCE)))
    await breathe()
  }
  return true
}

import type { Tombstone, TombstoneOf } from '../../identifiers/tombstones.ts'
import { transaction } from '../../postgres/transaction.ts'
import { StartError } from '../../start-error.ts'
import { now } from '../../time/clock.ts'
import type { ForgetDeps } from './deps.ts'
import { keepInWarehouse } from './gather.ts'
import { sendForget } from './job.ts'
import { nameOf } from './tombstone-files.ts'

/**
 * Tombstones stand in the records, in the warehouse and in files (`tombstone-files.ts`). A start gives each of them what another one
 * has: one that was restored from a backup lacks those that came after it, and people who came back with it are forgotten
 * again before anything else runs on their data.
 */
export function keepTombstones(deps: Pick<ForgetDeps, 'db' | 'load' | 'tokens' | 'marked' | 'jobs'>) {
  const { db, load, tokens, marked } = deps
  const inRecords = async (): Promise<Tombstone[]> =>
    (await db.selectFrom('tombstone').selectAll().execute()).map((one) => ({
      ...one,
      what: one.what as TombstoneOf,
      at: Number(one.at),
    }))
  const inWarehouse = () =>
    load.acrossShards.query<Tombstone>(
      'SELECT adv_id, token, toString(what) AS what, owner, key, at FROM tombstone FINAL',
    )

  const without = (all: ReadonlyMap<string, Tombstone>, had: readonly Tombstone[]) => {
    const names = new Set(had.map(nameOf))
    return [...all.values()].filter((one) => !names.has(nameOf(one)))
  }

  return {
    /** Before any job runs: gives each store the tombstones that it lacks, and asks again for people who came back. */
    async replay(): Promise<void> {
      const [records, warehouse, file] = await Promise.all([inRecords(), inWarehouse(), marked.read()])
      const all = new Map([...file, ...warehouse, ...records].map((one) => [nameOf(one), one]))
      if ([...all.values()].some(({ key }) => key !== tokens.keyName)) {
        throw new StartError(
          '已删除用户的标记是用另一个密钥建立的，用现在的密钥认不出他们，他们的数据会随备份或导入回来：请把 SECRET_KEY（或 DATA_DIR 中的 secret.key）改回原来的密钥',
        )
      }
      const missing = without(all, records)
      if (missing.length > 0) {
        await db
          .insertInto('tombstone')
          .values(missing)
          .onConflict((oc) => oc.doNothing())
          .execute()
      }
      await keepInWarehouse(deps, without(all, warehouse))
      await marked.add([...all.values()])
      await askAgain([...all.values()].filter(({ what }) => what === 'one_id'))
    },

    /** Asks for the jobs of those who came back. After the jobs have started. */
    async sendReplays(): Promise<void> {
      const waiting = await db
        .selectFrom('forget')
        .select(['id', 'adv_id', 'viewer_id'])
        .where('status', '=', 'waiting')
        .where('task_id', 'is', null)
        .orderBy('id')
        .execute()
      for (const one of waiting) await transaction(db, (tx) => sendForget(deps, tx, one))
    },
  }

  /** People whose removal one of the stores does not know of. */
  async function askAgain(people: readonly Tombstone[]): Promise<void> {
    const gone = await load.acrossShards.query<{ adv_id: number; token: string }>(
      'SELECT adv_id, token FROM forgotten FINAL',
    )
    const isGone = new Set(gone.map(nameOf))
    const advertisers = new Set((await db.selectFrom('advertiser').select('id').execute()).map(({ id }) => id))
    const known = new Map((await db.selectFrom('forget').selectAll().execute()).map((row) => [nameOf(row), row]))
    for (const { adv_id, token } of people) {
      if (!advertisers.has(adv_id)) continue
      const row = known.get(nameOf({ adv_id, token }))
      const again = { status: 'waiting' as const, sealed: null, state: JSON.stringify({}), task_id: null }
      if (row === undefined) {
        // One of several ids of a person has no request of its own, unless it is the only one that is known.
        if (isGone.has(nameOf({ adv_id, token }))) continue
        await db
          .insertInto('forget')
          .values({ adv_id, token, person: null, viewer_id: null, asked_at: now(), finished_at: null, ...again })
          .onConflict((oc) => oc.doNothing())
          .execute()
      } else if (row.status === 'done' && !isGone.has(nameOf(row))) {
        await db
          .updateTable('forget')
          .set((eb) => ({ ...again, replays: eb('replays', '+', 1) }))
          .where('id', '=', row.id)
          .execute()
      }
    }
  }
}

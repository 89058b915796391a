import type pg from 'pg'
import { isDatabaseAway } from '../../postgres/away.ts'
import type { Postgres } from '../../postgres/open.ts'

export interface AdvertiserLock {
  /** Takes the lock again after a lost connection. The hold on the job shows whether another process had it meanwhile. */
  takeAgainIfLost(): Promise<void>
}

/**
 * Allows one import of an advertiser at a time, since an import numbers new people: by a queue in this process, and
 * between processes (only with a Postgres server) by an advisory lock on a connection of its own.
 */
export function advertiserLocks({ pool, embedded }: Pick<Postgres, 'pool' | 'embedded'>) {
  const tails = new Map<number, Promise<void>>()

  async function inThisProcess<T>(adv_id: number, work: () => Promise<T>): Promise<T> {
    const before = tails.get(adv_id) ?? Promise.resolve()
    const mine = before.then(work)
    const tail = mine.then(
      () => {},
      () => {},
    )
    tails.set(adv_id, tail)
    void tail.then(() => {
      if (tails.get(adv_id) === tail) tails.delete(adv_id)
    })
    return mine
  }

  async function betweenProcesses<T>(adv_id: number, work: (lock: AdvertiserLock) => Promise<T>): Promise<T> {
    let connection: pg.PoolClient | undefined = await take(adv_id)
    // Closing the connection releases the lock in any case.
    const release = () => {
      connection?.release(true)
      connection = undefined
    }
    const lock = {
      async takeAgainIfLost() {
        try {
          await connection?.query('select 1')
        } catch (error) {
          if (!isDatabaseAway(error)) throw error
          release()
          connection = await take(adv_id)
        }
      },
    }
    try {
      return await work(lock)
    } finally {
      release()
    }
  }

  async function take(adv_id: number): Promise<pg.PoolClient> {
    const connection = await pool.connect()
    try {
      await connection.query(`select pg_advisory_lock(hashtext('import'), $1)`, [adv_id])
      return connection
    } catch (error) {
      connection.release(true)
      throw error
    }
  }

  return {
    withLock: <T>(adv_id: number, work: (lock: AdvertiserLock) => Promise<T>): Promise<T> =>
      inThisProcess(adv_id, () => (embedded ? work(NEVER_LOST) : betweenProcesses(adv_id, work))),
  }
}

const NEVER_LOST: AdvertiserLock = { takeAgainIfLost: async () => {} }

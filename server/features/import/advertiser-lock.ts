import type { Postgres } from '../../postgres/open.ts'

/**
 * One import of an advertiser at a time: it numbers new people. In this process by a queue; between processes, which
 * only a Postgres server allows, by an advisory lock on a connection of its own.
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

  async function betweenProcesses<T>(adv_id: number, work: () => Promise<T>): Promise<T> {
    const connection = await pool.connect()
    try {
      await connection.query(`select pg_advisory_lock(hashtext('import'), $1)`, [adv_id])
      return await work()
    } finally {
      // Closed, not given back: whatever happened, the lock goes with it.
      connection.release(true)
    }
  }

  return {
    withLock: <T>(adv_id: number, work: () => Promise<T>): Promise<T> =>
      inThisProcess(adv_id, embedded ? work : () => betweenProcesses(adv_id, work)),
  }
}

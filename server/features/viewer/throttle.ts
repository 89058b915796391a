import { type Kysely, sql } from 'kysely'
import { AppError } from '../../errors.ts'
import { addressGroup } from '../../http/caller-address.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import type { KnownPlace } from './known-places.ts'

const WINDOW = 15 * 60
/** Failures within the window after which the next guess must wait. */
const LIMITS = { own: 5, pair: 5, address: 30, name: 30 } as const
/** A name that many addresses guess at is slowed down to one guess in this many seconds, but never closed. */
const SLOWED_TO = 60

/** What guesses are counted by. */
export interface Bucket {
  key: string
  limit: number
  /** Counts one name in one place: a right password proves that its failures were the viewer's own. */
  isOwn?: boolean
  /** Seconds to wait after the limit. WINDOW starts the count again; a shorter wait allows one guess at a time. */
  wait: number
}

const pairOf = (username: string, address: string): Bucket => ({
  key: `pair:${username.toLowerCase()}|${addressGroup(address)}`,
  limit: LIMITS.pair,
  isOwn: true,
  wait: WINDOW,
})

/**
 * The buckets of a sign-in, in the order in which they are counted. A browser or an address from which the name has signed
 * in before counts by itself, so that guesses from elsewhere never lock it out.
 */
export function signInBuckets(username: string, address: string, known: KnownPlace | null): Bucket[] {
  const name = username.toLowerCase()
  if (known?.kind === 'browser') {
    return [{ key: `browser:${name}|${known.value}`, limit: LIMITS.own, isOwn: true, wait: WINDOW }]
  }
  if (known?.kind === 'address') return [pairOf(name, address)]
  return [
    { key: `address:${addressGroup(address)}`, limit: LIMITS.address, wait: WINDOW },
    pairOf(name, address),
    { key: `name:${name}`, limit: LIMITS.name, wait: SLOWED_TO },
  ]
}

/** The bucket of a signed-in viewer who enters the current password. */
export const ownPasswordBuckets = (viewer_id: number): Bucket[] => [
  { key: `own:${viewer_id}`, limit: LIMITS.own, wait: WINDOW },
]

/** A check takes 19 MiB and most of a core, so only a few run at once; further guesses wait or are refused. */
const STRANGERS_AT_ONCE = 2
const STRANGERS_WAITING = 200
const KNOWN_AT_ONCE = 1
const KNOWN_WAITING = 100

/** More rows than this are not kept: the oldest go first. */
const ROWS_MAX = 100_000
const TIDY_EVERY_MS = 60_000

/** Guesses at passwords, kept in the store so that a restart does not forget them. */
export function signInThrottle(db: Kysely<Database>) {
  const strangers = gate(STRANGERS_AT_ONCE, STRANGERS_WAITING)
  const known = gate(KNOWN_AT_ONCE, KNOWN_WAITING)
  let tidiedAt = 0

  /**
   * Counts one guess before it is checked, in one statement, so that guesses sent at once, to several processes too, get
   * no more tries than guesses sent one after another. False if the bucket is full.
   */
  async function count({ key, limit, wait }: Bucket): Promise<boolean> {
    const at = now()
    // Outside the window or after the wait; in the future if the clock was set back.
    const isOver = sql<boolean>`(sign_in_attempt.first_at not between ${at - WINDOW}::bigint and ${at}::bigint
      or (${wait}::int = ${WINDOW}::int and sign_in_attempt.until between 1 and ${at}::bigint))`
    const guesses = sql<number>`case when ${isOver} then 1 else sign_in_attempt.failures + 1 end`
    const counted = await db
      .insertInto('sign_in_attempt')
      .values({ key, failures: 1, first_at: at, until: 0 })
      .onConflict((oc) =>
        oc
          .column('key')
          .doUpdateSet({
            failures: guesses,
            first_at: sql<number>`case when ${isOver} then ${at}::bigint else sign_in_attempt.first_at end`,
            until: sql<number>`case when ${guesses} >= ${limit}::int then ${at + wait}::bigint else 0 end`,
          })
          .where(sql<boolean>`${isOver} or sign_in_attempt.until <= ${at}::bigint`),
      )
      .returning('key')
      .executeTakeFirst()
    return counted !== undefined
  }

  /** A guess that was right, or that was not checked, does not count. */
  async function giveBack({ key, limit }: Bucket): Promise<void> {
    await db
      .updateTable('sign_in_attempt')
      .set((eb) => ({
        failures: sql<number>`greatest(failures - 1, 0)`,
        until: eb.case().when('failures', '<=', limit).then(0).else(eb.ref('until')).end(),
      }))
      .where('key', '=', key)
      .execute()
  }

  async function mustBeFree(buckets: readonly Bucket[]): Promise<void> {
    for (const [i, bucket] of buckets.entries()) {
      if (await count(bucket)) continue
      for (const earlier of buckets.slice(0, i)) await giveBack(earlier)
      const row = await db
        .selectFrom('sign_in_attempt')
        .select('until')
        .where('key', '=', bucket.key)
        .executeTakeFirst()
      const wait = Math.max((row?.until ?? 0) - now(), 1)
      throw new AppError('signInThrottled', { minutes: Math.ceil(wait / 60) })
    }
  }

  async function tidy(): Promise<void> {
    if (performance.now() - tidiedAt < TIDY_EVERY_MS) return
    tidiedAt = performance.now()
    const at = now()
    await db
      .deleteFrom('sign_in_attempt')
      .where('first_at', '<', at - WINDOW)
      .where('until', '<', at)
      .execute()
    await db
      .deleteFrom('sign_in_attempt')
      .where('key', 'in', (eb) =>
        eb.selectFrom('sign_in_attempt').select('key').orderBy('first_at', 'desc').offset(ROWS_MAX),
      )
      .execute()
  }

  return {
    /** Runs the check unless a bucket is full; null means that the guess was wrong. */
    async guess<T>(buckets: readonly Bucket[], isRight: () => Promise<T | null>): Promise<T | null> {
      // Many guesses of strangers at once must not keep known viewers waiting.
      const inTurn = buckets.length === 1 ? known : strangers
      return inTurn(async () => {
        await tidy()
        await mustBeFree(buckets)
        const right = await isRight()
        if (right !== null) for (const bucket of buckets) await giveBack(bucket)
        return right
      })
    },

    /** Forgets the failures of this name from this browser or address. */
    async succeeded(buckets: readonly Bucket[]): Promise<void> {
      const own = buckets.flatMap(({ key, isOwn }) => (isOwn ? [key] : []))
      await db.deleteFrom('sign_in_attempt').where('key', 'in', own).execute()
    },
  }
}

function gate(size: number, waitingMax: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < size) running++
    else if (waiting.length >= waitingMax) throw new AppError('tooMany')
    else await new Promise<void>((turn) => waiting.push(turn))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

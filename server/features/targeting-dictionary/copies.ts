import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { PlatformFault } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'

/** A person waits this long for the platform; with a copy at hand, less. */
const WAIT_S = 10
const WAIT_WITH_COPY_S = 2
/** After a failure the last copy is served at once for so long. */
const REST_S = 30
/** The most copies that are kept. The largest holds a few thousand rows. */
const COPIES_MAX = 500
/** The most answers to searches, of at most 50 rows each. */
const SEARCHES_MAX = 2000
/** Their keys begin so. */
const SEARCH = 'search '
const DAY_S = 86_400

export interface Copy<T> {
  content: T[]
  read_at: number
  /** Why it is not newer; null while it is fresh enough. */
  fail_outcome: AnyOutcome | null
  /** It is another dictionary of the same kind, such as one of other days. */
  isKin?: boolean
}

interface Wanted<T> {
  key: string
  /** Keys of dictionaries that serve where there is no copy of this one begin so. */
  kin?: string
  /** Whose authorisation reads it. */
  account_id: number
  /** Seconds after which it is read anew. */
  maxAge: number
  read(signal: AbortSignal): Promise<T[]>
}

/**
 * Dictionaries as the platform last gave them. One that is too old is read anew; where the platform is slow or gone, the
 * last copy is served with its age.
 */
export function dictionaryCopies(db: Kysely<Database>) {
  const flights = new Map<string, Promise<Copy<unknown>>>()
  const restsUntil = new Map<string, { until: number; reason: AnyOutcome }>()
  const closing = new AbortController()

  async function kept<T>(key: string): Promise<Copy<T> | null> {
    const row = await db
      .selectFrom('dictionary_copy')
      .select(['content', 'read_at', 'used_at'])
      .where('key', '=', key)
      .executeTakeFirst()
    if (!row) return null
    if (row.used_at < now() - DAY_S) {
      await db.updateTable('dictionary_copy').set({ used_at: now() }).where('key', '=', key).execute()
    }
    return { content: row.content as T[], read_at: row.read_at, fail_outcome: null }
  }

  /** Keeps what was asked for at `read_at`, unless a later reading has ended before this one. */
  async function keep(key: string, content: unknown[], read_at: number): Promise<void> {
    const row = { content: JSON.stringify(content), read_at, used_at: now() }
    await db
      .insertInto('dictionary_copy')
      .values({ key, ...row })
      .onConflict((oc) => oc.column('key').doUpdateSet(row).where('dictionary_copy.read_at', '<=', read_at))
      .execute()
    const isSearch = key.startsWith(SEARCH)
    await db
      .deleteFrom('dictionary_copy')
      .where('key', 'in', (eb) =>
        eb
          .selectFrom('dictionary_copy')
          .select('key')
          .where(sql<boolean>`starts_with(key, ${SEARCH})`, '=', isSearch)
          .orderBy('used_at', 'desc')
          .orderBy('key')
          .offset(isSearch ? SEARCHES_MAX : COPIES_MAX),
      )
      .execute()
  }

  /** The newest copy of those whose keys begin so. */
  async function newestOf<T>(beginning: string): Promise<Omit<Copy<T>, 'fail_outcome'> | null> {
    const row = await db
      .selectFrom('dictionary_copy')
      .select(['content', 'read_at'])
      .where(sql<boolean>`starts_with(key, ${beginning})`, '=', true)
      .orderBy('read_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row ? { content: row.content as T[], read_at: row.read_at } : null
  }

  function rest(name: string, reason: AnyOutcome) {
    for (const [other, { until }] of restsUntil) if (until <= now()) restsUntil.delete(other)
    restsUntil.set(name, { until: now() + REST_S, reason })
  }

  /** Reads from the platform and keeps the answer; two who ask the same in an account's name share one reading. */
  function flightOf<T>({ key, account_id, read }: Wanted<T>): Promise<Copy<T>> {
    const name = `${key} by ${account_id}`
    const running = flights.get(name)
    if (running) return running as Promise<Copy<T>>
    const flight = (async () => {
      // What happened while it is read may be missing in it.
      const read_at = now()
      try {
        const content = await read(closing.signal)
        restsUntil.delete(name)
        await keep(key, content, read_at)
        return { content, read_at, fail_outcome: null }
      } catch (error) {
        if (error instanceof PlatformFault) rest(name, error.outcome)
        throw error
      } finally {
        flights.delete(name)
      }
    })()
    flights.set(name, flight)
    // It may end after everyone who waited has left.
    flight.catch(() => undefined)
    return flight
  }

  return {
    /** The dictionary; throws PlatformFault if the platform did not answer and there is no copy. */
    async read<T>(wanted: Wanted<T>, { anew = false } = {}): Promise<Copy<T>> {
      const copy = await kept<T>(wanted.key)
      if (copy && !anew && copy.read_at > now() - wanted.maxAge) return copy
      const rest = restsUntil.get(`${wanted.key} by ${wanted.account_id}`)
      if (copy && !anew && rest && rest.until > now()) return { ...copy, fail_outcome: rest.reason }
      try {
        return await within(copy && !anew ? WAIT_WITH_COPY_S : WAIT_S, flightOf(wanted))
      } catch (error) {
        if (!(error instanceof PlatformFault)) throw error
        if (copy) return { ...copy, fail_outcome: error.outcome }
        const kin = wanted.kin === undefined ? null : await newestOf<T>(wanted.kin)
        if (kin) return { ...kin, fail_outcome: error.outcome, isKin: true }
        throw error
      }
    },

    /**
     * The answer to a search, which is asked anew each time; the last one where the platform does not answer. Throws
     * PlatformFault if there is none, or if the question is refused.
     */
    async searched<T>(question: string, work: Promise<T>): Promise<Copy<T>> {
      const key = SEARCH + question
      try {
        const content = [await work]
        const read_at = now()
        await keep(key, content, read_at)
        return { content, read_at, fail_outcome: null }
      } catch (error) {
        if (!(error instanceof PlatformFault) || error.kind === 'refused' || error.kind === 'unauthorised') throw error
        const copy = await kept<T>(key)
        if (!copy) throw error
        return { ...copy, fail_outcome: error.outcome }
      }
    },

    /** Ends the readings that are under way. */
    async close(): Promise<void> {
      closing.abort()
      await Promise.allSettled(flights.values())
    },
  }
}
export type DictionaryCopies = ReturnType<typeof dictionaryCopies>

/** The outcome of the work, or a fault once it takes longer; the work goes on. */
export async function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = sleep(seconds * 1000, null, { signal: done.signal, ref: false }).then(() => {
    throw new PlatformFault('later', outcome('platform_no_answer_within', { seconds }))
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    done.abort()
  }
}

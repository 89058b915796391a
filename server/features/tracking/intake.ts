import { type Kysely, sql } from 'kysely'
import type { TrackedMessage } from '#contract/tracking-message.ts'
import type { OneNode } from '../../clickhouse/handles.ts'
import { fingerprint } from '../../config/secrets.ts'
import { AppError } from '../../errors.ts'
import { logUnlessAway } from '../../postgres/away.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import type { ActiveKey } from './keys.ts'

/** Messages of one call. */
export interface Arrived {
  key: ActiveKey
  /** Epoch milliseconds. */
  received: number
  messages: readonly TrackedMessage[]
  /** The size of the call. */
  bytes: number
}

/** One insert stores at most so much, which the engine writes as one part: all of it is visible at once. */
const GROUP_MESSAGES = 20_000
const GROUP_BYTES = 16 * 1024 ** 2
/** What may wait to be stored; more is refused, and the sender tries again. */
const QUEUE_MESSAGES = 100_000
const QUEUE_BYTES = 64 * 1024 ** 2
/** SDKs give up a call after ten seconds. */
const ANSWER_WITHIN_MS = 8000
const KEY_KNOWN_MS = 60_000
const KEYS_KNOWN_MAX = 10_000
const USED_EVERY_S = 300

interface Deps {
  db: Kysely<Database>
  engine: OneNode
  /** Messages of these advertisers wait to be counted. */
  onStored(adv_ids: readonly number[]): Promise<void>
}

interface Waiting extends Arrived {
  stored(): void
  failed(error: unknown): void
}

/**
 * Stores the messages of calls, many calls with one insert: while one insert runs, the calls that come in wait for the
 * next. A call is answered when the engine has written its messages to the disk.
 */
export function trackingIntake({ db, engine, onStored }: Deps) {
  const known = new Map<string, ActiveKey & { until: number }>()
  const usedAt = new Map<number, number>()
  let queue: Waiting[] = []
  let messages = 0
  let bytes = 0
  let running: Promise<void> | undefined

  /** The next calls that fit one insert. */
  function nextGroup(): Waiting[] {
    let at = 0
    for (let rows = 0, size = 0; at < queue.length; at++) {
      const one = queue[at] as Waiting
      rows += one.messages.length
      size += one.bytes
      if (at > 0 && (rows > GROUP_MESSAGES || size > GROUP_BYTES)) break
    }
    const group = queue.slice(0, at)
    queue = queue.slice(at)
    return group
  }

  async function run(): Promise<void> {
    while (queue.length > 0) {
      const group = nextGroup()
      try {
        await store(group)
      } catch (error) {
        for (const one of group) one.failed(error)
      }
      for (const one of group) {
        messages -= one.messages.length
        bytes -= one.bytes
      }
    }
    running = undefined
  }

  async function store(group: readonly Waiting[]): Promise<void> {
    const { batch, active } = await begin([...new Set(group.map(({ key }) => key.id))])
    const good = group.filter(({ key }) => active.has(key.id))
    for (const one of group) if (!active.has(one.key.id)) one.failed(new AppError('writeKeyInvalid'))
    const totals = new Map<number, number>()
    for (const { key, messages } of good) totals.set(key.adv_id, (totals.get(key.adv_id) ?? 0) + messages.length)
    const rows = good.flatMap(({ key, received, messages }) => {
      const of = {
        adv_id: key.adv_id,
        batch,
        total: totals.get(key.adv_id),
        key_id: key.id,
        is_page: key.kind === 'page' ? 1 : 0,
        received,
      }
      return messages.map((message) => ({ ...of, ...message }))
    })
    await engine.insert('track_message', rows)
    const stored = [...totals].flatMap(([adv_id, total]) => (total > 0 ? [adv_id] : []))
    // What is stored is counted in any case, at the latest within a minute.
    await onStored(stored).catch((error: unknown) => logUnlessAway('收到的消息未能立即计入', error))
    for (const one of good) one.stored()
  }

  /** Numbers the group, and says which of its keys are not revoked. */
  async function begin(ids: readonly number[]): Promise<{ batch: number; active: ReadonlySet<number> }> {
    const { rows } = await sql<{ batch: number; ids: number[] }>`
      select nextval('tracking_batch_number') as batch, array(
        select id from write_key where id = any(${[...ids]}::int[]) and revoked_at is null) as ids`.execute(db)
    const [row] = rows
    if (!row) throw new Error('a sequence answers one row')
    const due = row.ids.filter((id) => (usedAt.get(id) ?? 0) < now() - USED_EVERY_S)
    if (due.length > 0) {
      await db.updateTable('write_key').set({ last_used: now() }).where('id', 'in', due).execute()
      for (const id of due) usedAt.set(id, now())
    }
    return { batch: row.batch, active: new Set(row.ids) }
  }

  /** A key that was looked up lately. */
  function knownKey(text: string): ActiveKey | null {
    const found = known.get(fingerprint(text))
    return found && found.until > performance.now() ? found : null
  }

  return {
    knownKey,

    /**
     * The key of a call; null for an unknown one. A key that was just revoked may still be found: `accept` has the last
     * word.
     */
    async keyOf(text: string): Promise<ActiveKey | null> {
      const found = knownKey(text)
      if (found) return found
      const hash = fingerprint(text)
      const key = await db
        .selectFrom('write_key')
        .select(['id', 'adv_id', 'kind'])
        .where('key_hash', '=', hash)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      if (!key) {
        known.delete(hash)
        return null
      }
      if (known.size >= KEYS_KNOWN_MAX) known.clear()
      known.set(hash, { ...key, until: performance.now() + KEY_KNOWN_MS })
      return key
    },

    /** Resolves once the messages are stored. */
    accept(arrived: Arrived): Promise<void> {
      if (messages + arrived.messages.length > QUEUE_MESSAGES || bytes + arrived.bytes > QUEUE_BYTES)
        return Promise.reject(new AppError('trackingFull'))
      messages += arrived.messages.length
      bytes += arrived.bytes
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const timer = setTimeout(() => reject(new AppError('warehouseAway')), ANSWER_WITHIN_MS)
      const ended = promise.finally(() => clearTimeout(timer))
      queue.push({ ...arrived, stored: resolve, failed: reject })
      running ??= run()
      return ended
    },

    /** Waits until nothing waits to be stored. */
    async close(): Promise<void> {
      await running
    },
  }
}
export type TrackingIntake = ReturnType<typeof trackingIntake>

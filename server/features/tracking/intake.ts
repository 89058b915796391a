import { setTimeout as pause } from 'node:timers/promises'
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
  /** What it takes to store the messages, which may be far more than the call. */
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
/** How long a key stays known: a revocation by another process takes effect within this time. */
const KEY_KNOWN_MS = 1000
const KEYS_KNOWN_MAX = 10_000
const USED_EVERY_S = 300
/** After an insert, calls gather for this long. */
const GATHER_MS = 8

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
 * Stores the messages of calls, many calls with one insert: while one insert runs, the keys of the calls that come in are
 * checked, and they wait for the next. A call is answered when the engine has written its messages to the disk.
 */
export function trackingIntake({ db, engine, onStored }: Deps) {
  const known = new Map<string, ActiveKey & { until: number }>()
  /** Look-ups that are under way, so that calls at the same time share one. */
  const looking = new Map<string, Promise<ActiveKey | null>>()
  const usedAt = new Map<number, number>()
  let arrived: Waiting[] = []
  let checked: Waiting[] = []
  /** The number of the next batch: the newest one, which each check of keys brings. */
  let number: number | undefined
  let messages = 0
  let bytes = 0
  let checking: Promise<void> | undefined
  let storing: Promise<void> | undefined

  async function checkAll(): Promise<void> {
    while (arrived.length > 0) {
      const calls = arrived
      arrived = []
      try {
        const active = await activeAmong([...new Set(calls.map(({ key }) => key.id))])
        for (const call of calls) {
          if (active.has(call.key.id)) checked.push(call)
          else end(call, new AppError('writeKeyInvalid'))
        }
      } catch (error) {
        for (const call of calls) end(call, error)
      }
      // With nothing to store it would end before it is known to run.
      if (checked.length > 0) storing ??= storeAll()
    }
    checking = undefined
  }

  async function storeAll(): Promise<void> {
    while (checked.length > 0) {
      const group = nextGroup()
      try {
        await store(group)
        for (const call of group) end(call)
      } catch (error) {
        for (const call of group) end(call, error)
      }
      // Those who were answered just now send the next at once: one insert for all of them takes half the processor time.
      await pause(GATHER_MS)
    }
    storing = undefined
  }

  function end(call: Waiting, error?: unknown): void {
    messages -= call.messages.length
    bytes -= call.bytes
    if (error === undefined) call.stored()
    else call.failed(error)
  }

  /** The next calls that fit one insert. */
  function nextGroup(): Waiting[] {
    let at = 0
    for (let rows = 0, size = 0; at < checked.length; at++) {
      const call = checked[at] as Waiting
      rows += call.messages.length
      size += call.bytes
      if (at > 0 && (rows > GROUP_MESSAGES || size > GROUP_BYTES)) break
    }
    const group = checked.slice(0, at)
    checked = checked.slice(at)
    return group
  }

  async function store(group: readonly Waiting[]): Promise<void> {
    const totals = new Map<number, number>()
    for (const { key, messages } of group) totals.set(key.adv_id, (totals.get(key.adv_id) ?? 0) + messages.length)
    const stored = [...totals].flatMap(([adv_id, total]) => (total > 0 ? [adv_id] : []))
    if (stored.length === 0) return
    const batch = number ?? (await nextNumber())
    number = undefined
    const rows = group.flatMap(({ key, received, messages }) => {
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
    // What is stored is counted in any case, at the latest within a minute.
    await onStored(stored).catch((error: unknown) => logUnlessAway('收到的消息未能立即计入', error))
  }

  /** Which keys are not revoked; a call that came after the revocation is checked after it. */
  async function activeAmong(ids: readonly number[]): Promise<ReadonlySet<number>> {
    const { rows } = await sql<{ number: number; ids: number[] }>`
      select nextval('tracking_batch_number') as number, array(
        select id from write_key where id = any(${[...ids]}::int[]) and revoked_at is null) as ids`.execute(db)
    const [row] = rows
    if (!row) throw new Error('a sequence answers one row')
    number = row.number
    const due = row.ids.filter((id) => (usedAt.get(id) ?? 0) < now() - USED_EVERY_S)
    if (due.length > 0) {
      await db.updateTable('write_key').set({ last_used: now() }).where('id', 'in', due).execute()
      for (const id of due) usedAt.set(id, now())
    }
    return new Set(row.ids)
  }

  async function nextNumber(): Promise<number> {
    const { rows } = await sql<{ number: number }>`select nextval('tracking_batch_number') as number`.execute(db)
    const [row] = rows
    if (!row) throw new Error('a sequence answers one row')
    return row.number
  }

  /** A key that was looked up lately. */
  function knownKey(text: string): ActiveKey | null {
    const found = known.get(fingerprint(text))
    return found && found.until > performance.now() ? found : null
  }

  async function lookUp(hash: string): Promise<ActiveKey | null> {
    const key = await db
      .selectFrom('write_key')
      .select(['id', 'adv_id', 'kind'])
      .where('key_hash', '=', hash)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    // One that was asked for before a revocation may be revoked by now.
    if (!looking.has(hash)) return key ?? null
    if (!key) {
      known.delete(hash)
      return null
    }
    if (known.size >= KEYS_KNOWN_MAX) known.clear()
    known.set(hash, { ...key, until: performance.now() + KEY_KNOWN_MS })
    return key
  }

  return {
    knownKey,

    /** Whether a key was good when it was last looked up, which may be a while ago. */
    wasGood: (text: string): boolean => known.has(fingerprint(text)),

    /**
     * The key of a call; null for an unknown one. A key that was just revoked may still be found: `accept` has the last
     * word.
     */
    async keyOf(text: string): Promise<ActiveKey | null> {
      const found = knownKey(text)
      if (found) return found
      const hash = fingerprint(text)
      const look = looking.get(hash) ?? lookUp(hash).finally(() => looking.delete(hash))
      looking.set(hash, look)
      return look
    },

    /** Forgets a key that was revoked here, so that no call finds it any more. */
    forget(id: number): void {
      looking.clear()
      for (const [hash, key] of known) if (key.id === id) known.delete(hash)
    },

    /** Resolves once the messages are stored. */
    accept(call: Arrived): Promise<void> {
      if (messages + call.messages.length > QUEUE_MESSAGES || bytes + call.bytes > QUEUE_BYTES)
        return Promise.reject(new AppError('trackingFull'))
      messages += call.messages.length
      bytes += call.bytes
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const timer = setTimeout(() => reject(new AppError('warehouseAway')), ANSWER_WITHIN_MS)
      const ended = promise.finally(() => clearTimeout(timer))
      arrived.push({ ...call, stored: resolve, failed: reject })
      checking ??= checkAll()
      return ended
    },

    /** Waits until nothing waits to be stored. */
    async close(): Promise<void> {
      await checking
      await storing
    },
  }
}
export type TrackingIntake = ReturnType<typeof trackingIntake>

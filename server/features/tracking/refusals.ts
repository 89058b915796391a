import { type Kysely, sql } from 'kysely'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { logUnlessAway } from '../../postgres/away.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'

/** A message that was refused, or kept in part. */
export interface Refusal {
  adv_id: number
  key_id: number
  outcome: AnyOutcome
  kind: string
  event: string
  message_id: string
}

/** What is kept of the refusals of an advertiser. */
const KEPT = 500
/** Different reasons that wait to be written; more are dropped. */
const WAITING_MAX = 1000
const EVERY_MS = 1000
const SHOWN_MAX = 200

/**
 * Writes refusals once a second: one row for each key and reason, with how many there were. A key that sends nothing but
 * refused messages writes a few rows a second.
 */
export function refusalLog(db: Kysely<Database>) {
  let waiting = new Map<string, Refusal & { times: number }>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  async function write(): Promise<void> {
    timer = undefined
    const rows = [...waiting.values()]
    waiting = new Map()
    if (rows.length === 0) return
    await db
      .insertInto('tracking_refusal')
      .values(
        rows.map(({ outcome, ...row }) => ({ ...row, at: now(), is_kept: false, outcome: JSON.stringify(outcome) })),
      )
      .execute()
    await forgetOld(db, [...new Set(rows.map(({ adv_id }) => adv_id))])
  }

  function writeNext(): void {
    writing = writing.then(write).catch((error: unknown) => {
      // A key that was deleted with its advertiser, or a database that is away: only a list loses rows.
      logUnlessAway('被拒绝的消息未能记录', error)
    })
  }

  return {
    add({ kind, event, message_id, ...refusal }: Refusal): void {
      const key = JSON.stringify([refusal.key_id, refusal.outcome])
      const found = waiting.get(key)
      if (found) found.times++
      else if (waiting.size < WAITING_MAX) {
        const shown = (text: string) => text.slice(0, SHOWN_MAX).toWellFormed().replaceAll('\0', '')
        waiting.set(key, {
          ...refusal,
          kind: shown(kind),
          event: shown(event),
          message_id: shown(message_id),
          times: 1,
        })
      }
      timer ??= setTimeout(writeNext, EVERY_MS)
    },

    async close(): Promise<void> {
      clearTimeout(timer)
      writeNext()
      await writing
    },
  }
}
export type RefusalLog = ReturnType<typeof refusalLog>

/** Keeps the newest refusals of each of these advertisers. */
export async function forgetOld(db: Kysely<Database>, adv_ids: readonly number[]): Promise<void> {
  for (const adv_id of adv_ids) {
    await sql`delete from tracking_refusal where adv_id = ${adv_id} and id <= (
      select id from tracking_refusal where adv_id = ${adv_id} order by id desc offset ${KEPT} limit 1)`.execute(db)
  }
}

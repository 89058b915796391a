import type { Clock } from './clock.ts'
import type { Database } from './database.ts'
import type { PlatformName } from './platforms.ts'
import { type Answer, accountOf, type Call } from './wire.ts'

const KEPT = 50_000

export interface LoggedCall {
  no: number
  at: number
  platform: PlatformName
  method: string
  path: string
  account_id: string | null
  request_id: string | null
  code: number | null
  fault: string | null
  is_carried: number
  /** Names of parameters unknown to the interface. */
  unknown: string | null
}

export type CallLog = ReturnType<typeof callLog>

/** A log of all received calls, without tokens. */
export function callLog(db: Database, clock: Clock) {
  return {
    write(
      platform: PlatformName,
      call: Call,
      { answer, fault, isCarried }: { answer: Answer | null; fault: string | null; isCarried: boolean },
    ) {
      const id = call.headers['x-request-id']
      const { lastInsertRowid } = db.run(
        `INSERT INTO call (at, platform, method, path, account_id, request_id, code, fault, is_carried, unknown)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[clock.wall(), platform, call.method, call.path, accountOf(call), typeof id === 'string' ? id : null],
        ...[answer?.code ?? null, fault, isCarried ? 1 : 0, answer?.unknown?.join(',') || null],
      )
      const no = Number(lastInsertRowid)
      if (no % 1000 === 0) db.run('DELETE FROM call WHERE no <= ?', no - KEPT)
    },
    since: (no: number) => db.all<LoggedCall>('SELECT * FROM call WHERE no > ? ORDER BY no', no),
    last: (count: number) => db.all<LoggedCall>('SELECT * FROM call ORDER BY no DESC LIMIT ?', count),
  }
}

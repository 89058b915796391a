import type { Database } from '../database.ts'

export interface Upload {
  file_path: string
  account_id: string
  path: string
  size: number
  made_at: number
}

export interface Source {
  no: number
  id: string
  account_id: string
  name: string
  description: string
  type: 'UID' | 'DID'
  /** 0 created, 1 parsing, 2 done. */
  status: number
  made_at: number
  changed_at: number
}

export interface Change {
  id: number
  source_id: string
  /** 0 create, 1 add, 2 delete, 3 reset. */
  action: number
  file_paths: string
  is_half: number
  /** 0 new, 1 processing, 2 effective, 3 failed. */
  status: number
  message: string
  made_at: number
  changed_at: number
  begins_at: number
  due_at: number
  published_at: number | null
}

export interface VideoAudience {
  no: number
  id: string
  source_id: string
  account_id: string
  name: string
  status: number
  delivery_status: string
  push_status: number
  custom_type: number
  cover_num: number
  upload_num: number
  published_at: number | null
  publish_due: number | null
  push_due: number | null
  pushed_to: string
  used_by: string | null
  made_at: number
  changed_at: number
  is_deleted: number
}

export const FILE_DAYS = 14
export const EFFECTIVE = 2
export const PUSHING = 14
export const PUSHED = 10
export const DELETED = 22

const PREFIX = 'CUSTOM_AUDIENCE_DELIVERY_STATUS_'
export const DELIVERY = {
  available: `${PREFIX}AVAILABLE`,
  needPush: `${PREFIX}NEED_PUSH`,
  needPublish: `${PREFIX}NEED_PUBLISH`,
  unavailable: `${PREFIX}UNAVAILABLE`,
} as const

/** Above 2^53 and odd, like the accounts' ids. */
export const audienceId = (no: number) => String(9_407_199_254_740_993n + BigInt(no) * 2n)

/** The number of a table's next row. */
export const nextNo = (db: Database, table: string) =>
  db.number('SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), 0) + 1', table)

/** Whether a change of the source is waiting or being parsed. */
export const isBusy = (db: Database, source_id: string) =>
  db.number('SELECT count(*) FROM video_change WHERE source_id = ? AND status IN (0, 1)', source_id) > 0

/** Whether a crowd is there and delivers to an account: its own, or pushed to it. */
export const crowdsUsableBy =
  (db: Database, account_id: string) =>
  (id: string): boolean =>
    db
      .all<VideoAudience>('SELECT * FROM video_audience WHERE id = ? AND NOT is_deleted', id)
      .some((one) => one.account_id === account_id || (JSON.parse(one.pushed_to) as string[]).includes(account_id))

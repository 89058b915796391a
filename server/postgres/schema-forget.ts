import type { Generated, JSONColumnType } from 'kysely'
import type { ForgetStatus, ForgetStore, RemovalStatus } from '#contract/forgetting.ts'
import type { OutcomeColumn } from './outcome-column.ts'

/** Tables about people who were forgotten. */
export interface ForgetTables {
  tombstone: TombstoneTable
  forget: ForgetTable
  forget_receipt: {
    forget_id: number
    store: ForgetStore
    /** What was found and removed, all runs together. */
    found: number
    status: 'waiting' | 'done'
    at: number | null
  }
  forget_account: ForgetAccountTable
}

/** The same rows are in the warehouse. Never deleted. */
export interface TombstoneTable {
  adv_id: number
  /** HMAC-SHA256, hex. */
  token: string
  /** `one_id`, or an identifier's type. */
  what: string
  /** The token of the request that it is of. */
  owner: string
  /** Names the secret that made the token. */
  key: string
  at: number
}

export interface ForgetTable {
  id: Generated<number>
  adv_id: number
  /** Of the One ID that was asked for. */
  token: string
  /** The person's number, which is never given again; null where a restored store no longer told it. */
  person: number | null
  /** Who asked; null where a restored store asked for it. */
  viewer_id: number | null
  status: ForgetStatus
  /** Encrypted: the person's ids and identifiers, until the last receipt is in. */
  sealed: string | null
  state: JSONColumnType<ForgetState, string | undefined, string>
  /** How often the stores are still searched again for what came in meanwhile, and when next. */
  looks_left: Generated<number>
  look_at: number | null
  /** How often the person was removed again because a store had been restored. */
  replays: Generated<number>
  error: OutcomeColumn
  task_id: number | null
  asked_at: number
  finished_at: number | null
}

/** What a resumed run needs. */
export interface ForgetState {
  /** The numbers of the person's ids; what they stand for is in `sealed`. Missing until they were looked up. */
  uids?: number[]
  /** Attributes with a value that may be the person's alone. */
  attributes?: string[]
  /** Sets that had the person before they were changed, so that their counts can be settled after a kill. */
  sets?: { kind: 'tag' | 'crowd'; id: number; version: number }[]
  /** Uploads that were there, which nobody may have read yet. */
  uploads?: string[]
  /** Uploaded crowds that had values of the person, and how many. */
  uploaded?: { id: number; values: number }[]
}

export interface ForgetAccountTable {
  id: Generated<number>
  forget_id: number
  child_id: number
  account_id: number
  /** Values to be removed. */
  count: number
  status: RemovalStatus
  /** The values, encrypted; null once the removal is done on the platform, and after 30 days. */
  sealed: string | null
  /** When it was last handed to a push. */
  tried_at: number | null
  asked_at: number
  finished_at: number | null
}

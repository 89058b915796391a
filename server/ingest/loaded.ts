import type { ImportMapping } from '#contract/import.ts'
import type { FileValues } from './attribute-values.ts'

export interface LoadJob {
  import_id: number
  adv_id: number
  mapping: ImportMapping
  path: string
  file_name: string
  /** When the import began: what dates the values of users, and what "ahead of now" means. */
  nowMs: number
  /** Slots of the attributes that the advertiser has. */
  attributes: readonly { name: string; slot: number }[]
}

export interface Loaded {
  rows: number
  stored: number
  duplicate: number
  refused: number
  new_people: number
  reasons: { reason: string; rows: number }[]
  warnings: { reason: string; rows: number }[]
  /** Every attribute of the file, old and new; of long values only how many. */
  attributes: ({ name: string; slot: number } & FileValues)[]
  events: { name: string; properties: string[] }[]
  /** Days of the stored events, in order. */
  days: string[]
}

export interface LoadRun {
  signal?: AbortSignal | undefined
  progress?(share: number, stage: string): void
}

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

/** An attribute of new rows; what its values are, where they were looked through already. */
export type NewAttribute = { name: string } & Partial<Pick<FileValues, 'values' | 'distinct' | 'leftOut'>>

/** What came into the warehouse for an advertiser, from the readers of a file to the tags that it calls for. */
export interface NewData {
  attributes: readonly NewAttribute[]
  events: readonly { name: string }[]
  /** Days of TIMEZONE (YYYY-MM-DD) of the events. */
  days: readonly string[]
}

/** What an import's stages hold, as its row keeps it until they are joined: names here are names there. */
export interface LoadedData extends NewData {
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
  /** In order. */
  days: string[]
}

export interface LoadRun {
  signal?: AbortSignal | undefined
  progress?(share: number, stage: string): void
}

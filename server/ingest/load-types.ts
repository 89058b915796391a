import type { ImportMapping } from '#contract/import.ts'
import type { FileValues } from './attribute-values.ts'
import type { CountedRows } from './counted-rows.ts'

export interface LoadJob {
  import_id: number
  adv_id: number
  mapping: ImportMapping
  path: string
  file_name: string
  /** When the import began: the time of users' values, and the limit for times in the future. */
  nowMs: number
  /** Slots of the attributes that the advertiser has. */
  attributes: readonly { name: string; slot: number }[]
}

/** An attribute of new rows, with its values where they are known already. */
export type NewAttribute = { name: string } & Partial<Pick<FileValues, 'values' | 'distinct' | 'leftOut'>>

/** New data of an advertiser in the warehouse; the tags to create and rebuild follow from it. */
export interface NewData {
  attributes: readonly NewAttribute[]
  events: readonly { name: string }[]
  /** Days of TIMEZONE (YYYY-MM-DD) of the events. */
  days: readonly string[]
}

/** What an import's stages hold, stored in the import's row until they are joined; the property names are stored too. */
export interface LoadedData extends NewData {
  rows: number
  stored: number
  duplicate: number
  refused: number
  new_people: number
  /** Refused rows. */
  reasons: CountedRows[]
  warnings: CountedRows[]
  /** Every attribute of the file, old and new; long values are only counted. */
  attributes: ({ name: string; slot: number } & FileValues)[]
  events: { name: string; properties: string[] }[]
  /** In order. */
  days: string[]
}

export interface LoadRun {
  signal?: AbortSignal | undefined
  progress?(share: number, stage: string): void
}

import type { ImportMapping, PeopleMapping } from '#contract/import.ts'
import type { AttributeType, FileValues } from './attribute-values.ts'
import type { CountedRows } from './counted-rows.ts'
import type { FilePart } from './file-parts.ts'
import type { KnownTypes } from './type-warnings.ts'

/** A plan as the platform's reports name it. */
export interface LinkedPlan {
  /** The platform's own id of the account. */
  account_id: string
  plan_id: string
}

export interface LoadJob<Mapping extends ImportMapping = PeopleMapping> {
  import_id: number
  adv_id: number
  mapping: Mapping
  path: string
  file_name: string
  /** When the import began: the time of users' values, and the limit for times in the future. */
  nowMs: number
  /** Slots of the attributes that the advertiser has. */
  attributes: readonly { name: string; slot: number }[]
  /** The types of the advertiser's attributes, or of its events' properties. */
  types?: KnownTypes
  /** Parts of the file whose refusals and warnings are counted apart; left out, the file is one. */
  parts?: readonly FilePart[]
  /** The column with the time of each row, in epoch milliseconds; of users, whose values it dates. */
  at?: string
  /** Of reports: the plans of activities. */
  linked?: readonly LinkedPlan[]
  /** The greatest number that a person of the advertiser ever had, if higher than those of today's people. */
  lastUid?: number
}

/** The attributes and events that an import names, those of its repeated rows too. */
export interface Brought {
  /** `type`: of the values that it stored; null when it stored none, missing when its rows repeat stored ones. */
  attributes: { name: string; type?: AttributeType | null }[]
  events: { name: string; properties: string[] }[]
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
  brought: Brought
}

export interface LoadRun {
  signal?: AbortSignal | undefined
  progress?(share: number, stage: string): void
}

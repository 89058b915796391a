import type { Readable } from 'node:stream'
import type { Transaction } from 'kysely'
import type { IdentifierType } from '#contract/identifier.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { Database } from '../../postgres/schema.ts'

/** Uploaded files; a `uri` is the id of the upload. */
export interface Uploads {
  /** Refuses an upload that is incomplete, belongs to another viewer or is already taken. */
  take(
    tx: Transaction<Database>,
    viewer_id: number,
    uri: string,
    crowd_file_id: number,
  ): Promise<{ name: string; size: number }>
  open(uri: string): Promise<{ path: string }>
  remove(uri: string): Promise<void>
}

/** The counts of a file's lines: line_count = valid_count + duplicate + malformed; `error` when it could not be read. */
export interface FileReport {
  line_count: number
  valid_count: number
  duplicate: number
  malformed: number
  reasons: { reason: string; outcome: AnyOutcome; lines: number }[]
  error: AnyOutcome | null
}

/** The checked values of crowds, by version. */
export interface Identifiers {
  check(
    work: {
      adv_id: number
      crowd_id: number
      version: number
      type: IdentifierType
      files: { file_id: number; path: string; name: string }[]
    },
    on: {
      signal: AbortSignal
      progress(share: number, stage: string): void
      fileDone(file_id: number, report: FileReport): Promise<void>
    },
  ): Promise<{ lines: number; valid: number; duplicate: number; malformed: number }>
  build(
    work: {
      adv_id: number
      crowd_id: number
      version: number
      type: IdentifierType
      kind: 'create' | 'append' | 'remove' | 'restore'
      /** The version in force; 0 before the first. */
      base_version: number
      restored_from: number | null
    },
    on: { signal: AbortSignal; progress(share: number, stage: string): void },
  ): Promise<{ size: number; matched: number }>
  /** Writes the matched people of a version again under `members_version`; returns their count. */
  membersOf(
    of: { adv_id: number; crowd_id: number; version: number; type: IdentifierType },
    members_version: number,
    on: { signal: AbortSignal },
  ): Promise<number>
  /** Deletes a version that never came into force. */
  discard(adv_id: number, crowd_id: number, version: number): Promise<void>
  dropCrowd(adv_id: number, crowd_id: number): Promise<void>
  /** Versions whose check or build did not finish. */
  unfinished(): Promise<{ crowd_id: number; version: number }[]>
  /** The malformed lines of a file, with their numbers and reasons; null when there are none. */
  readMalformed(file_id: number): Promise<Readable | null>
  removeMalformed(file_id: number): Promise<void>
  sweepMalformed(now: number): Promise<void>
}

import type { Readable } from 'node:stream'
import type { Transaction } from 'kysely'
import type {
  BuildRequest,
  Built,
  CheckRequest,
  CheckRun,
  CheckTotals,
  CrowdVersion,
  Run,
} from '../../identifiers/types.ts'
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

/** The checked values of crowds, by version. */
export interface Identifiers {
  check(request: CheckRequest, run: CheckRun): Promise<CheckTotals>
  build(request: BuildRequest, run: Run): Promise<Built>
  /** Writes the matched people of a version again under `members_version`; returns their count. */
  membersOf(of: CrowdVersion, members_version: number, run: Run): Promise<number>
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

import type { IdentifierType } from '#contract/identifier.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { UnreadMember, UploadedText } from '../files/text-lines.ts'

/** A version of an uploaded crowd; all its identifiers have one type. */
export interface CrowdVersion {
  adv_id: number
  crowd_id: number
  version: number
  type: IdentifierType
}

export interface CheckRequest extends CrowdVersion {
  /** In upload order: a value in two files counts as a duplicate in the later one. */
  files: readonly CheckedText[]
}

export interface CheckedText extends UploadedText {
  /** Marks stand for some of its lines (`contract/line-mark.ts`). */
  isMarked?: boolean
}

/** line_count = valid_count + duplicate + malformed. */
export interface FileReport {
  line_count: number
  valid_count: number
  /** Lines whose value is already on an earlier line of the version's files. */
  duplicate: number
  malformed: number
  /** `listed`: of these lines, those that can be downloaded. */
  reasons: { reason: string; outcome: AnyOutcome; lines: number; listed: number }[]
  /** Texts of an archive that could not be read; none of their lines count. */
  unread: readonly UnreadMember[]
  /** Why the file could not be read; then its counts are 0. */
  error: AnyOutcome | null
}

/** lines = valid + duplicate + malformed */
export interface CheckTotals {
  lines: number
  valid: number
  duplicate: number
  malformed: number
}

export interface Run {
  signal?: AbortSignal | undefined
  /** From 0 to 1. */
  progress?(share: number, stage: string): void
}

export interface CheckRun extends Run {
  fileDone?(file_id: number, report: FileReport): Promise<void> | void
}

export interface BuildRequest extends CrowdVersion {
  kind: 'create' | 'append' | 'remove' | 'restore'
  /** The version in force; 0 before the first. */
  base_version: number
  /** For a restore: the version that is brought back. */
  restored_from?: number | null
}

export interface Built {
  /** Distinct identifiers of the version. */
  size: number
  /** People of the advertiser among them: the rows of `crowd_member` with the same version. */
  matched: number
}

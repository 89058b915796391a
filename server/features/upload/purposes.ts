import { IMPORT_UPLOAD_MAX, UPLOAD_PATH } from '#contract/import.ts'
import { type Outcome, outcome } from '#contract/outcome.ts'
import {
  CROWD_UPLOAD_PATH,
  fileFault,
  HASHED_SENT_MAX,
  nameFault,
  UPLOAD_FILES_MAX,
  type UploadPurpose,
} from '#contract/upload.ts'
import { AppError } from '../../errors.ts'

export interface NewFile {
  purpose: UploadPurpose
  name: string
  /** Bytes, as the request announced them. */
  size: number
  /** The browser made it by hashing the values of a file. */
  isHashed?: boolean | undefined
}

interface Purpose {
  /** Path of the embedded endpoint. */
  path: string
  /** Largest file, in bytes. */
  fileMax: number
  /** First part of the object keys: `<prefix>/<viewer>/<page>/<upload>`. */
  keyPrefix: string
  /** Why a file's name or size is refused, by the same rule as on the page; null when it is allowed. */
  faultOf(file: Omit<NewFile, 'purpose'>): Outcome | null
  /** How many uploads a viewer may have at once that are unfinished or not yet used; UNUSED_BYTES_MAX limits their size. */
  unused: { files: number; tooMany: Outcome }
}

/** Bytes that a viewer's uploads of all purposes may have together while they are unfinished or not yet used. */
export const UNUSED_BYTES_MAX = 4 * IMPORT_UPLOAD_MAX

/** The differences between files of crowds and files of imports. */
export const PURPOSES: Record<UploadPurpose, Purpose> = {
  crowd: {
    path: CROWD_UPLOAD_PATH,
    fileMax: HASHED_SENT_MAX,
    keyPrefix: 'crowd-uploads/',
    faultOf: ({ isHashed = false, ...file }) => fileFault(file, [], isHashed),
    // Enough for several pages at once.
    unused: { files: 3 * UPLOAD_FILES_MAX, tooMany: outcome('upload_quota_of_crowds') },
  },
  import: {
    path: UPLOAD_PATH,
    fileMax: IMPORT_UPLOAD_MAX,
    keyPrefix: 'import-uploads/',
    faultOf: ({ name, size }) =>
      size > IMPORT_UPLOAD_MAX ? outcome('upload_too_large', { mb: IMPORT_UPLOAD_MAX / 1024 ** 2 }) : nameFault(name),
    unused: { files: 20, tooMany: outcome('upload_quota_of_imports') },
  },
}

/** The purpose of an object key or key prefix. */
export const purposeOfKey = (key: string): UploadPurpose =>
  key.startsWith(PURPOSES.import.keyPrefix) ? 'import' : 'crowd'

export function checkNewFile({ purpose, ...file }: NewFile): void {
  const reason = PURPOSES[purpose].faultOf(file)
  if (reason) throw new AppError('uploadRefused', { reason })
}

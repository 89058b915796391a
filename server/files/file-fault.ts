import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { outcome } from '#contract/outcomes/make.ts'

/** The file itself cannot be read, for this reason. */
export class FileFault extends Error {
  override name = 'FileFault'
  readonly outcome: AnyOutcome

  constructor(outcome: AnyOutcome) {
    super(`${outcome.code} ${JSON.stringify(outcome.params)}`)
    this.outcome = outcome
  }
}

/** The fault of a file that the file system or its decompression refuses to read; other errors unchanged. */
export function asFileFault(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'ENOENT') return new FileFault(outcome('file_missing'))
  if (code === 'EACCES') return new FileFault(outcome('file_not_permitted'))
  if (code === 'EISDIR') return new FileFault(outcome('file_is_directory'))
  if (code === 'EIO' || code === 'ESTALE') return new FileFault(outcome('file_disk_error'))
  if (code?.startsWith('Z_')) return new FileFault(outcome('file_gzip_broken'))
  return error
}

/** For `catch`: throws what `asFileFault` makes of an error. */
export function throwFileFault(error: unknown): never {
  throw asFileFault(error)
}

/** An error as the plain data that a worker thread sends to the main thread. */
export type PostedError =
  | { kind: 'fault'; outcome: AnyOutcome }
  | { kind: 'error'; message: string; code: string | undefined }

export function postedError(error: unknown): PostedError {
  if (error instanceof FileFault) return { kind: 'fault', outcome: error.outcome }
  return { kind: 'error', message: error instanceof Error ? error.message : String(error), code: codeOf(error) }
}

export const receivedError = (posted: PostedError): Error =>
  posted.kind === 'fault'
    ? new FileFault(posted.outcome)
    : Object.assign(new Error(posted.message), { code: posted.code })

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

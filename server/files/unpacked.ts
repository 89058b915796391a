import { ZIP_RATIO_MAX } from '#contract/file-limits.ts'
import { outcome } from '#contract/outcomes/make.ts'
import { FileFault } from './file-fault.ts'

/**
 * Any file may unpack to this much, however small it is. Parquet may unpack to more: columns of nearly equal cells turn
 * a hundred MB of text into a few hundred KB.
 */
const ALWAYS_ALLOWED_BYTES = { gzip: 64 * 1024 ** 2, parquet: 256 * 1024 ** 2 }

/** The most bytes that a compressed file of that size may unpack to. */
export const unpackedLimit = (size: number, packing: keyof typeof ALWAYS_ALLOWED_BYTES): number =>
  Math.max(ALWAYS_ALLOWED_BYTES[packing], size * ZIP_RATIO_MAX)

export const unpackedSizeFault = () => new FileFault(outcome('file_too_dense', { times: ZIP_RATIO_MAX }))

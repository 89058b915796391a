import { ZIP_RATIO_MAX } from '#contract/file-limits.ts'
import { FileFault } from './file-fault.ts'

/** A file may unpack to this much, however small it is. */
const DENSE_BYTES = 64 * 1024 ** 2

/** Bytes that a compressed file of that size may unpack to: gzip and Parquet alike. */
export const unpackedMost = (size: number): number => Math.max(DENSE_BYTES, size * ZIP_RATIO_MAX)

export const tooDense = () => new FileFault(`压缩比超过 ${ZIP_RATIO_MAX} 倍，可能是压缩炸弹，已停止解压`)

import { ZIP_RATIO_MAX } from '#contract/file-limits.ts'
import { FileFault } from './file-fault.ts'

/**
 * A file may unpack to this much, however small it is. Of Parquet it is more: columns whose cells are nearly all the same
 * make a few hundred KB out of a hundred MB of text.
 */
const DENSE_BYTES = { gzip: 64 * 1024 ** 2, parquet: 256 * 1024 ** 2 }

/** Bytes that a compressed file of that size may unpack to. */
export const unpackedMost = (size: number, packing: keyof typeof DENSE_BYTES): number =>
  Math.max(DENSE_BYTES[packing], size * ZIP_RATIO_MAX)

export const tooDense = () => new FileFault(`压缩比超过 ${ZIP_RATIO_MAX} 倍，可能是压缩炸弹，已停止解压`)

import { IMPORT_UPLOAD_MAX } from '#contract/import.ts'
import { formatBytes } from '../../lib/format.ts'

export const ACCEPTED = ['.csv', '.ndjson', '.jsonl', '.parquet', '.csv.gz', '.ndjson.gz', '.jsonl.gz', '.parquet.gz']

/** Why a file is not taken, before a byte is sent; null when it is. */
export function refusalOfFile(file: { name: string; size: number }): string | null {
  const name = file.name.toLowerCase()
  if (!ACCEPTED.some((ending) => name.endsWith(ending))) return '仅支持 csv、ndjson、jsonl、parquet 及其 .gz 压缩文件'
  if (file.size === 0) return '文件是空的'
  if (file.size > IMPORT_UPLOAD_MAX) return `文件超过 ${formatBytes(IMPORT_UPLOAD_MAX)}，请使用命令行导入`
  return null
}

export interface Sample {
  at: number
  sent: number
}

const SPEED_OVER_MS = 4_000

/** Adds a sample and drops those that are too old to say how fast it goes now. */
export const sampled = (samples: readonly Sample[], next: Sample): Sample[] => [
  ...samples.filter((one) => one.at > next.at - SPEED_OVER_MS && one.sent <= next.sent),
  next,
]

/** Bytes a second over the last moments; null while there is too little to tell. */
export function speedOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at - first.at < 200) return null
  return ((last.sent - first.sent) * 1000) / (last.at - first.at)
}

export function secondsLeft(size: number, sent: number, speed: number | null): number | null {
  return speed && speed > 0 ? Math.max(0, Math.round((size - sent) / speed)) : null
}

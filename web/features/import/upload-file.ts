import { IMPORT_UPLOAD_MAX } from '#contract/import.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { nameFault } from '#contract/upload.ts'
import { formatBytes } from '../../lib/format.ts'

export const ACCEPTED = ['.csv', '.ndjson', '.jsonl', '.parquet', '.csv.gz', '.ndjson.gz', '.jsonl.gz', '.parquet.gz']

/** Why a file is refused before any byte is sent; null if it is accepted. */
export function refusalOfFile(file: { name: string; size: number }): string | null {
  const name = file.name.toLowerCase()
  if (!ACCEPTED.some((ending) => name.endsWith(ending))) return '仅支持 csv、ndjson、jsonl、parquet 及其 .gz 压缩文件'
  const fault = nameFault(file.name)
  if (fault) return sentenceOf(fault)
  if (file.size === 0) return '文件是空的'
  if (file.size > IMPORT_UPLOAD_MAX) return `文件超过 ${formatBytes(IMPORT_UPLOAD_MAX)}，请使用命令行导入`
  return null
}

import { type CrowdFile, malformedPath } from '#contract/custom-crowd.ts'
import { saveBlob } from '../../components/save-blob.ts'
import { keptLinesCsv } from '../../lib/hash/kept-lines.ts'
import { findKeptLines } from '../../lib/hash/kept-store.ts'

/** Where the malformed lines of a file are to be had: in this page, on the server, or nowhere. */
export type MalformedDownload =
  | { kind: 'kept'; lines: number; hint: string; save(): Promise<void> }
  | { kind: 'server'; lines: number; hint: string; href: string }
  | { kind: 'none'; reason: string }

export function malformedDownload(file: CrowdFile): MalformedDownload {
  const { id, name, hashed, reasons } = file
  const kept = hashed?.local_id ? findKeptLines(hashed.local_id) : null
  if (kept)
    return {
      kind: 'kept',
      lines: kept.lines,
      hint: '无效行没有上传，只在本机；关闭此人群或离开此页后不再保留',
      save: async () => saveBlob(await keptLinesCsv(kept), `${name}-无效行.csv`),
    }
  const lines = reasons.reduce((sum, { listed }) => sum + listed, 0)
  if (lines === 0) return { kind: 'none', reason: whyNone(file) }
  const hint = hashed?.marked ? '无效行的行号与原因；内容没有上传' : '无效行，带行号与原因'
  return { kind: 'server', lines, hint, href: malformedPath(id) }
}

function whyNone({ status, malformed }: CrowdFile): string {
  if (status !== 'done') return '校验完成后可下载'
  return (malformed ?? 0) > 0 ? '无效行都是空行，或超出保留上限，只计数' : '没有无效行'
}

import { z } from 'zod'
import { type Outcome, outcome, sentenceOf } from '#contract/outcome.ts'
import { fileFault } from '#contract/upload.ts'
import { newTransfer, type Phase, Transfer } from '../../lib/upload/transfer.ts'

/** The result of hashing a file in the browser. */
const HashReport = z.object({ from: z.string(), lines: z.number(), already: z.number(), malformed: z.number() })
export type HashReport = z.infer<typeof HashReport>

/** Labels of the phases. */
export const PHASES: Record<Phase, string> = {
  reading: '准备中',
  hashing: '加密中',
  uploading: '上传中',
  reconnecting: '连接中断，正在重试',
  paused: '暂停，请重试',
  failed: '失败，点击重试',
  done: '成功',
  lost: '待重新选择',
}

export const UploadItem = Transfer.extend({
  /** Hashing progress, 0 to 1. */
  hashing: z.number(),
  /** What the file looks like if it does not look like its type. Items stored by earlier versions do not have it. */
  looksLike: z.string().nullable().default(null),
  report: HashReport.nullable(),
})
export type UploadItem = z.infer<typeof UploadItem>

export const newItem = (id: string, file: { name: string; size: number }): UploadItem => ({
  ...newTransfer(id, file),
  hashing: 0,
  looksLike: null,
  report: null,
})

export interface Refusal {
  name: string
  reason: string
}

/** Splits files chosen together into accepted and refused; each is checked together with those accepted before it. */
export function sortOut<F extends { name: string; size: number }>(
  chosen: readonly F[],
  listed: readonly { name: string; size: number }[],
): { accepted: F[]; refused: Refusal[] } {
  const accepted: F[] = []
  const refused: Refusal[] = []
  for (const file of chosen) {
    const fault = fileFault(file, [...listed, ...accepted])
    if (fault === null) accepted.push(file)
    else refused.push({ name: file.name, reason: sentenceOf(fault) })
  }
  return { accepted, refused }
}

/** Why the files cannot be submitted yet; null if they can. */
export function filesFault(items: readonly UploadItem[]): Outcome | null {
  if (items.length === 0) return outcome('upload_missing')
  const isUnfinished = items.some((item) => item.phase !== 'done' || item.uri === null)
  return isUnfinished ? outcome('uploads_unfinished') : null
}

/** The files as the crowd's calls expect them. */
export const filesOf = (items: readonly UploadItem[]) =>
  items.map(({ name, total, uri, report }) => ({ name, size: total, uri: uri ?? '', hashed: report }))

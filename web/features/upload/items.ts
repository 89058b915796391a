import { z } from 'zod'
import { fileFault } from '#contract/upload.ts'
import { newTransfer, type Phase, Transfer } from '../../lib/upload/transfer.ts'

/** What the browser did to a file's lines before it was sent. */
const HashReport = z.object({ from: z.string(), lines: z.number(), already: z.number(), malformed: z.number() })
export type HashReport = z.infer<typeof HashReport>

/** What the console calls the phases of a crowd's file. */
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
  /** 0 to 1, while it is hashed. */
  hashing: z.number(),
  /** What it looks like, when not like its type. */
  look: z.string().nullable(),
  report: HashReport.nullable(),
})
export type UploadItem = z.infer<typeof UploadItem>

export const newItem = (id: string, file: { name: string; size: number }): UploadItem => ({
  ...newTransfer(id, file),
  hashing: 0,
  look: null,
  report: null,
})

export interface Refusal {
  name: string
  reason: string
}

/** Of files chosen together, those that may join the list, each judged beside the ones before it. */
export function sortOut<F extends { name: string; size: number }>(
  chosen: readonly F[],
  listed: readonly { name: string; size: number }[],
): { fine: F[]; refused: Refusal[] } {
  const fine: F[] = []
  const refused: Refusal[] = []
  for (const file of chosen) {
    const reason = fileFault(file, [...listed, ...fine])
    if (reason === null) fine.push(file)
    else refused.push({ name: file.name, reason })
  }
  return { fine, refused }
}

/** Why the files may not be submitted yet; null when they may. */
export function filesFault(items: readonly UploadItem[]): string | null {
  if (items.length === 0) return '请上传文件'
  if (items.some((item) => item.phase !== 'done' || item.uri === null)) return '包含未上传文件，请上传或删除后提交'
  return null
}

/** As the crowd's calls take them. */
export const filesOf = (items: readonly UploadItem[]) =>
  items.map(({ name, total, uri, report }) => ({ name, size: total, uri: uri ?? '', hashed: report }))

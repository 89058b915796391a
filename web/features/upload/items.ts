import { z } from 'zod'
import { type SentChoice, TextChoice, takesWholeLines } from '#contract/identifier-column.ts'
import { type Outcome, outcome, sentenceOf } from '#contract/outcome.ts'
import { fileFault, rawFileFault } from '#contract/upload.ts'
import { type ChosenFile, newTransfer, type Phase, Transfer } from '../../lib/upload/transfer.ts'

/** The result of hashing a file in the browser. */
const HashReport = z.object({
  from: z.string(),
  lines: z.number(),
  already: z.number(),
  malformed: z.number(),
  normalised: z.number().default(0),
  /** Malformed lines are marked in what is sent, and stay in the browser under this number. */
  marked: z.boolean().default(false),
  local_id: z.string().nullable().default(null),
})
export type HashReport = z.infer<typeof HashReport>

/** Labels of the phases. */
export const PHASES: Record<Phase, string> = {
  reading: '准备中',
  hashing: '加密中',
  uploading: '上传中',
  reconnecting: '连接中断，正在重试',
  paused: '已暂停，点击继续',
  failed: '失败，点击重试',
  done: '成功',
  lost: '待重新选择',
}

/** What a viewer may choose for a file; `values`: which they are, where raw ones and hashes look alike. */
const FileChoice = TextChoice.partial().extend({ values: z.enum(['raw', 'hashed']).optional() })
export type FileChoice = z.infer<typeof FileChoice>

export const UploadItem = Transfer.extend({
  /** Hashing progress, 0 to 1. */
  hashing: z.number(),
  /** What the file looks like if it does not look like its type. Items stored by earlier versions do not have it. */
  looksLike: z.string().nullable().default(null),
  report: HashReport.nullable(),
  /** What the viewer chose, in place of what its first lines suggest. */
  chosen: FileChoice.default({}),
  /** Its values may be raw ones or hashes: the viewer is asked. */
  isUnclear: z.boolean().default(false),
  /** How its identifiers are found; null until its beginning was read. */
  choice: TextChoice.nullable().default(null),
  /** Most of its lines are malformed, by a sample of them. */
  isMostlyBad: z.boolean().default(false),
})
export type UploadItem = z.infer<typeof UploadItem>

export const newItem = (id: string, file: ChosenFile, chosen: FileChoice = {}): UploadItem => ({
  ...newTransfer(id, file),
  hashing: 0,
  looksLike: null,
  report: null,
  chosen,
  isUnclear: false,
  choice: null,
  isMostlyBad: false,
})

export interface Refusal {
  name: string
  reason: string
}

/** Splits files chosen together into accepted and refused; each is checked together with those accepted before it. */
export function sortOut<F extends { name: string; size: number }>(
  chosen: readonly F[],
  listed: readonly { name: string; size: number }[],
  isHashed = false,
): { accepted: F[]; refused: Refusal[] } {
  const accepted: F[] = []
  const refused: Refusal[] = []
  for (const file of chosen) {
    const fault = (isHashed ? rawFileFault : fileFault)(file, [...listed, ...accepted])
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
  items.map(({ name, total, uri, report, choice, chosen }) => ({
    name,
    size: total,
    uri: uri ?? '',
    hashed: report,
    choice: choice && (report ? choice : sentChoice(choice, chosen)),
  }))

/** What the server is told of a file sent as it is. It recognises an encoding that was not chosen, by more than its beginning. */
function sentChoice(choice: TextChoice, { encoding }: FileChoice): SentChoice | null {
  return encoding === undefined && takesWholeLines(choice) ? null : { ...choice, encoding: encoding ?? null }
}

/** The files of which more than half of the lines are malformed: all lines where they were hashed here, else a sample. */
export const mostlyMalformed = (items: readonly UploadItem[]): UploadItem[] =>
  items.filter(({ report, isMostlyBad }) => (report ? report.malformed * 2 > report.lines : isMostlyBad))

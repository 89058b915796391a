import { z } from 'zod'

/** Where an interrupted upload continues. */
const Resume = z.union([
  z.object({ url: z.string() }),
  z.object({ uri: z.string(), key: z.string(), upload_id: z.string().nullable() }),
])
export type Resume = z.infer<typeof Resume>

/** lost: after a reload the browser no longer has the file. */
const PHASES = ['reading', 'hashing', 'uploading', 'reconnecting', 'paused', 'failed', 'done', 'lost'] as const
export type Phase = (typeof PHASES)[number]

/** A file that is being uploaded. */
export const Transfer = z.object({
  id: z.string(),
  name: z.string(),
  /** Bytes of the chosen file. */
  size: z.number(),
  /** When the chosen file was last changed, epoch ms; null for a transfer of an earlier version. */
  modified: z.number().nullable().default(null),
  phase: z.enum(PHASES),
  /** Bytes to send; hashing changes the size. */
  total: z.number(),
  sent: z.number(),
  /** Bytes per second. */
  speed: z.number().nullable(),
  uri: z.string().nullable(),
  resume: Resume.nullable(),
  error: z.string().nullable(),
  /** The type that its values were hashed to; null if it is sent unchanged. */
  made: z.string().nullable(),
})
export type Transfer = z.infer<typeof Transfer>

/** A file as it is chosen. */
export type ChosenFile = Pick<File, 'name' | 'size' | 'lastModified'>

export const newTransfer = (id: string, file: ChosenFile): Transfer => ({
  id,
  name: file.name,
  size: file.size,
  modified: file.lastModified,
  phase: 'reading',
  total: file.size,
  sent: 0,
  speed: null,
  uri: null,
  resume: null,
  error: null,
  made: null,
})

/** A transfer's state after a reload: running work has stopped. */
export function restored<T extends Transfer>(item: T): T {
  if (item.phase === 'done') return item
  return { ...item, phase: item.phase === 'paused' ? 'paused' : 'reading', speed: null, error: null }
}

export const LOST = '请重新选择该文件，从中断处继续上传'

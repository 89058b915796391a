import { z } from 'zod'
import { Id, Seconds } from './common.ts'

/** Days in which the deletion of a crowd can be undone. */
export const RESTORE_DAYS = 7
export const RESTORE_SECONDS = RESTORE_DAYS * 86_400

/** A deleted crowd that can still be restored. */
export const DeletedCrowd = z.object({
  id: Id.describe('人群 ID'),
  name: z.string().describe('人群名称'),
  adv_id: Id.describe('所属广告主 ID'),
  adv_name: z.string().describe('所属广告主名称'),
  /** The folder to which it is restored. */
  dir_name: z.string().describe('恢复后所在的文件夹名称'),
  /** Number of its people, or of an uploaded crowd's identifiers; null when it never had a result. */
  size: z.int().nullable().describe('用户人数；上传的人群是标识数；从未有结果时为 null'),
  deleted_at: Seconds.describe('删除的时间，时间戳（秒）'),
  /** When it can no longer be restored. */
  until: Seconds.describe('可恢复的截止时间，时间戳（秒）'),
})
export type DeletedCrowd = z.infer<typeof DeletedCrowd>

/** The most deletions that a call lists; the latest come first. */
export const DELETED_SHOWN_MAX = 500
export const DeletedCrowds = z.array(DeletedCrowd)

export const RestoreIds = z.object({ ids: z.array(Id).min(1).max(500).describe('要恢复的人群 ID，1 到 500 个') })

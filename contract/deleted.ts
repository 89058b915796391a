import { z } from 'zod'
import { Id, Seconds } from './common.ts'

/** Seconds in which the deletion of a crowd can be undone. */
export const RESTORE_SECONDS = 3600

/** A deleted crowd that can still be restored. */
export const DeletedCrowd = z.object({
  id: Id,
  name: z.string(),
  adv_id: Id,
  adv_name: z.string(),
  /** The folder to which it is restored. */
  dir_name: z.string(),
  /** Number of its people, or of an uploaded crowd's identifiers; null when it never had a result. */
  size: z.int().nullable(),
  deleted_at: Seconds,
  /** When it can no longer be restored. */
  until: Seconds,
})
export type DeletedCrowd = z.infer<typeof DeletedCrowd>

/** The most deletions that a call lists; the latest come first. */
export const DELETED_SHOWN_MAX = 500
export const DeletedCrowds = z.array(DeletedCrowd)

export const RestoreIds = z.object({ ids: z.array(Id).min(1).max(500) })

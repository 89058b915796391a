import { z } from 'zod'
import { Id, Seconds } from './common.ts'

/** How long the deletion of a crowd may be undone. */
export const RESTORE_SECONDS = 3600

/** A crowd that was deleted and can still be brought back. */
export const DeletedCrowd = z.object({
  id: Id,
  name: z.string(),
  adv_id: Id,
  adv_name: z.string(),
  /** The folder to which it comes back. */
  dir_name: z.string(),
  /** Its people, or the identifiers of an uploaded crowd; null where it never had a result. */
  size: z.int().nullable(),
  deleted_at: Seconds,
  /** From then on it is gone for good. */
  until: Seconds,
})
export type DeletedCrowd = z.infer<typeof DeletedCrowd>

/** The latest that a call lists. */
export const DELETED_SHOWN_MAX = 500
export const DeletedCrowds = z.array(DeletedCrowd)

export const RestoreIds = z.object({ ids: z.array(Id).min(1).max(500) })

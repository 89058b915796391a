import { z } from 'zod'
import { CommaIds, IdParam, PageQuery, SecondsRange } from './common.ts'

/** Filters and sort order of both lists of crowds; each list adds its own. */
export const CrowdListQuery = PageQuery.extend({
  name: z.string().max(100).optional(),
  creator_id: CommaIds.optional(),
  /** Free text, as in the filter of RPS. */
  creator: z.string().max(100).optional(),
  created_at: SecondsRange.optional(),
  adv_id: IdParam.optional(),
  dir_id: IdParam.optional(),
  sort: z.enum(['created_at', '-created_at']).default('-created_at'),
})

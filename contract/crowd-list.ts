import { z } from 'zod'
import { CommaIds, IdParam, PageQuery, SecondsRange } from './common.ts'

/** What both lists of crowds are filtered and sorted by; each adds what it alone has. */
export const CrowdListQuery = PageQuery.extend({
  name: z.string().max(100).optional(),
  creator_id: CommaIds.optional(),
  /** Free text, as RPS filters by. */
  creator: z.string().max(100).optional(),
  created_at: SecondsRange.optional(),
  adv_id: IdParam.optional(),
  dir_id: IdParam.optional(),
  sort: z.enum(['created_at', '-created_at']).default('-created_at'),
})

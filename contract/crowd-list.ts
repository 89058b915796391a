import { z } from 'zod'
import { CommaIds, IdParam, PageQuery, SecondsRange } from './common.ts'

/** Filters and sort order of both lists of crowds; each list adds its own. */
export const CrowdListQuery = PageQuery.extend({
  name: z.string().max(100).optional().describe('名称包含这段文字'),
  creator_id: CommaIds.optional().describe('创建人 ID，逗号分隔，任一即可，例如 `1,2`'),
  /** Free text, as in the filter of RPS. */
  creator: z.string().max(100).optional().describe('创建人的姓名（没有姓名的为用户名）包含这段文字（RPS 方式的筛选）'),
  created_at: SecondsRange.optional().describe(
    '创建时间的范围：两个时间戳（秒），逗号相连，含两端，例如 `1763654400,1763740799`',
  ),
  adv_id: IdParam.optional().describe('只列这个广告主的人群'),
  dir_id: IdParam.optional().describe('只列这个文件夹里的人群（不含子文件夹）'),
  sort: z
    .enum(['created_at', '-created_at'])
    .default('-created_at')
    .describe('排序：created_at 按创建时间升序，-created_at 降序'),
})

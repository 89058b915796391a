import { z } from 'zod'
import { Id, IdParam } from './common.ts'
import { endpoint } from './endpoint.ts'

/** The most results of one kind. */
export const SEARCH_MAX = 8

/** `adv_id`: the owner, so that the page can switch to that advertiser. */
const Found = z.object({ id: Id, name: z.string(), adv_id: Id, adv_name: z.string() })

export const searchEverything = endpoint({
  method: 'GET',
  path: '/api/search',
  group: '搜索',
  summary: `按名称或 ID 在全部广告主中查找人群、标签与文件夹；每类最多 ${SEARCH_MAX} 条`,
  query: z.object({
    q: z.string().trim().min(1).max(60),
    adv_id: IdParam.optional(),
    /** Results of this advertiser come first. */
    first_adv_id: IdParam.optional(),
  }),
  data: z.object({
    crowds: z.array(Found.extend({ kind: z.enum(['rule', 'custom']), dir_id: Id })),
    tags: z.array(Found.extend({ category: z.string() })),
    folders: z.array(z.object({ id: Id, name: z.string() })),
  }),
})

import { z } from 'zod'
import { Id, IdParam } from './common.ts'
import { endpoint } from './endpoint.ts'
import { PlatformCode } from './platform.ts'

/** The most results of one kind. */
export const SEARCH_MAX = 8

/** `adv_id`: the owner, so that the page can switch to that advertiser. */
const Found = z.object({
  id: Id.describe('ID'),
  name: z.string().describe('名称'),
  adv_id: Id.describe('所属广告主 ID，打开时要切换到它'),
  adv_name: z.string().describe('所属广告主名称'),
})

export const searchEverything = endpoint({
  method: 'GET',
  path: '/api/search',
  group: '搜索',
  summary: `按名称或 ID 在全部广告主中查找人群、平台定向包、标签与文件夹；每类最多 ${SEARCH_MAX} 条`,
  query: z.object({
    q: z.string().trim().min(1).max(60).describe('名称的一部分，或 ID；1 到 60 个字符'),
    adv_id: IdParam.optional().describe('只在这个广告主中查找'),
    /** Results of this advertiser come first. */
    first_adv_id: IdParam.optional().describe('这个广告主的结果在前'),
  }),
  data: z.object({
    crowds: z
      .array(
        Found.extend({
          kind: z.enum(['rule', 'custom']).describe('rule 规则人群，custom 上传的人群'),
          dir_id: Id.describe('所在文件夹 ID'),
        }),
      )
      .describe('找到的人群'),
    packages: z.array(Found.extend({ platform: PlatformCode })).describe('找到的平台定向包'),
    tags: z.array(Found.extend({ category: z.string().describe('所属分类的名称') })).describe('找到的标签'),
    folders: z
      .array(z.object({ id: Id.describe('文件夹 ID'), name: z.string().describe('文件夹名称') }))
      .describe('找到的文件夹'),
  }),
})

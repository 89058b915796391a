import { z } from 'zod'
import { Id, IdParams } from './common.ts'
import { endpoint } from './endpoint.ts'

/** The most tags that one call changes. */
export const TAG_BATCH_MAX = 1000

const Batch = z.object({
  adv_id: Id.describe('广告主 ID'),
  ids: z.array(Id).min(1, '请选择标签').max(TAG_BATCH_MAX).describe('标签 ID，须都属于该广告主'),
})
const NamedCrowd = z.object({ id: Id.describe('人群 ID'), name: z.string().describe('人群名称') })
/** A tag that the call left as it was. */
const Kept = z.object({
  id: Id.describe('标签 ID'),
  name: z.string().describe('标签名称'),
  crowds: z.array(NamedCrowd).describe('正在使用它的人群；因重名没有移动时为空'),
})
export type KeptTag = z.infer<typeof Kept>
const Done = z.object({
  done: z.int().describe('已处理的标签数'),
  kept: z.array(Kept).describe('没有处理的标签'),
})

export const deleteTags = endpoint({
  method: 'POST',
  path: '/api/tag/batch_delete',
  group: '标签',
  summary: '批量删除标签；人群正在使用的与内置的保留，并列出使用处。只检查时不删除，done 是会删除的个数',
  body: Batch.extend({ check: z.boolean().default(false).describe('true：只检查，不删除') }),
  data: Done,
})

export const hideTags = endpoint({
  method: 'POST',
  path: '/api/tag/batch_hide',
  group: '标签',
  summary: '批量隐藏或显示标签；隐藏的标签不出现在标签树中，使用它的规则不变',
  body: Batch.extend({ hidden: z.boolean().describe('true 隐藏，false 显示') }),
  data: Done,
})

export const moveTags = endpoint({
  method: 'POST',
  path: '/api/tag/batch_move',
  group: '标签',
  summary: '批量移动标签到一个分类；在那里重名的保留',
  body: Batch.extend({ category_id: Id.describe('目标分类 ID，类型须与标签相同') }),
  data: Done,
})

export const getCategoryUsage = endpoint({
  method: 'GET',
  path: '/api/tag/category/{id}/usage',
  group: '标签',
  summary: '一个分类的标签数，以及使用这些标签的人群；删除分类前查看',
  params: IdParams,
  data: z.object({
    tags: z.int().describe('分类中的标签数'),
    crowds: z.array(NamedCrowd).describe('使用其中标签的人群'),
  }),
})

import { z } from 'zod'
import { group, Path } from './activity-fields.ts'
import { Id, IdParam, itemName, Nothing, PageQuery, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'

/** The most saved assets of an advertiser. */
export const ACTIVITY_ASSETS_MAX = 200
export const AssetName = itemName('请输入资产名称')

const ActivityAsset = z.object({
  valuable_id: Id.describe('资产 ID'),
  name: z.string().describe('资产名称'),
  advertiser_id: Id.describe('所属广告主 ID'),
  advertiser_name: z.string().describe('所属广告主名称'),
  plans: z.int().describe('计划数'),
  creator: z.string().describe('创建人姓名'),
  created_at: Seconds.describe('创建时间，时间戳（秒）'),
})
export type ActivityAsset = z.output<typeof ActivityAsset>

export const listActivityAssets = endpoint({
  method: 'GET',
  path: Path('/asset/list'),
  group,
  summary: '存为资产的活动，最近的在前',
  query: PageQuery.extend({
    adv_id: IdParam.optional().describe('只列这个广告主的'),
    name: z.string().max(100).optional().describe('名称包含这段文字'),
  }),
  data: z.object({
    list: z.array(ActivityAsset).describe('本页的资产'),
    total: z.int().describe('符合条件的资产总数'),
  }),
})

export const saveActivityAsset = endpoint({
  method: 'POST',
  path: Path('/asset'),
  group,
  summary: '把活动现在的内容存为资产，不带日期与平台计划',
  body: z.object({
    id: Id.describe('活动 ID'),
    name: AssetName.describe('资产名称，1 到 30 个字符，同一广告主内不可重名'),
  }),
  data: z.object({ valuable_id: Id.describe('资产 ID') }),
})

export const startFromAsset = endpoint({
  method: 'POST',
  path: Path('/asset/use'),
  group,
  summary: '以资产新建一个未提交的活动',
  body: z.object({ valuable_id: Id.describe('资产 ID') }),
  data: z.object({ id: Id.describe('新活动的 ID') }),
})

export const deleteActivityAsset = endpoint({
  method: 'DELETE',
  path: Path('/asset'),
  group,
  summary: '删除资产；用它建立的活动不受影响',
  query: z.object({ valuable_id: IdParam.describe('资产 ID') }),
  data: Nothing,
})

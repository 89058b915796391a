import { z } from 'zod'
import { Id, IdParam, Nothing, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { withSpellings } from './spellings.ts'
import { EstimateGoals } from './targeting/estimate-goals.ts'
import { Targeting } from './targeting-package.ts'

const group = '定向包'
const Path = '/api/v1/gdtcrowd/custom/estimation' as const

export const estimateReach = endpoint({
  method: 'POST',
  path: `${Path}/uv/{version}`,
  also: [`${Path}/uv`],
  group,
  summary: '预估定向内容每天覆盖的人数，由平台计算',
  params: z.object({
    version: z.coerce
      .number()
      .pipe(z.union([z.literal(1), z.literal(2)]))
      .default(2)
      .describe('接口的版本，1 或 2，两者相同'),
  }),
  body: withSpellings(
    z.object({
      advertiser_id: Id.describe('平台账户 ID'),
      targeting: Targeting.describe('定向内容，同新建定向包'),
    }),
    { adv_id: { for: 'advertiser_id', schema: Id } },
  ),
  readers: true,
  data: z.object({
    code: z.int().describe('0 成功；1 没有预估，原因在 fail_outcome'),
    approximate_count: z.int().nullable().describe('预估覆盖的人数；没有时为 null'),
    approximate_count_label: z.string().describe('人数的文字，例如 12.3万；没有时为 暂无'),
    counted_at: Seconds.nullable().describe('平台计算的时间，时间戳（秒）；没有时为 null'),
    fail_outcome: AnyOutcome.nullable(),
  }),
})

export const getEstimateGoals = endpoint({
  method: 'GET',
  path: `${Path}/goals`,
  group,
  summary: '平台账户的预估目标：巨量千川的预估要先说明为哪个抖音号或商品、按什么转化目标',
  query: z.object({ advertiser_id: IdParam.describe('平台账户 ID') }),
  data: EstimateGoals,
})

export const setEstimateGoals = endpoint({
  method: 'PUT',
  path: `${Path}/goals`,
  group,
  summary: '修改平台账户的预估目标',
  body: EstimateGoals.extend({ advertiser_id: Id.describe('平台账户 ID') }),
  data: Nothing,
})

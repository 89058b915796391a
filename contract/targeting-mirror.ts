import { z } from 'zod'
import { Id, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'

const group = '定向包'
const Path = <const P extends string>(path: P) => `/api/v1/gdtcrowd/custom/targetings/${path}` as const
/** The last part of the paths is a version of the calls, which all mean the same. */
const versioned = <const P extends string>(path: P) =>
  ({
    path: Path(`${path}/{v}`),
    also: [Path(path)],
    group,
    params: z.object({
      v: z.coerce
        .number()
        .pipe(z.union([z.literal(1), z.literal(2)]))
        .default(2)
        .describe('接口的版本，1 或 2，两者相同'),
    }),
  }) as const

const Body = z.object({ id: Id.describe('定向包 ID') })
const Saved = z.object({ id: Id.describe('定向包 ID'), ver: z.int().describe('当前的 ver') })

export const syncTargeting = endpoint({
  method: 'POST',
  ...versioned('sync'),
  summary: '重新同步到平台：同步失败后重试；平台上已删除的会重新建立',
  body: Body,
  data: Saved,
})

export const adoptTargeting = endpoint({
  method: 'POST',
  ...versioned('adopt'),
  summary: '采用平台：把平台上修改后的定向内容存为新的版本；名称可用时一并采用',
  body: Body,
  data: Saved,
})

export const overwriteTargeting = endpoint({
  method: 'POST',
  ...versioned('overwrite'),
  summary: '覆盖平台：用本地的定向内容覆盖平台上的修改，随后同步',
  body: Body,
  data: Saved,
})

export const refreshTargetings = endpoint({
  method: 'POST',
  ...versioned('refresh'),
  summary: '立即读取平台账户的定向包；给出 id 时还读取正在使用它的计划',
  body: z.object({
    advertiser_id: Id.describe('平台账户 ID'),
    id: Id.optional().describe('定向包 ID，应属于该账户'),
  }),
  readers: true,
  data: z.object({
    read_at: Seconds.nullable().describe('最近一次读取的时间，时间戳（秒）；没有读取过时为 null'),
    fail_outcome: AnyOutcome.nullable(),
  }),
})

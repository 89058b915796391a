import { z } from 'zod'
import { Seconds } from '../common.ts'
import { AnyOutcome } from '../outcomes/entry.ts'

/** How many packages an account has, and may have. */
export const PackageQuota = z.object({
  used: z.int().describe('已有的个数；平台上的定向包也计入，包括在平台上建立的'),
  total: z.int().nullable().describe('个数上限；平台未公布时为 null'),
  read_at: Seconds.nullable().describe('最近一次读取平台上的定向包的时间，时间戳（秒）；没有读取过时为 null'),
  failed_at: Seconds.nullable().describe('平台上的定向包从何时起读取失败，时间戳（秒）；最近一次读取成功时为 null'),
  fail_outcome: AnyOutcome.nullable(),
})
export type PackageQuota = z.infer<typeof PackageQuota>

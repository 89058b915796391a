import { z } from 'zod'
import { Id } from './common.ts'
import { type DataOf, endpoint } from './endpoint.ts'
import { CopyChange } from './targeting/copy-change.ts'
import { PackageCode } from './targeting/package-codes.ts'
import { versioned } from './targeting-package.ts'

export const previewTargetingCopy = endpoint({
  method: 'POST',
  ...versioned('copy_preview'),
  summary: '复制到另一账户或平台之前：副本的定向内容，以及不能原样带过去的条件与原因；不保存',
  body: z.object({
    id: Id.describe('来源定向包的 ID'),
    advertiser_id: Id.describe('副本所属的平台账户 ID'),
    landing_type: z.string().max(40).nullable().default(null).describe('副本的定向包类型；不填则与来源相同'),
  }),
  readers: true,
  data: z.object({
    platform: PackageCode,
    targeting: z.record(z.string(), z.unknown()).describe('副本的定向内容'),
    changes: z.array(CopyChange).describe('没有带过去或有改动的条件'),
  }),
})
export type CopyTargetingPreview = DataOf<typeof previewTargetingCopy>

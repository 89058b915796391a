import { z } from 'zod'
import { PlatformId } from '../common.ts'

/** The two panels of the crowd tab, with their codes in `auto_crowd_mode`. */
export const CROWD_ROLES = { include: 1, exclude: 2 } as const
export type CrowdRole = keyof typeof CROWD_ROLES

const Count = z.int().nonnegative().nullable()
const Text = z.string().max(200)

/** A crowd of the account as its picker lists it. */
export const CrowdRow = z
  .strictObject({
    retargeting_tags_id: PlatformId.describe('平台给人群的编号，选择时以它为准'),
    tag_id: PlatformId.optional().describe('平台的标签编号'),
    audience_id: PlatformId.optional().describe('平台的人群编号'),
    name: Text.describe('人群名称'),
    source: Text.nullable().optional().describe('来源；有值是自定义人群，没有值是平台精选人群'),
    cover_num: Count.optional().describe('覆盖人数'),
    user_count: Count.optional().describe('人数'),
    is_common: z.union([z.literal(0), z.literal(1)]).describe('1 可以用于投放，0 不可以'),
    retargeting_tags_op: z
      .enum(['INCLUDE', 'EXCLUDE', 'ALL'])
      .describe('可以怎样使用：INCLUDE 仅定向，EXCLUDE 仅排除，ALL 都可以'),
    status: z
      .union([z.int(), z.string().max(40)])
      .optional()
      .describe('平台的人群状态：平台自己的编号或名称'),
  })
  .meta({ id: 'TargetingCrowd', description: '可用于定向的人群' })
export type CrowdRow = z.output<typeof CrowdRow>

/** Whether it is one of the advertiser's own crowds, and not one that the platform curates. */
export const isCustomCrowd = (row: CrowdRow): boolean => Boolean(row.source)

export const CROWD_LABELS = {
  inactive: '未生效',
  exclude_only: '仅对排除人群生效',
  include_only: '仅对定向人群生效',
} as const
export type CrowdLabel = keyof typeof CROWD_LABELS

/** Why a crowd would have no effect in a panel; null when it has. */
export function crowdLabel(row: CrowdRow, role: CrowdRole): CrowdLabel | null {
  if (row.is_common === 0) return 'inactive'
  if (row.retargeting_tags_op === 'EXCLUDE' && role === 'include') return 'exclude_only'
  if (row.retargeting_tags_op === 'INCLUDE' && role === 'exclude') return 'include_only'
  return null
}

import { z } from 'zod'
import { entry, plain } from './entry.ts'

/** Why a tag could not be built. */
export const TAG_OUTCOMES = {
  tag_build_failed: plain('计算失败，请稍后重试；若仍然失败，请联系管理员', 'retry'),
  tag_field_missing: entry(
    { what: z.string().min(1), name: z.string() },
    ({ what, name }) => `${what}「${name}」不存在，请修改定义或接入数据`,
  ),
} as const

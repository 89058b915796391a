import { z } from 'zod'
import { AnyOutcome } from '../outcomes/entry.ts'

/** A condition that a copy has not, or has otherwise. */
export const CopyChange = z.object({
  label: z.string().describe('条件的名称'),
  words: z.array(z.string()).describe('没有带过去的内容'),
  now: z.array(z.string()).describe('代替它的内容；只是去掉时为空'),
  reason_outcome: AnyOutcome,
})

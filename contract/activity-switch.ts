import { z } from 'zod'
import { group, OnOff, Path, status } from './activity-fields.ts'
import { Id } from './common.ts'
import { endpoint } from './endpoint.ts'

const Switched = z.object({
  id: Id.describe('活动或计划的 ID'),
  is_open: OnOff.describe('开关：1 开，0 关'),
  status,
  is_syncing: z.boolean().describe('平台还没有答复：之后会改变，或复原并在计划上说明原因'),
})

const SwitchBody = z.object({ id: Id.describe('ID'), is_open: OnOff.describe('1 开，0 关') })

export const switchActivity = endpoint({
  method: 'POST',
  path: Path('/switch'),
  group,
  summary: '开关活动：打开时其计划按各自的开关启用，关联的平台计划一并开关；有一个不能则都复原并逐个说明',
  body: SwitchBody,
  data: Switched,
})

export const switchPlan = endpoint({
  method: 'POST',
  path: Path('/plan/switch'),
  group,
  summary: '开关一个计划，活动启用时关联的平台计划一并开关',
  body: SwitchBody,
  data: Switched,
})

import { CUSTOM_STATUS } from '#contract/audience.ts'
import type { CustomCrowd } from '#contract/custom-crowd.ts'
import { childSize } from '#contract/custom-crowd-rules.ts'
import { IDENTIFIERS } from '#contract/identifier.ts'
import { platformInfo } from '#contract/platform.ts'
import { numberCell } from '../../crowds/list-export.ts'
import { timeText } from '../../time/day.ts'

export const LIST_HEAD = [
  ...[
    '名称',
    'ID',
    '平台',
    '平台账户',
    '平台 ID',
    '状态',
    '原因',
    '标识类型',
    '标识数',
    '匹配人数',
    '计数时间',
    '覆盖',
  ],
  ...['广告主', '创建人', '创建时间'],
]

/** A crowd's row of the exported list, then those of its audiences on platform accounts. */
export function listCells(crowd: CustomCrowd, say: (text: string) => string, timezone: string): string[][] {
  const time = (at: number | null) => (at === null ? '' : timeText(at, timezone))
  return [
    [
      ...[say(crowd.name), String(crowd.id), '', '', '', CUSTOM_STATUS[crowd.status], say(crowd.reason ?? '')],
      ...[IDENTIFIERS[crowd.user_id_type].label, numberCell(crowd.user_count), numberCell(crowd.matched)],
      ...[time(crowd.counted_at), '', say(crowd.adv_name), crowd.creator, time(crowd.created_at)],
    ],
    ...crowd.audiences.map((child) => [
      ...[say(crowd.name), String(crowd.id), platformInfo(child.cnt_type).name, say(child.adv_name)],
      ...[child.tag_id ?? '', CUSTOM_STATUS[child.status], say(child.reason ?? ''), '', '', '', ''],
      ...[numberCell(childSize(child)), say(crowd.adv_name), child.creator, time(child.created_at)],
    ]),
  ]
}

import { z } from 'zod'
import { CREATION_FIELDS } from '../activity/creation-fields.ts'
import { keysOf } from '../common.ts'
import { PlatformCode, platformInfo } from '../platform.ts'
import { countWords } from '../size-words.ts'
import { AnyOutcome, entry, plain } from './entry.ts'

const Fen = z.int().nonnegative()
const Max = z.int().positive()

/** 40,000,000 or 9,999,999.99 of fen. */
const yuanOf = (fen: number) => {
  const cents = fen % 100
  return `${countWords(Math.floor(fen / 100))}${cents === 0 ? '' : `.${String(cents).padStart(2, '0')}`}`
}

/** Refusals of activities and their plans. */
export const ACTIVITY_OUTCOMES = {
  activity_problems: entry({ problems: z.array(AnyOutcome).min(1) }, ({ problems }, say) =>
    problems.map(say).join('；'),
  ),
  activity_without_plans: plain('请至少添加一个计划'),
  activity_not_submitted: plain('活动还没有提交，提交后才能启用'),
  activity_deletion_replaced: plain('之后的操作取代了删除，活动没有删除'),
  activity_over: plain('活动已结束，请先修改计划的结束日期'),
  activity_without_data: plain('未提交的活动没有数据'),
  plan_over: plain('计划已结束，请先修改结束日期'),

  /** What is wrong with one plan of an activity. */
  plan_fault: entry(
    { plan: z.string().min(1), cause: AnyOutcome },
    ({ plan, cause }, say) => `计划「${plan}」：${say(cause)}`,
  ),
  /** The second of them is called so. */
  plan_twice: entry(
    { id: z.int(), plan: z.string().min(1) },
    ({ id, plan }) => `计划「${plan}」的 ID ${id} 前面已经有了，一次保存里每个计划只能有一项`,
  ),
  plan_name_twice: entry({ name: z.string().min(1) }, ({ name }) => `有两个计划叫「${name}」，请换一个名称`),
  plan_linked_twice: entry(
    { plan_id: z.string().min(1) },
    ({ plan_id }) => `平台计划 ${plan_id} 被两个计划关联，数据会重复计算，请只保留一个`,
  ),
  /** `activity`: the one whose plan has it already. */
  plan_linked_elsewhere: entry(
    { plan_id: z.string().min(1), activity: z.string().min(1) },
    ({ plan_id, activity }) => `平台计划 ${plan_id} 已被活动「${activity}」的计划关联`,
  ),
  plan_account_missing: plain('请选择投放账户'),
  plan_account_unknown: plain('投放账户不存在，请重新选择'),
  plan_account_fixed: plain('活动提交后，计划的平台与账户不能修改，请新建计划'),
  plan_target_missing: plain('请选择定向包或人群'),
  plan_package_missing: plain('请选择定向包'),
  plan_target_without_account: plain('请先选择投放账户，再选择定向包或人群'),
  plan_link_without_account: plain('请先选择投放账户，再填写平台计划 ID'),
  plan_budget_missing: plain('请输入预算'),
  plan_budget_decimals: plain('预算最多两位小数'),
  plan_budget_mode: entry({ platform: PlatformCode, mode: z.enum(['day', 'total', 'none']) }, ({ platform, mode }) =>
    mode === 'none'
      ? `${platformInfo(platform).name}的计划需要填写预算`
      : `${platformInfo(platform).name}的计划没有${mode === 'day' ? '日' : '总'}预算`,
  ),
  plan_budget_bounds: entry(
    { min: Fen, max: Fen },
    ({ min, max }) => `预算应在 ${yuanOf(min)} 到 ${yuanOf(max)} 元之间`,
  ),
  plan_budget_there: entry(
    { platform: PlatformCode, min: Fen, max: Fen },
    ({ platform, min, max }) =>
      `${platformInfo(platform).name}接受的预算为 ${yuanOf(min)} 到 ${yuanOf(max)} 元，超出时平台会拒绝`,
  ),
  plan_start_missing: plain('请选择开始日期'),
  plan_end_before_start: plain('结束日期不能早于开始日期'),
  plan_end_past: plain('结束日期不能早于今天'),
  plan_hours_empty: plain('请至少选择一个投放时段'),
  plan_crowds_none_there: entry(
    { platform: PlatformCode },
    ({ platform }) => `${platformInfo(platform).name}的计划不能使用自定义人群，请选择定向包`,
  ),
  plan_crowd_twice: plain('同一人群不能选择两次，也不能既定向又排除'),
  plan_crowds_many: entry({ max: Max }, ({ max }) => `一个计划最多选择 ${max} 个人群`),
  plan_crowds_missing_there: plain('所选人群不在该账户下，请重新选择'),
  /** `crowd`: its name. */
  plan_crowd_unusable: entry(
    { crowd: z.string().min(1) },
    ({ crowd }) => `人群「${crowd}」在该账户下不可用，请重新选择`,
  ),
  plan_package_missing_there: plain('所选定向包不存在，或不属于该账户，请重新选择'),
  plan_package_expired: entry({ name: z.string().min(1) }, ({ name }) => `定向包「${name}」已失效，请延长或重新选择`),
  plan_package_crowd_lost: entry(
    { name: z.string().min(1) },
    ({ name }) => `定向包「${name}」所用的人群已失效，请先修改定向包`,
  ),

  /** What was wanted of a plan on its platform, and what became of it. */
  plan_creation_other: plain('「在平台新建」的设置不属于这个平台，请重新填写'),
  plan_creation_off: entry(
    { platform: PlatformCode },
    ({ platform }) => `${platformInfo(platform).name}暂不支持在平台新建计划，请关联已有计划`,
  ),
  plan_creation_missing: entry(
    { field: z.enum(keysOf(CREATION_FIELDS)) },
    ({ field }) => `请填写${CREATION_FIELDS[field]}`,
  ),
  plan_creation_bid: entry({ max: Fen }, ({ max }) => `出价应大于 0，且不超过 ${yuanOf(max)} 元`),
  plan_bid_decimals: plain('出价最多两位小数'),
  plan_creation_end_missing: plain('在该平台新建时，开始日期晚于今天则须选择结束日期'),
  plan_creation_fixed: plain('计划已在平台新建，「在平台新建」的设置不能再修改'),
  plan_creation_running: plain('平台还没有答复是否已新建，新建结束后才能改为关联已有计划或仅本地'),
  plan_start_fixed: plain('计划已在平台新建，该平台不能修改开始日期'),
  plan_package_not_live: entry(
    { name: z.string().min(1) },
    ({ name }) => `在平台新建的是直播间计划，定向包「${name}」不是直播类型，请重新选择`,
  ),
  /** A call that may have created it had no answer; it is looked for before it is made again. */
  plan_creation_unsure: plain('平台没有答复，正在核对计划是否已经建立'),
  plan_package_syncing: plain('定向包正在同步到平台，同步后继续'),
  plan_not_under_way: plain('没有需要重试的改动'),

  /** `at`: when, in epoch seconds. */
  plan_tries_again: entry(
    { at: z.int(), cause: AnyOutcome },
    ({ cause }, say) => `${say(cause)}，稍后自动重试`,
    'wait_until',
  ),
  plan_waits_for_authorisation: entry(
    { cause: AnyOutcome },
    ({ cause }, say) => `${say(cause)}；重新授权后自动继续`,
    'reauthorise',
  ),
  plan_needs_authorisation: entry(
    { cause: AnyOutcome },
    ({ cause }, say) => `${say(cause)}；请重新授权后再试`,
    'reauthorise',
  ),
  plan_gone_there: plain('平台上没有这个计划，可能已被删除，或不属于该账户'),
  plan_stopped_there: plain('在平台上已被暂停'),
  plan_runs_there: plain('在平台上仍是开启的'),
  plan_budget_is_there: entry(
    { mode: z.enum(['day', 'total', 'none']), fen: Fen.nullable() },
    ({ mode, fen }) =>
      `平台上的预算为${mode === 'none' || fen === null ? '不限' : `${mode === 'day' ? '每日' : '总共'} ${yuanOf(fen)} 元`}`,
  ),
  plan_budget_differs_there: plain('平台上的预算与这里的不同'),
  plan_name_is_there: entry({ name: z.string() }, ({ name }) => `平台上的名称已改为「${name}」`),
  plan_days_are_there: entry(
    { start: z.string().nullable(), end: z.string().nullable() },
    ({ start, end }) => `平台上的日期已改为${start === null ? '' : ` ${start} 至`} ${end ?? '长期'}`,
  ),
  plan_same_there: plain('平台上的名称与日期没有改动'),
  plan_name_unusable: entry(
    { name: z.string() },
    ({ name }) => `平台上的名称「${name}」在这里不能使用（1 到 30 个字符，不能有空格，同一活动内不可重名），请覆盖平台`,
  ),
  plan_budget_mode_fixed: plain('平台上的计划不能改变预算方式，请到平台新建计划'),
  plan_operator_missing: plain('还没有填写操作人的实名令牌，平台不接受改动'),
  plan_operator_unasked: plain('这个平台不需要实名令牌'),
  plan_still_syncing: plain('平台还没有答复，正在重试'),
  plan_not_asked: plain('平台没有答复，已停止重试'),

  compare_none: plain('请选择活动'),
  compare_too_many: entry({ max: Max }, ({ max }) => `列数不应超过${max}条`),
  products_full: entry({ max: Max }, ({ max }) => `产品最多 ${max} 个，请先删除不用的产品`),
  activity_assets_full: entry({ max: Max }, ({ max }) => `资产最多 ${max} 个，请先删除不用的资产`),
  report_days_many: entry({ max: Max }, ({ max }) => `时间范围最多 ${max} 天`),
} as const

import { z } from 'zod'
import { Seconds } from '../common.ts'
import { quotaFullWords } from '../platform.ts'
import { AnyOutcome, entry, plain } from './entry.ts'

const Account = z.string()
/** Our id of the account, for links. */
const AccountId = z.int().optional()
const Platform = z.string().min(1)
/** A label such as 手机号. */
const TypeLabel = z.string().min(1)
const Count = z.int().nonnegative()

/** Whose account a platform's answer is about; absent in outcomes of older versions. */
const AtAccount = z
  .object({ id: z.int(), account: Account, platform: Platform, code: z.string().nullable() })
  .optional()
const OWN_WORDS = new Set(['platform_refused', 'platform_gave_no_reason'])

/**
 * The account and what happened. A platform's own words are often English, or name its fields: they are left out here,
 * and stand among the push's calls. Its code is given, for its support.
 */
function ofAccount(
  { account, platform, code }: NonNullable<z.output<typeof AtAccount>>,
  cause: AnyOutcome,
  say: (cause: AnyOutcome) => string,
  happened: string,
): string {
  if (OWN_WORDS.has(cause.code)) {
    return `${platform}账户「${account}」${happened}${code ? `（平台代码 ${code}）` : ''}`
  }
  return NAMES_ACCOUNT.has(cause.code) ? `${platform}${say(cause)}` : `${platform}账户「${account}」：${say(cause)}`
}
const NAMES_ACCOUNT = new Set([
  'account_closed',
  'account_lacks_scope',
  'account_never_authorised',
  'account_without_login',
])

/** Why a push cannot begin, is waiting or ended. */
export const PUSH_OUTCOMES = {
  source_computing: plain('人群正在计算，完成后才能推送'),
  source_failed: entry({ cause: AnyOutcome }, ({ cause }, say) => `人群计算失败：${say(cause)}`),
  source_without_identifiers: plain('人群里没有标识'),
  source_without_people: plain('人群里没有人'),
  source_expired: plain('人群已失效，请先延长失效时间'),
  source_not_computed: plain('还没有计算结果，完成后才能推送'),
  source_failed_before: plain('计算失败的人群不可推送'),
  source_rule_changed: plain('人群的规则已修改，正在重新计算，完成后才能推送'),

  authorise_first: entry({ cause: AnyOutcome }, ({ cause }, say) => `${say(cause)}，请先授权`, 'reauthorise'),
  reauthorise_first: entry({ cause: AnyOutcome }, ({ cause }, say) => `${say(cause)}，请重新授权`, 'reauthorise'),
  child_quota_full: entry(
    { account: Account, account_id: AccountId, platform: Platform, capacity: Count },
    ({ account, platform, capacity }) => `${account}${quotaFullWords(platform)}（自定义人群上限 ${capacity} 个）`,
    'free_quota',
  ),
  platform_quota_full: entry(
    { account: Account, account_id: AccountId, platform: Platform, used: Count, capacity: Count },
    ({ account, platform, used, capacity }) => `${account}${quotaFullWords(platform)}（已用 ${used}/${capacity}）`,
    'free_quota',
  ),
  no_identifiers_of_types: plain('人群没有所选类型的标识'),
  /** Asked before many people are suppressed. `people`: of the advertiser's `total`. */
  suppression_asks: entry(
    { identifiers: Count, people: Count, total: Count },
    ({ identifiers, people, total }) =>
      `将加入 ${identifiers.toLocaleString('en')} 个标识，屏蔽 ${people.toLocaleString('en')} 个已有用户（共 ${total.toLocaleString('en')} 个），以后的推送不再包含他们`,
  ),
  /** Other hashes are the same on every platform. */
  oaid_hashed_in_lower_case: entry(
    { platform: Platform },
    ({ platform }) =>
      `${platform}按小写计算 OAID 的 MD5：明文先转为小写再推送；人群中已是 MD5 的按原样推送，由含大写的原值计算的匹配不到`,
  ),
  nothing_left_to_send: plain('去除屏蔽名单、不同意的人与对照组之后，没有可以发送的标识'),
  too_few_identifiers: entry(
    { sendable: Count, platform: Platform, least: Count },
    ({ sendable, platform, least }) => `可发送 ${sendable} 个标识，少于${platform}要求的 ${least} 个，平台无法计算`,
  ),
  type_not_sendable: entry({ type: TypeLabel, cause: AnyOutcome }, ({ type, cause }, say) => `${type}：${say(cause)}`),
  no_type_chosen: plain('没有选择标识类型'),
  choose_types: plain('请选择标识类型'),
  type_without_platform: plain('此数据类型没有可以推送的平台'),
  account_not_of_chosen_platform: entry({ account: Account }, ({ account }) => `账户「${account}」不属于所选平台`),
  account_of_source: plain('请选择另一个平台账户', 'choose_other_account'),
  platform_differs_from_path: plain('所选平台与请求路径中的平台不一致'),
  platform_without_audiences: plain('该平台不支持自定义人群'),

  only_changes_are_sent: plain('该账户已有此人群，本次只推送变化的部分'),
  begins_after_push_before: plain('上一次推送还没有完成，本次将在其完成后开始'),
  publishes_every: entry(
    { hours: Count, at: Seconds, when: z.string() },
    ({ hours, when }) => `平台每 ${hours} 小时只能发布一次，本次更新最早于 ${when} 生效`,
    'wait_until',
  ),
  type_left_out: entry(
    { type: TypeLabel, total: Count, cause: AnyOutcome },
    ({ type, total, cause }, say) => `${type}的 ${total} 个标识不会发送：${say(cause)}`,
  ),
  sent_in_files: entry({ files: Count }, ({ files }) => `按标识类型与平台的文件大小，分为 ${files} 个文件发送`),
  platform_quota_unread: plain('平台配额暂时未能读取，推送时平台会再检查'),
  platform_quota_refused: entry({ cause: AnyOutcome }, ({ cause }, say) => `平台配额未能读取：${say(cause)}`),

  push_waits_for_authorisation: entry(
    { cause: AnyOutcome, at_account: AtAccount },
    ({ cause, at_account: at }, say) =>
      `${at ? ofAccount(at, cause, say, '的授权已失效，或没有所需的权限') : say(cause)}；重新授权后自动继续`,
    'reauthorise',
  ),
  push_waits_to_publish: entry(
    { at: Seconds, when: z.string() },
    ({ when }) => `平台对发布次数有限制，将于 ${when} 自动发布`,
    'wait_until',
  ),
  /** A limit per day or per audience: nothing helps before `at`. */
  push_waits_until: entry(
    { at: Seconds, when: z.string(), cause: AnyOutcome, at_account: AtAccount },
    ({ when, cause, at_account: at }, say) =>
      `${at ? ofAccount(at, cause, say, '已达到平台的调用限额') : say(cause)}，将于 ${when} 自动继续`,
    'wait_until',
  ),
  /** The platform was busy or did not answer. */
  push_tries_again: entry(
    { at: Seconds, cause: AnyOutcome, at_account: AtAccount },
    ({ cause, at_account: at }, say) =>
      `${at ? ofAccount(at, cause, say, '的请求暂时没有被平台接受') : say(cause)}，稍后自动继续`,
    'wait_until',
  ),
  push_waits_for_forgetting: plain('正在删除用户，完成后继续'),
  push_waits_for_push_before: plain('等待上一次推送完成'),
  push_waits_for_file: entry({ no: Count }, ({ no }) => `平台处理第 ${no} 个文件`),
  push_waits_for_computing: plain('平台计算中'),
  push_waits_for_publication: plain('等待平台发布'),

  /** A removal of a forgotten person whose values were kept for as long as they may be. */
  removal_values_erased: plain('要移除的标识已超过保留期限，不能再发送'),
  push_refused: entry(
    { problems: z.array(AnyOutcome).min(1) },
    ({ problems }, say) => `不能推送：${problems.map(say).join('；')}`,
  ),
  push_gave_up: entry(
    { times: Count, cause: AnyOutcome },
    ({ times, cause }, say) => `${say(cause)}（已重试 ${times} 次）`,
    'retry',
  ),
  push_unexpected: plain('推送时出现意外错误，请重试；若仍然失败，请联系管理员查看服务日志', 'retry'),
  /** `unknown`: values of files that were on their way and are settled by the next push. */
  push_cancelled: entry(
    { sent: Count, values: Count, files_sent: Count, files: Count, unknown: Count, is_there: z.boolean() },
    ({ sent, values, files_sent, files, unknown, is_there }) =>
      [
        values === 0
          ? '推送已取消，还没有发送标识'
          : `推送已取消：已发送 ${sent.toLocaleString('en')} / ${values.toLocaleString('en')} 个标识（${files_sent} / ${files} 个文件）`,
        ...(unknown > 0 ? [`另有 ${unknown.toLocaleString('en')} 个标识的结果未知，再次推送时会核对`] : []),
        ...(is_there ? ['平台上的人群包仍在，可再次推送或删除'] : ['平台上还没有人群包']),
      ].join('；'),
    'retry',
  ),
  push_disk_full: plain('本机磁盘空间不足，无法准备要推送的内容；请清理磁盘', 'retry'),
  part_not_taken: entry(
    { no: Count, cause: AnyOutcome },
    ({ no, cause }, say) => `第 ${no} 个文件未被平台接收：${say(cause)}`,
  ),
  part_taken_short: entry(
    { accepted: Count, count: Count },
    ({ accepted, count }) =>
      `平台只接收了 ${accepted.toLocaleString('en')} 个标识，共 ${count.toLocaleString('en')} 个`,
  ),
  child_pushing: plain('正在推送中'),
  child_pushing_not_deletable: plain('正在推送中，请等待推送结束后再删除'),
  child_deleted: plain('子人群已删除'),
  audience_gone: plain('平台上已没有此人群，再次推送将新建', 'retry'),
} as const

import { z } from 'zod'
import { quotaFullWords } from '../platform.ts'
import { AnyOutcome, entry, plain, upgradedEntry } from './entry.ts'
import { networkCodeSentence } from './network.ts'

const Platform = z.string().min(1)
/** `HTTP 502`, or a platform's own number. */
const Code = z.string().min(1)

/** Errors that platforms answer, and why no answer came. */
export const PLATFORM_OUTCOMES = {
  /** The platform's own sentence. */
  platform_refused: entry({ text: z.string().min(1) }, ({ text }) => text),
  platform_gave_no_reason: entry(
    { code: Code.nullable() },
    ({ code }) => `平台没有说明原因${code ? `（${code}）` : ''}`,
  ),
  platform_no_answer_within: entry({ seconds: z.int() }, ({ seconds }) => `平台在 ${seconds} 秒内没有应答`),
  platform_did_not_answer: plain('平台没有回答'),
  platform_disconnected: upgradedEntry(
    { code: Code.nullable() },
    // The sentence of the code was stored before; it stands for itself.
    ({ why, code }) => ({ code: why === undefined ? code : why }),
    ({ code }) => `与平台的连接中断${code ? `（${networkCodeSentence(code)}）` : ''}`,
  ),
  platform_answer_too_large: plain('平台的应答过大，已放弃读取'),
  platform_answer_incomplete: plain('平台的应答缺少内容'),
  platform_answer_unreadable: plain('平台的应答无法识别'),
  platform_answer_without_token: plain('平台的应答缺少令牌'),
  platform_throttled: plain('平台限流'),
  platform_throttled_for_long: plain('平台限流，需要等待较长时间'),
  platform_unavailable: entry({ code: Code }, ({ code }) => `平台暂时不可用（${code}）`),
  platform_blocked_by_proxy: entry({ code: Code }, ({ code }) => `与平台的连接被拦截（${code}），请检查网络代理`),
  platform_address_wrong: entry({ code: Code }, ({ code }) => `平台地址不正确（${code}）`),
  /** A quota of the platform that has no number here. */
  platform_quota_exceeded: entry(
    {
      cause: AnyOutcome,
      account: z.string().optional(),
      account_id: z.int().optional(),
      platform: Platform.optional(),
    },
    ({ cause, account, platform }, say) =>
      account !== undefined && platform !== undefined
        ? `${account}${quotaFullWords(platform)}（平台答复：${say(cause)}）`
        : `平台拒绝：${say(cause)}；请删除部分人群，释放配额`,
    'free_quota',
  ),
  platform_not_connected: entry({ platform: Platform }, ({ platform }) => `${platform}没有接入`),

  platform_file_too_large: plain('文件超过平台的大小限制'),
  platform_file_over_limit: entry({ mb: z.int() }, ({ mb }) => `文件超过平台的 ${mb} MB 限制`),
  platform_file_failed: plain('平台处理文件失败'),
  platform_file_unparsed: plain('平台解析文件失败'),
  platform_file_missing: plain('平台上没有这个文件'),
  platform_file_before_is_processed: plain('上一个文件还在处理'),
  platform_too_many_files: entry(
    { most: z.int(), files: z.int() },
    ({ most, files }) => `一个数据源最多 ${most} 个文件，需要 ${files} 个`,
  ),
  platform_no_file_for_source: plain('没有可用于建立数据源的文件'),

  platform_audience_missing: plain('平台上没有这个人群'),
  platform_audience_deleted: plain('平台上的人群已被删除'),
  platform_audience_not_made: plain('人群还没有在平台上建立'),
  platform_source_missing: plain('平台上没有这个数据源'),
  platform_source_not_made: plain('数据源还没有在平台上建立'),
  platform_source_parsing: plain('同名的数据源正在解析，完成后才能取得它的编号'),
  platform_name_taken: plain('账户中已有同名的人群'),
  part_key_malformed: entry({ key: z.string() }, ({ key }) => `数据分片的键不合规：${key}`),
  platform_key_malformed: entry({ key: z.string() }, ({ key }) => `人群的键不合规：${key}`),
  platform_publishes_once_a_day: plain('同一人群每 24 小时只能发布一次'),
  platform_parses_before_delete: plain('平台正在解析文件，完成后才能删除'),

  platform_parsing: plain('平台正在解析文件'),
  platform_computing: plain('平台正在计算'),
  platform_waits_to_publish: plain('等待发布'),
  platform_pushing: plain('平台正在推送到账户'),
  platform_waits_to_push: plain('等待推送到账户'),
  platform_push_failed: plain('推送到账户失败，将重试'),
  platform_not_deliverable: plain('平台尚不可投放'),
  platform_voided_unused: plain('长期未使用，平台已作废'),
  platform_offline_unused: plain('长期未使用，平台已下线'),
  platform_frozen: plain('平台已冻结'),
  platform_source_crowd_withdrawn: plain('来源人群的授权已撤回，只能删除'),
  platform_tag_withdrawn: plain('依赖的标签已下线'),
  platform_system_error: plain('平台系统错误'),
  platform_seed_too_small: plain('种子人群不足 2000 个活跃用户'),
  platform_seed_without_traits: plain('种子人群没有共同特征'),
  platform_file_format_refused: plain('平台认为文件格式不正确'),
  platform_file_unreadable: plain('平台无法解析文件'),
  platform_matched_nobody: plain('没有匹配到平台用户'),
  platform_check_failed: plain('平台检查未通过'),
  platform_covers_too_few: plain('覆盖人数过少'),
  platform_expansion_failed: plain('平台扩展失败'),
  platform_compute_failed: entry(
    { code: z.int().nullable() },
    ({ code }) => `平台计算失败${code ? `（${code}）` : ''}`,
  ),

  platform_does_not_take_type: entry({ type: z.string() }, ({ type }) => `该平台不接收 ${type}`),
  platform_refuses_type: entry(
    { platform: Platform, type: z.string() },
    ({ platform, type }) => `${platform}不接收 ${type}`,
  ),
  platform_withdrew_type: entry(
    { platform: Platform, type: z.string() },
    ({ platform, type }) => `${platform}现行版本不再接收 ${type}`,
  ),
  platform_takes_only_hash: entry(
    { platform: Platform, subject: z.string(), hash: z.string() },
    ({ platform, subject, hash }) => `${platform}只接收${/^[A-Z]/.test(subject) ? ` ${subject} ` : subject}的 ${hash}`,
  ),

  platform_removal_timed_out: plain('没有在时限内答复，请稍后再试', 'retry'),
  platform_removal_unauthorised: entry(
    { cause: AnyOutcome },
    ({ cause }, say) => `${say(cause)}；请重新授权后再删除`,
    'reauthorise',
  ),

  own_disk_full: plain('本机磁盘空间不足，无法准备要发送的文件；请清理磁盘', 'retry'),
} as const

import { expect, test } from 'vitest'
import { IDENTIFIERS } from './identifier.ts'
import { actionOf, OUTCOMES, type OutcomeCode, outcome, type ParamsOf, sentenceOf, waitsUntil } from './outcome.ts'
import type { AnyOutcome } from './outcomes/entry.ts'

const account = '某公司'
const platform = '腾讯广告'
const cause = outcome('platform_refused', { text: '没有权限（11017）' })

/** Outcomes with their params and sentences. */
const EXAMPLES: { [C in OutcomeCode]?: [ParamsOf<C>, string] } = {
  legacy: [{ text: '从前的原因' }, '从前的原因'],
  fault: [{ fault: 'notFound', words: { what: '推送记录' } }, '推送记录不存在或已被删除'],
  platform_refused: [{ text: '没有权限（11017）' }, '没有权限（11017）'],
  platform_gave_no_reason: [{ code: '7' }, '平台没有说明原因（7）'],
  platform_no_answer_within: [{ seconds: 20 }, '平台在 20 秒内没有应答'],
  platform_disconnected: [{ code: 'ETIMEDOUT' }, '与平台的连接中断（连接超时）'],
  platform_unavailable: [{ code: 'HTTP 502' }, '平台暂时不可用（HTTP 502）'],
  platform_blocked_by_proxy: [{ code: 'HTTP 407' }, '与平台的连接被拦截（HTTP 407），请检查网络代理'],
  platform_address_wrong: [{ code: 'HTTP 404' }, '平台地址不正确（HTTP 404）'],
  platform_not_connected: [{ platform }, '腾讯广告没有接入'],
  platform_file_over_limit: [{ mb: 50 }, '文件超过平台的 50 MB 限制'],
  platform_too_many_files: [{ most: 200, files: 201 }, '一个数据源最多 200 个文件，需要 201 个'],
  part_key_malformed: [{ key: 'a b' }, '数据分片的键不合规：a b'],
  platform_key_malformed: [{ key: 'a b' }, '人群的键不合规：a b'],
  platform_compute_failed: [{ code: 9 }, '平台计算失败（9）'],
  platform_does_not_take_type: [{ type: 'MAC' }, '该平台不接收 MAC'],
  platform_refuses_type: [{ platform: '巨量引擎', type: 'QQ' }, '巨量引擎不接收 QQ'],
  platform_withdrew_type: [{ platform, type: 'QQ' }, '腾讯广告现行版本不再接收 QQ'],
  platform_takes_only_hash: [{ platform: '巨量引擎', subject: 'IDFA', hash: 'MD5' }, '巨量引擎只接收 IDFA 的 MD5'],
  login_lost: [
    { refresh_was_cut: true, cause },
    '上一次刷新令牌时中断，新令牌没有收到；平台不再接受原来的授权（没有权限（11017））',
  ],
  account_without_login: [{ account }, '账户「某公司」没有授权，请到「广告主授权」授权'],
  account_never_authorised: [{ account }, '账户「某公司」尚未授权'],
  account_closed: [{ account, cause: null }, '账户「某公司」的授权已失效：已撤销'],
  control_event_missing: [{ event: '支付' }, '还没有事件代表「支付」，请在「数据接入」为事件选择标准事件'],
  attribute_never_of_type: [{ type: 'number' }, '没有一个值是数字，不能改为数字'],
  attribute_not_of_type: [
    { type: 'date', unreadable: 3, all: 40 },
    '40 人中有 3 人的值不是日期，改为日期后他们只计入「有值」',
  ],
  attribute_of_files: [
    { name: '城市', files: ['会员.csv'], total: 1 },
    '属性「城市」由导入的文件「会员.csv」带来，请在「导入记录」里撤销这些导入',
  ],
  attribute_in_use: [
    { name: '城市', crowds: ['北京'], crowds_total: 1, tags: [], tags_total: 0, drafts: 0, consent: false },
    '属性「城市」正在被使用，不可删除：人群「北京」',
  ],
  field_holds_phones: [{ name: '备用电话' }, '「备用电话」的值中有手机号，您没有查看手机号的权限，不能按它的值设条件'],
  event_buys_nothing: [{}, '只有下单与支付有金额和商品数'],
  phone_as_value: [{}, '您没有查看手机号的权限，值与它的名称中不能写手机号'],
  phone_in_name: [{}, '您没有查看手机号的权限，名称中不能写手机号'],
  dictionary_too_long: [{ max: 1000 }, '值的名称最多 1000 个'],
  import_undo_waits: [
    { file: '订单.csv', is_undo: true },
    '「订单.csv」正在撤销，结束后才能算出会移除什么，请稍后再试',
  ],
  import_name_twice: [{ name: '性别' }, '两列都存为属性「性别」，请改用不同的名称'],
  value_not_of_type: [{ column: '年龄', type: 'number' }, '「年龄」的值不是数字，只计入「有值」'],
  value_unlike_others: [{ column: '年龄', type: 'number' }, '「年龄」多数是数字，这些值不是，整列按文字处理'],
  account_lacks_scope: [
    { account, scope: ['audience_management', 'dmp'] },
    '账户「某公司」没有人群管理权限（audience_management、dmp），请重新授权并勾选该权限',
  ],
  account_of_other_platform: [{ account, platform }, '账户「某公司」不是腾讯广告的账户'],
  oauth_cancelled: [{ platform }, '您在腾讯广告的授权页上取消了授权'],
  oauth_without_accounts: [{ platform }, '这个腾讯广告登录下没有可以授权的账户'],
  oauth_timed_out: [{ platform }, '腾讯广告没有及时回答，请稍后重新授权'],
  oauth_code_used: [{ cause }, '授权码已失效或已被使用（没有权限（11017）），请重新授权'],
  oauth_no_answer: [{ platform, cause }, '腾讯广告暂时没有回答（没有权限（11017）），请稍后重新授权'],
  oauth_misconfigured: [{ platform, cause }, '腾讯广告的应用设置有误（没有权限（11017）），请联系管理员'],
  oauth_refused: [{ platform, cause }, '腾讯广告拒绝了授权：没有权限（11017）'],
  platform_needs_settings: [{ platform }, '腾讯广告没有接入：请管理员设置平台地址、应用 ID 与密钥后重新启动'],
  source_failed: [{ cause }, '人群计算失败：没有权限（11017）'],
  authorise_first: [{ cause: outcome('account_never_authorised', { account }) }, '账户「某公司」尚未授权，请先授权'],
  reauthorise_first: [
    { cause: outcome('account_closed', { account, cause: outcome('authorisation_expired') }) },
    '账户「某公司」的授权已失效：授权已到期，请重新授权',
  ],
  child_quota_full: [
    { account, platform, capacity: 500 },
    '某公司的腾讯广告自定义人群配额已达上限，请删除部分人群，释放配额。（自定义人群上限 500 个）',
  ],
  platform_quota_full: [
    { account, platform, used: 2000, capacity: 2000 },
    '某公司的腾讯广告自定义人群配额已达上限，请删除部分人群，释放配额。（已用 2000/2000）',
  ],
  oaid_hashed_in_lower_case: [
    { platform: '巨量引擎' },
    '巨量引擎按小写计算 OAID 的 MD5：明文先转为小写再推送；人群中已是 MD5 的按原样推送，由含大写的原值计算的匹配不到',
  ],
  too_few_identifiers: [
    { sendable: 3, platform: '巨量引擎', least: 5 },
    '可发送 3 个标识，少于巨量引擎要求的 5 个，平台无法计算',
  ],
  type_not_sendable: [{ type: 'MAC', cause }, 'MAC：没有权限（11017）'],
  publishes_every: [
    { hours: 24, at: 1, when: '2026-01-02 03:04' },
    '平台每 24 小时只能发布一次，本次更新最早于 2026-01-02 03:04 生效',
  ],
  type_left_out: [{ type: 'MAC', total: 4, cause }, 'MAC的 4 个标识不会发送：没有权限（11017）'],
  sent_in_files: [{ files: 2 }, '按标识类型与平台的文件大小，分为 2 个文件发送'],
  platform_quota_refused: [{ cause }, '平台配额未能读取：没有权限（11017）'],
  push_waits_for_authorisation: [
    { cause: outcome('account_closed', { account, cause: null }) },
    '账户「某公司」的授权已失效：已撤销；重新授权后自动继续',
  ],
  push_waits_to_publish: [{ at: 1, when: '2026-01-02 03:04' }, '平台对发布次数有限制，将于 2026-01-02 03:04 自动发布'],
  file_unreadable: [{ text: '压缩包已损坏' }, '压缩包已损坏'],
  crowd_files_unreadable: [
    { files: [{ name: 'a.txt', cause: outcome('file_empty') }], total: 4 },
    'a.txt：文件中没有内容 等 4 个文件',
  ],
  file_not_utf8: [{ line: 3 }, '文件不是 UTF-8 编码（第 3 行），请更改编码，或另存为 UTF-8 后导入'],
  file_not_in_encoding: [
    { in_archive: 'b.txt', line: 1234, encoding: 'gb18030' },
    '压缩包内的「b.txt」第 1,234 行不是有效的 GBK 文本，请更改编码，或另存为 UTF-8 后重新上传',
  ],
  file_line_not_utf8: [
    { in_archive: 'b.txt', line: 1234, encoding: 'GBK' },
    '压缩包内的「b.txt」第 1,234 行不是 UTF-8 编码（可能是 GBK），请另存为 UTF-8 后重新上传',
  ],
  file_is_binary: [
    { in_archive: null, format: 'excel_97' },
    '文件内容是 Excel 97-2003 工作簿，不是文本，请另存为 UTF-8 的 txt 或 csv 后重新上传',
  ],
  file_too_dense: [{ times: 100 }, '压缩比超过 100 倍，可能是压缩炸弹，已停止解压'],
  file_too_many_columns: [{ max: 1000 }, '列数超过 1000'],
  file_column_repeated: [{ name: '城市' }, '列名「城市」重复'],
  file_column_unusable: [{ name: '城 市' }, '列名「城 市」不能使用，请改名后导入'],
  file_column_too_long: [{ name: '很长的列名', max: 200 }, '列名「很长的列名…」超过 200 个字符'],
  preview_out_of_memory: [{ mb: 512 }, '前几行内容过大，预览需要的内存超过 512 MB'],
  preview_timed_out: [{ seconds: 60 }, '文件过大或过于复杂，60 秒内没有读出前几行'],
  archive_unpacks_too_large: [{ gb: 5 }, '解压后的内容超过 5 GB，请拆分后分别新建人群'],
  archive_too_many_files: [{ files: 1001, max: 1000 }, '压缩包内有 1,001 个文件，最多 1000 个'],
  archive_in_archive: [{ name: 'b.zip' }, '压缩包内不能再有压缩包（b.zip）'],
  archive_file_not_text: [{ name: 'b.xlsx' }, '压缩包内的「b.xlsx」不是 txt、text 或 csv 文件'],
  archive_file_packed_otherwise: [
    { name: 'b.txt' },
    '压缩包内的「b.txt」使用了不支持的压缩方式，请以普通 zip 重新压缩',
  ],
  row_ragged: [{ has: 3, wants: 2 }, '列数与首行不一致：有 3 列，应为 2 列'],
  import_column_missing: [{ name: 'uid', columns: ['id', 'city'], more: true }, '文件中没有列「uid」，有：id、city 等'],
  import_too_many_attributes: [{ max: 1000 }, '属性超过 1000 个，请用 --skip 去掉不需要的列'],
  import_too_many_events: [{ max: 10_000 }, '事件名超过 10000 种，请检查事件列'],
  row_id_too_long: [{ bytes: 512 }, '用户 ID 超过 512 字节'],
  row_event_too_long: [{ max: 200 }, '事件名超过 200 个字符'],
  identifier_not_stored: [{ type: 'MOBILE_PHONE' }, '手机号格式不正确，未作为标识保存'],
  input_refused: [{ text: '参数「name」不能缺少' }, '参数「name」不能缺少'],
  tokens_full: [{ max: 50 }, '每人最多 50 个令牌'],
  embed_origin_unknown: [
    { origins: ['https://a.test', 'https://b.test'] },
    'origin 要写成 EMBED_ORIGINS 中的一个：https://a.test、https://b.test',
  ],
  suppression_asks: [
    { identifiers: 1200, people: 1100, total: 50_000 },
    '将加入 1,200 个标识，屏蔽 1,100 个已有用户（共 50,000 个），以后的推送不再包含他们',
  ],
  consent_attribute_unknown: [{ attribute: '同意' }, '属性「同意」不存在，请先接入数据'],
  upload_quota_used: [{ gb: 20 }, '未使用的上传（人群文件与导入文件合计）不能超过 20 GB，请先提交、导入或删除其中一些'],
  upload_name_too_long: [{ max: 255 }, '文件名不能超过 255 个字符'],
  upload_too_large: [{ mb: 50 }, '单个文件大小不能超过 50M'],
  upload_too_many_files: [{ max: 20 }, '最多上传 20 个文件'],
  upload_total_too_large: [{ mb: 1000 }, '可上传文件总大小不能超过1000M'],
  upload_listed_already: [{ name: 'a.txt' }, '「a.txt」已在列表中'],
  upload_refused_once_hashed: [
    { cause: outcome('upload_too_large', { mb: 50 }) },
    '加密后单个文件大小不能超过 50M，请拆分文件',
  ],
  upload_used_already: [{ name: 'a.txt' }, '文件「a.txt」已提交过，请重新上传'],
  crowd_not_editable: [{ status: 'computing' }, '计算中的人群不可编辑'],
  crowd_not_editable_for_child: [{ child: '巨量账户' }, '子人群「巨量账户」正在计算中，不可编辑'],
  export_column_unknown: [{ column: 'salary' }, '没有可以导出的列「salary」，请重新选择列'],
  export_tags_too_many: [
    { count: 3000, max: 2000 },
    '所选的分类共有 3000 个标签，一次最多导出 2000 个，请少选几个分类',
  ],
  crowd_has_children: [{ count: 2 }, '在平台账户下还有 2 个子人群，请先删除子人群'],
  account_not_of_chosen_platform: [{ account }, '账户「某公司」不属于所选平台'],
  platform_removal_unauthorised: [{ cause }, '没有权限（11017）；请重新授权后再删除'],
  tag_end_not_number: [{ end: '一' }, '「一」不是数字'],
  tag_end_too_large: [{ end: '1e66' }, '「1e66」太大，请填写较小的数'],
  tag_days_out: [{ max: 3650 }, '天数应在 1 到 3650 之间'],
  tag_times_out: [{ max: 100 }, '至少和至多应是 1 到 100 的整数'],
  tag_measure_without_times: [{ label: '合计' }, '按合计统计时不填次数'],
  tag_end_not_date: [{ end: '一' }, '「一」不是日期，请写成 YYYY-MM-DD 或 YYYY-MM-DD HH:MM:SS'],
  line_malformed_phone: [{ type: 'HASH_MOBILE_PHONE' }, '不是 11 位手机号，也不是 MD5'],
  line_malformed: [{ type: 'HASH_OAID' }, IDENTIFIERS.HASH_OAID.wants],
  webhook_no_answer_within: [{ seconds: 8 }, '对方在 8 秒内没有答复'],
  webhook_disconnected: [
    {
      errors: [
        { code: 'ECONNREFUSED', text: 'connect ECONNREFUSED ::1:80' },
        { code: null, text: 'socket hang up' },
      ],
    },
    '连接失败：那里没有程序在监听；socket hang up',
  ],
  track_message_too_long: [{ kb: 32 }, '消息超过 32 KB'],
  track_flattened_too_long: [{ kb: 64 }, '属性展开后（每个值带上各级属性名）超过 64 KB'],
  track_too_many_properties: [{ max: 1000 }, '一条消息的属性超过 1000 个'],
  track_kind_unknown: [{ kind: 'delete' }, '不认识的消息类型「delete」'],
  track_id_reserved: [{ prefix: 'anon:' }, 'userId 不能以 anon: 开头，它是匿名 ID 专用的'],
  track_message_id_too_long: [{ max: 200 }, 'messageId 超过 200 个字符'],
  track_name_too_long: [{ max: 200 }, '属性名超过 200 个字符'],
  track_batch_too_many: [{ max: 1000 }, '一次最多 1000 条消息'],
  track_call_too_large: [{ kb: 500 }, '整次请求超过 500 KB（压缩的按解压后计）'],
  track_too_fast: [{ max: 20_000 }, '这个密钥每秒最多接收 20000 条消息，请稍后重试'],
  track_device_links_full: [
    { max: 1000 },
    '这个匿名 ID 所属的用户已变更 1000 次，不再变更，消息没有把它关联到新的用户',
  ],
  track_properties_full: [{ max: 1000 }, '事件属性超过 1000 种：其余的随事件保存，但不能用于标签'],
  track_attributes_full: [{ max: 1000 }, '用户属性超过 1000 种，其余的没有保存'],
  track_page_attributes_full: [{ max: 490 }, '用户属性已有 490 种，公开的网页密钥不能再增加，其余的没有保存'],
  track_events_full: [{ max: 10_000 }, '事件名超过 10000 种：其余的已保存，但不能用于标签'],
  webhook_status: [{ status: 500, text: 'out of order' }, '对方答复 HTTP 500：out of order'],
  webhook_refused: [{ text: 'invalid webhook url' }, '对方拒绝：invalid webhook url'],
  webhook_answer_unreadable: [{ text: '<html>' }, '对方的答复无法识别：<html>'],
  history_crowd_expired: [{ name: '老客' }, '引用的历史人群「老客」已失效，请移除或延长其失效时间'],
  history_crowd_failed: [{ name: '老客', cause }, '引用的历史人群「老客」计算失败：没有权限（11017）'],
  tag_field_missing: [{ what: 'attribute', name: '城市' }, '属性「城市」不存在，请修改定义或接入数据'],
  push_waits_until: [
    { at: 1, when: '2026-01-02 03:04', cause: outcome('platform_publishes_once_a_day') },
    '同一人群每 24 小时只能发布一次，将于 2026-01-02 03:04 自动继续',
  ],
  push_tries_again: [{ at: 1, cause: outcome('platform_throttled') }, '平台限流，稍后自动继续'],
  push_cancelled: [
    { sent: 200, values: 300, files_sent: 2, files: 3, unknown: 100, is_there: true },
    '推送已取消：已发送 200 / 300 个标识（2 / 3 个文件）；另有 100 个标识的结果未知，再次推送时会核对；平台上的人群包仍在，可再次推送或删除',
  ],
  push_waits_for_file: [{ no: 2 }, '平台处理第 2 个文件'],
  platform_quota_exceeded: [
    { account, platform, cause },
    '某公司的腾讯广告自定义人群配额已达上限，请删除部分人群，释放配额。（平台答复：没有权限（11017））',
  ],
  input_not_text: [{ field: 'name' }, '参数「name」中有无法保存的字符'],
  input_too_deep: [{ max: 200 }, '请求内容嵌套层数过多，最多 200 层'],
  upload_header_wrong: [{ header: 'Upload-Length' }, '上传协议的请求头 Upload-Length 缺少或不正确'],
  input_unknown_keys: [{ keys: ['a', 'files.0.b'] }, '请求内容中有不认识的参数：「a」、「files.0.b」'],
  input_spellings_differ: [{ keys: ['dir_id', 'id'] }, '「dir_id」与「id」是同一个参数，值不一致'],
  crowd_type_fixed: [{ type: 'QQ' }, '人群的数据类型是 QQ，不能修改'],
  task_retries_after: [{ seconds: 10, at: 1, is_disk_full: true }, '服务器的磁盘空间不足，10 秒后自动重试'],
  push_refused: [{ problems: [cause, outcome('no_type_chosen')] }, '不能推送：没有权限（11017）；没有选择标识类型'],
  push_gave_up: [{ times: 30, cause }, '没有权限（11017）（已重试 30 次）'],
  part_not_taken: [{ no: 2, cause }, '第 2 个文件未被平台接收：没有权限（11017）'],
  targeting_tab_check: [{ tab: 'special' }, '请检查特殊定向'],
  targeting_quota_full: [
    { account, platform: '巨量引擎' },
    '某公司的巨量人群资产配额已达上限，请删除部分定向包，释放配额，以免影响广告投放。',
  ],
  targeting_scope_missing: [
    { account: '某店', platform: 2, scopes: ['all'] },
    '账户「某店」没有定向包所需的权限（全部权限），请到「广告主授权」重新授权',
  ],
  estimate_scope_missing: [
    { account: '某店', platform: 1, scopes: ['ads_management'] },
    '账户「某店」没有预估所需的权限（广告投放），请到「广告主授权」重新授权',
  ],
  targeting_waits_for_authorisation: [{ cause }, '没有权限（11017）；重新授权后自动继续同步'],
  targeting_tries_again: [{ at: 1, cause: outcome('platform_throttled') }, '平台限流，稍后自动重试'],
  targeting_deletion_refused: [{ cause }, '平台没有删除此定向包：没有权限（11017）'],
  targeting_too_large: [{ kb: 256 }, '定向内容不能超过 256 KB，请减少选择'],
  targeting_templates_full: [{ max: 200 }, '模板最多 200 个，请先删除不用的模板'],
  region_plans_full: [{ max: 200 }, '地域包最多 200 个，请先删除不用的地域包'],
  region_plan_unknown: [{ ids: ['7', '8'], count: 2 }, '平台的地域列表中没有 7、8，请移除后再保存'],
  region_plans_in_package: [{ max: 50 }, '一个定向包最多选择 50 个地域包'],
  copy_radius_bounded: [{ min: 3000, max: 15_000 }, '目标平台的半径为 3000 到 15000 米'],
  targeting_picker_full: [{ field: 'user_aweme_fan', max: 30 }, '达人分类和抖音达人最多选择30项'],
  estimate_goal_missing: [{ needs: ['external_action', 'aweme_id'] }, '预估前请先设置转化目标、抖音号 ID'],
  estimate_unsupported: [{ cause }, '暂不支持人群预估：没有权限（11017）'],
  estimate_unavailable: [{ field: 'new_customer' }, '平台的预估不支持所选的新客'],
  targeting_filter_unknown: [{ type: 'REGION', field: 'query_word' }, '查询地域时不能按「query_word」筛选'],
  targeting_filter_wrong: [{ field: 'action_days' }, '筛选条件「action_days」的值不正确，或写了两次'],
  targeting_filter_one: [{ fields: ['query_word', 'ids'] }, '筛选条件「query_word」、「ids」要写且只能写一个'],
  targeting_choice_ruled_out: [{ field: 'device_brand', code: 'APPLE' }, '手机品牌「苹果」与其他选择不能同时使用'],
  targeting_open_target_unrestricted: [{ target: 'AGE' }, '年龄没有限定，不能作为可开放定向'],
  targeting_reach_expanded: [
    { targets: ['AGE', 'REGION'], estimate: 'ignored' },
    '智能放量已开放年龄、地域：投放时可能触达所选范围以外的人，平台的预估不计这部分',
  ],
  targeting_fields_withdrawn: [{ fields: ['career', 'action_scene'] }, '平台已停用职业状态、行为场景，不会发送给平台'],
  social_tab_incomplete: [{ tab: 'conversion' }, '排除已转化未填写完整'],
  social_dimension_empty: [{ field: 'education' }, '请选择学历'],
  social_picker_full: [{ field: 'intention', max: 350 }, '意向最多选择350项'],
  social_location_type_ruled_out: [{ code: 'TRAVEL_IN' }, '选择商圈与地点时，地点类型不能是「旅行」'],
  social_fields_withdrawn: [{ fields: ['intention', 'working_status'] }, '平台已停用意向、工作状态，不会发送给平台'],
  social_over_sending_limit: [
    { fields: ['regions'], max: 400, count: 401 },
    '地域共 401 项，平台一次最多接受 400 项，投放前请减少选择',
  ],
  report_rows_unlinked: [{}, '没有活动的计划与它们的「平台账户 ID + 平台计划 ID」相同：已存入，关联计划后才会显示'],
  report_rows_doubled: [{}, '同一天、同一计划还有另一份数据，一份写了平台账户、一份没有：两份会相加，请撤销其中一份'],
  report_rows_alike: [{}, '完全相同的行：会相加，请确认不是重复粘贴的'],
  report_rows_gone: [
    {},
    '此前存入、同一天同一账户而这次没有存入的行（文件里没有，或被拒绝）：整天替换后不再计入；撤销这次导入即恢复',
  ],
  report_metrics_gone: [
    { labels: ['转化数', '支付订单金额'] },
    '此前存入的行有「转化数」「支付订单金额」，而这个文件没有：整天替换后不再计入；撤销这次导入即恢复',
  ],
  import_metric_twice: [{ label: '消耗' }, '两列都是「消耗」，请只保留一列'],
  row_key_too_long: [{ max: 200 }, '活动、计划或账户超过 200 个字符'],
  row_metric_unreadable: [{ column: '花费', unit: 'micros' }, '「花费」不是金额'],
  row_metric_negative: [{ column: '花费' }, '「花费」是负数'],
  row_metric_too_large: [{ column: '花费' }, '「花费」超过上限'],
  part_taken_short: [{ accepted: 8, count: 9 }, '平台只接收了 8 个标识，共 9 个'],
  activity_problems: [
    {
      problems: [
        { code: 'plan_account_missing', params: {} },
        { code: 'plan_budget_missing', params: {} },
      ],
    },
    '请选择投放账户；请输入预算',
  ],
  plan_fault: [{ plan: '拉新', cause: { code: 'plan_account_missing', params: {} } }, '计划「拉新」：请选择投放账户'],
  plan_waits_for_authorisation: [
    { cause: { code: 'authorisation_revoked', params: {} } },
    '授权已撤销；重新授权后自动继续',
  ],
  plan_needs_authorisation: [{ cause: { code: 'authorisation_revoked', params: {} } }, '授权已撤销；请重新授权后再试'],
  plan_twice: [{ id: 7, plan: '拉新' }, '计划「拉新」的 ID 7 前面已经有了，一次保存里每个计划只能有一项'],
  plan_name_twice: [{ name: '拉新' }, '有两个计划叫「拉新」，请换一个名称'],
  plan_linked_twice: [{ plan_id: '17' }, '平台计划 17 被两个计划关联，数据会重复计算，请只保留一个'],
  plan_linked_elsewhere: [{ plan_id: '17', activity: '双11' }, '平台计划 17 已被活动「双11」的计划关联'],
  plan_budget_mode: [{ platform: 3, mode: 'none' }, '巨量千川的计划需要填写预算'],
  plan_budget_bounds: [{ min: 30_000, max: 999_999_999 }, '预算应在 300 到 9,999,999.99 元之间'],
  plan_budget_there: [
    { platform: 1, min: 5000, max: 400_000_000 },
    '腾讯广告接受的预算为 50 到 4,000,000 元，超出时平台会拒绝',
  ],
  plan_name_is_there: [{ name: '拉新二' }, '平台上的名称已改为「拉新二」'],
  plan_days_are_there: [{ start: '2026-11-01', end: null }, '平台上的日期已改为 2026-11-01 至 长期'],
  plan_name_unusable: [
    { name: '拉 新' },
    '平台上的名称「拉 新」在这里不能使用（1 到 30 个字符，不能有空格，同一活动内不可重名），请覆盖平台',
  ],
  plan_budget_is_there: [{ mode: 'day', fen: 70_000 }, '平台上的预算为每日 700 元'],
  plan_budget_differs_there: [{}, '平台上的预算与这里的不同'],
  plan_creation_off: [{ platform: 3 }, '巨量千川暂不支持在平台新建计划，请关联已有计划'],
  plan_creation_missing: [{ field: 'aweme_id' }, '请填写抖音号 ID'],
  plan_creation_bid: [{ max: 1_000_000 }, '出价应大于 0，且不超过 10,000 元'],
  plan_package_not_live: [{ name: '春季' }, '在平台新建的是直播间计划，定向包「春季」不是直播类型，请重新选择'],
  plan_crowds_none_there: [{ platform: 3 }, '巨量千川的计划不能使用自定义人群，请选择定向包'],
  plan_crowds_many: [{ max: 200 }, '一个计划最多选择 200 个人群'],
  plan_crowd_unusable: [{ crowd: '老客' }, '人群「老客」在该账户下不可用，请重新选择'],
  plan_package_expired: [{ name: '春季' }, '定向包「春季」已失效，请延长或重新选择'],
  plan_package_crowd_lost: [{ name: '春季' }, '定向包「春季」所用的人群已失效，请先修改定向包'],
  compare_too_many: [{ max: 11 }, '列数不应超过11条'],
  products_full: [{ max: 500 }, '产品最多 500 个，请先删除不用的产品'],
  activity_assets_full: [{ max: 200 }, '资产最多 200 个，请先删除不用的资产'],
  report_sums_differ: [
    { date: '2026-11-27', metric: '消耗' },
    '2026-11-27 各计划的「消耗」之和与账户的合计不一致，没有保存',
  ],
  report_day_rest: [
    { date: '2026-11-27', metrics: ['转化数', '点赞数'], days: 3 },
    '2026-11-27 等 3 天，账户有一部分「转化数」「点赞数」不属于任何一个计划，不计入活动：平台没有列出它们的计划，例如当天没有曝光的',
  ],
  report_rows_many: [{ date: '2026-11-27', max: 10_000 }, '2026-11-27 的数据超过 10000 行，平台的报表接口无法读取'],
  report_waits_for_authorisation: [
    { cause: outcome('authorisation_expired') },
    '授权已到期；重新授权后会自动补齐缺少的日期',
  ],
  report_day_unsynced: [{ accounts: ['甲', '乙'] }, '账户「甲」、账户「乙」这天的报表还没有同步完整'],
  report_day_corrected: [
    { plan: '计划一', metric: '消耗', before: '12.30', after: '12.10', others: 2 },
    '平台修正了计划「计划一」的「消耗」：12.30 → 12.10，另有 2 个计划',
  ],
  report_day_refused: [
    {
      ...{ account: '甲', is_kept: true, others: 1 },
      cause: outcome('report_rows_many', { date: '2026-11-27', max: 10_000 }),
    },
    '账户「甲」：2026-11-27 的数据超过 10000 行，平台的报表接口无法读取，显示的是之前读取的数据；另有 1 个账户没有同步完整',
  ],
  report_day_jump: [
    {
      jumps: [
        { metric: '消耗', value: '900.00 元', usual: '120.00 元' },
        { metric: '点击量', value: '3,000', usual: '500' },
      ],
    },
    '消耗 900.00 元，前 7 天的中位数是 120.00 元；点击量 3,000，前 7 天的中位数是 500',
  ],
  plan_tries_again: [{ at: 1, cause: outcome('platform_throttled') }, '平台限流，稍后自动重试'],
  report_tries_again: [{ at: 1, cause: outcome('platform_throttled') }, '平台限流，稍后自动重试'],
  report_days_many: [{ max: 366 }, '时间范围最多 366 天'],
}
const CODES = Object.keys(OUTCOMES) as OutcomeCode[]
/** One outcome of each code. */
const every = CODES.map((code): AnyOutcome => ({ code, params: EXAMPLES[code]?.[0] ?? {} }))

test.each(Object.entries(EXAMPLES))('the sentence of %s contains its params', (code, [params, sentence]) => {
  expect(sentenceOf({ code, params })).toBe(sentence)
})

test.each<[AnyOutcome, string]>([
  [{ code: 'row_metric_unreadable', params: { column: '点击', unit: 'whole' } }, '「点击」不是整数'],
  [{ code: 'platform_disconnected', params: { why: '连接超时' } }, '与平台的连接中断（连接超时）'],
  [{ code: 'platform_disconnected', params: { why: 'UND_ERR_OTHER' } }, '与平台的连接中断（UND_ERR_OTHER）'],
  [{ code: 'platform_disconnected', params: { why: null } }, '与平台的连接中断'],
  [{ code: 'webhook_disconnected', params: { why: '连接超时（ETIMEDOUT）' } }, '连接失败：连接超时（ETIMEDOUT）'],
  [
    { code: 'account_lacks_scope', params: { account, scope: 'ads、dmp' } },
    '账户「某公司」没有人群管理权限（ads、dmp），请重新授权并勾选该权限',
  ],
  [{ code: 'tag_field_missing', params: { what: '事件', name: '下单' } }, '事件「下单」不存在，请修改定义或接入数据'],
])('params stored by an earlier version still make a sentence: %j', (stored, sentence) => {
  expect(sentenceOf(stored)).toBe(sentence)
})

test('the sentence of a refusal of the API contains the sentence of its cause', () => {
  const refused = outcome('fault', { fault: 'platformRefused', words: { platform }, cause })
  expect(sentenceOf(refused)).toBe('腾讯广告没有完成此操作：没有权限（11017）')
})

test.each(every)('the sentence of $code has no missing values', (one) => {
  const read = OUTCOMES[one.code as OutcomeCode].params.safeParse(one.params)
  expect(read.success, 'a code with params needs a row in EXAMPLES').toBe(true)
  expect(sentenceOf(one)).not.toMatch(/^$|undefined|null|\[object|[{}]|原因未知/)
  // As read back from Postgres.
  expect(sentenceOf(JSON.parse(JSON.stringify(one)))).toBe(sentenceOf(one))
})

const entry = '压缩包内的「b.txt」'
test.each([
  [outcome('file_not_utf8', { line: null }), '文件不是 UTF-8 编码，请更改编码，或另存为 UTF-8 后导入'],
  [
    outcome('file_line_not_utf8', { in_archive: null, line: 1, encoding: 'UTF-16' }),
    '第 1 行不是 UTF-8 编码（可能是 UTF-16），请另存为 UTF-8 后重新上传',
  ],
  ...(
    [
      ['zip', '压缩包或 Excel 工作簿'],
      ['gzip', ' gzip 压缩文件'],
      ['rar', ' RAR 压缩包'],
      ['seven_zip', ' 7z 压缩包'],
    ] as const
  ).map(([format, label]): [AnyOutcome, string] => [
    outcome('file_is_binary', { in_archive: 'b.txt', format }),
    `${entry}内容是${label}，不是文本，请另存为 UTF-8 的 txt 或 csv 后重新上传`,
  ]),
  [outcome('import_column_missing', { name: 'uid', columns: ['id'], more: false }), '文件中没有列「uid」，有：id'],
  [outcome('identifier_not_stored', { type: 'IDFA' }), 'IDFA格式不正确，未作为标识保存'],
  [outcome('row_too_long'), '单行超过 1 MB'],
])('the sentence of a file names what is wrong: %j', (one, sentence) => {
  expect(sentenceOf(one)).toBe(sentence)
})

test.each([
  { code: 'of_a_newer_version', params: {} },
  { code: 'toString', params: {} },
  { code: 'legacy', params: {} },
])('an unreadable outcome still has a sentence: $code', (one) => {
  expect(sentenceOf(one)).toBe('原因未知，请联系管理员查看服务日志')
  expect(actionOf(one)).toBeNull()
})

test('an outcome that asks to wait says until when', () => {
  const waiting = CODES.filter((code) => OUTCOMES[code].action === 'wait_until')
  expect(waiting).not.toEqual([])
  for (const code of waiting) expect(EXAMPLES[code]?.[0]).toHaveProperty('at')
})

test('an outcome has the action of its cause unless it names its own', () => {
  const closed = outcome('account_closed', { account, cause: null })
  expect(actionOf(outcome('push_waits_for_authorisation', { cause: closed }))).toBe('reauthorise')
  expect(actionOf(outcome('push_refused', { problems: [outcome('no_type_chosen'), closed] }))).toBe('reauthorise')
  expect(actionOf(outcome('fault', { fault: 'pushRefused', words: {}, cause: closed }))).toBe('reauthorise')
  expect(actionOf(outcome('push_gave_up', { times: 30, cause: closed }))).toBe('retry')
  expect(actionOf(outcome('child_quota_full', { account, platform, capacity: 500 }))).toBe('free_quota')
  expect(actionOf(outcome('account_of_other_platform', { account, platform }))).toBe('choose_other_account')
  expect(actionOf(outcome('push_waits_to_publish', { at: 1, when: '明天' }))).toBe('wait_until')
  expect(actionOf(outcome('legacy', { text: '请重新授权' }))).toBeNull()
})

test('a wait ends at the time of the outcome that asks for it', () => {
  const waiting = outcome('push_waits_until', { at: 7, when: '明天', cause })
  expect(waitsUntil(outcome('push_refused', { problems: [cause, waiting] }))).toBe(7)
  expect(waitsUntil(outcome('push_gave_up', { times: 30, cause: waiting }))).toBeNull()
  expect(waitsUntil(cause)).toBeNull()
})

test.each([
  [
    outcome('push_waits_for_authorisation', {
      cause: outcome('platform_refused', { text: 'access_token为空或不正确（11000）' }),
      at_account: { id: 4, account, platform, code: '11000' },
    }),
    '腾讯广告账户「某公司」的授权已失效，或没有所需的权限（平台代码 11000）；重新授权后自动继续',
  ],
  [
    outcome('push_waits_for_authorisation', {
      cause: outcome('account_closed', { account, cause: null }),
      at_account: { id: 4, account, platform, code: null },
    }),
    '腾讯广告账户「某公司」的授权已失效：已撤销；重新授权后自动继续',
  ],
  [
    outcome('push_waits_until', {
      at: 1,
      when: '2026-01-02 03:04',
      cause: outcome('platform_refused', { text: 'quotaType: DAY_QUOTA（11018）' }),
      at_account: { id: 4, account, platform, code: '11018' },
    }),
    '腾讯广告账户「某公司」已达到平台的调用限额（平台代码 11018），将于 2026-01-02 03:04 自动继续',
  ],
  [
    outcome('push_tries_again', {
      at: 1,
      cause: outcome('platform_throttled'),
      at_account: { id: 4, account, platform, code: null },
    }),
    '腾讯广告账户「某公司」：平台限流，稍后自动继续',
  ],
])('a pause names the account, and not the words of the platform: $code', (one, sentence) => {
  expect(sentenceOf(one)).toBe(sentence)
})

test('an account of the video engine without room is told in the specification’s sentence', () => {
  const sentence = '某公司的巨量人群资产配额已达上限，请删除部分定向包，释放配额，以免影响广告投放。'
  const full = { account: '某公司', platform: '巨量引擎', capacity: 400 }
  expect(sentenceOf(outcome('child_quota_full', full))).toBe(`${sentence}（自定义人群上限 400 个）`)
  // As stored before the account was named.
  const cause = outcome('platform_refused', { text: '超限' })
  const earlier = { code: 'platform_quota_exceeded', params: { cause } }
  expect(sentenceOf(earlier)).toBe('平台拒绝：超限；请删除部分人群，释放配额')
  expect(sentenceOf(outcome('platform_quota_full', { ...full, used: 400 }))).toBe(`${sentence}（已用 400/400）`)
})

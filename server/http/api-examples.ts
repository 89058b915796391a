import { VALUE_KEYS } from '#contract/activity/columns.ts'
import { metricOf } from '#contract/activity/metrics.ts'
import { isTrendKey } from '#contract/activity/trends.ts'

/** The parts of a JSON schema that say which values it accepts. */
interface Schema {
  description?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  $ref?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  examples?: unknown[]
}

/**
 * What a property or parameter may hold, by its name, for the API document. A name that stands for several things has
 * several values: a place shows the first that its schema accepts.
 */
export const EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  ...shared(12, ['advId', 'advertiser_id', 'account_id', 'first_adv_id', 'crowd_id', 'people_id']),
  ...shared(31, [
    'rId',
    'child_id',
    'cnt_id',
    'category_id',
    'import_id',
    'push_id',
    'task_id',
    'retry_task_id',
    'except',
  ]),
  ...shared(3, ['dirId', 'local_dir_id', 'parent_id', 'parentId', 'creatorId', 'viewer_id', 'part', 'no', 'computing']),
  ...shared(1, ['page', 'restored_from', 'ver', 'cnt_type', 'selectPt', 'tag_type', 'op_type', 'auth_type']),
  ...shared(20, ['page_size', 'per_page', 'most', 'max']),
  ...shared(1_763_654_400, [
    'createTime',
    'computedAt',
    'counted_at',
    'pushed_at',
    'mirrored_at',
    'synced_at',
    'plans_read_at',
    'failed_at',
    'read_at',
    'added_at',
    'started_at',
    'at',
  ]),
  ...shared(1_763_654_400, [
    'asked_at',
    'authorised_at',
    'deleted_at',
    'finished_at',
    'happened_at',
    'last_at',
    'last_seen',
    'received_at',
  ]),
  ...shared(1_764_259_199, ['invalidTime', 'invalid_time', 'expires_at', 'until', 'next_at', 'nextAt', 'last_used']),
  ...shared(183_204, [
    'count',
    'user_count',
    'magnitude',
    'cover_num',
    'approximate_count',
    'covered',
    'accepted',
    'people',
    'size',
    'sent',
    'total',
  ]),
  ...shared(183_204, [
    'adds',
    'identifiers',
    'matched',
    'rows',
    'lines',
    'line_count',
    'valid',
    'valid_count',
    'stored',
  ]),
  ...shared(183_204, ['sendable', 'unique', 'used']),
  ...shared(42, [
    'duplicate',
    'malformed',
    'refused',
    'repeated',
    'removed',
    'removes',
    'suppressed',
    'no_consent',
    'held_out',
  ]),
  ...shared(42, [
    'not_sendable',
    'already',
    'normalised',
    'listed',
    'added',
    'refused_people',
    'new_people',
    'waiting',
  ]),
  ...shared(5, [
    'accounts',
    'audiences',
    'attempts',
    'attributes_total',
    'crowds_total',
    'distinct',
    'done',
    'events_total',
  ]),
  ...shared(5, ['failed', 'keeping_step', 'line', 'row', 'named', 'paused', 'pushes', 'queued', 'running', 'tags']),
  ...shared(5, [
    'total_files_num',
    'total_number',
    'total_num',
    'recommend_num',
    'unread_files',
    'unread_members',
    'uploaded_crowds',
    'used_by',
  ]),
  ...shared(0.4, ['progress', 'invalid_share']),
  share: [0.4, 10],
  ...shared(10, ['control_share']),
  ...shared(2, ['crowds']),
  unpushed: [['品牌直营']],
  ...shared(4_210, ['converted']),
  ...shared(0.0123, ['rate', 'low', 'high']),
  ...shared(0.25, ['base_share']),
  ...shared(160, ['tgi']),
  ...shared(0.0003, ['p_value']),
  ...shared(31, ['against']),
  ...shared(3, ['left_out', 'missing_days', 'in_file', 'gone', 'without_plan', 'plans', 'days', 'taken_over']),
  gone_plans: [['7301234567890123456']],
  ...shared('31,32', ['category_ids']),
  ...shared(183_204, ['both', 'base_count', 'stayed']),
  ...Object.fromEntries(
    VALUE_KEYS.map((key) => [
      key,
      [
        ['percent', 'ratio'].includes(metricOf(key).format) ? 0.12 : 128_050,
        ...(isTrendKey(key) ? [[128_050, 96_200]] : []),
      ],
    ]),
  ),
  ...shared(12, ['valuable_id', 'local_plans', 'plans']),
  campaign_id: [12, '12'],
  ...shared('2026-12-31', ['start_date', 'end_date', 'complete_to']),
  ...shared('3,5', ['create_by']),
  hours: ['1'.repeat(336)],
  user_token: ['8c1f0a7d52'],
  marketing_asset_id: ['3456789012345678901'],
  bid: [3000],
  width: [120],
  tooltip: ['投放平台的花费，单位元。来源：平台数据'],
  time_range: ['1763654400,1763740799'],
  plan_status_name: ['启用'],
  product_name: ['面膜'],
  query_word: ['手机'],
  query_list: [['1001']],
  budget_total: [128_050],
  ...shared(860, ['tookMs', 'took_ms']),
  ...shared('2026-11-20', ['date']),
  ...shared('示例品牌', ['adv_name']),
  targeting_name: ['高消费女性'],
  plans_there: [3],
  words_there: ['性别 女；年龄 18-23 岁'],
  lost_there: [['双11老客']],
  field: ['audience.district'],
  now: [['18-23 岁']],
  words: [['18-19 岁']],
  summary: [['性别：女']],
  package_id: [12],
  targeting: ['{"landing_type":"LIVE","gender":["GENDER_FEMALE"]}'],
  bring_data: ['{"previewTargets":[{"label":"性别","words":["女"]}]}'],
  landing_type: ['LIVE'],
  targeting_id: ['1712345678901234567'],
  plan_id: ['7301234567890123456'],
  v: [2],
  approximate_count_label: ['12.3万'],
  product_id: [12, '3456789012345678901'],
  filtering: ['[{"field":"query_word","values":["手机"]}]'],
  author_name: ['美食日记'],
  avatar: ['https://p3.example.com/avatar.jpg'],
  aweme_id: ['meishiriji', '3456789012345678901'],
  category_name: ['美食'],
  num: ['12.3万'],
  regions: [['310000', '330100']],
  lost_crowds: [['1712345678901234567']],
  source: ['CUSTOM_AUDIENCE_TYPE_UPLOAD'],
  ...shared('1712345678901234567', ['label_id', 'retargeting_tags_id', 'audience_id']),
  ...shared('12.3万', ['cover_num_str', 'total_fans_num_str']),
  ...shared('王小明', ['creator', 'realname', 'op_by', 'asked_by', 'saved_by']),
  ...shared('wang', ['username']),
  user_id: ['u001'],
  authorization: ['Basic cnF3X2V4YW1wbGU6'],
  anonymous_id: ['8a1f6c1e-3c1d-4f0f-9a55-1d2a8c1f7b10'],
  previous_id: ['8a1f6c1e-3c1d-4f0f-9a55-1d2a8c1f7b10'],
  key_id: [3],
  messages: [128],
  times: [2],
  opened: [5],
  last_opened_at: [1_763_654_400],
  ...shared('city', ['attribute']),
  ...shared('pay', ['event']),
  ...shared('amount', ['property']),
  ...shared('138****1234', ['phone']),
  ...shared('会话已过期，请重新登录', ['error', 'failReason', 'reason', 'last_error', 'problem', 'refusal']),
  ...shared('c0ffee00c0ffee00c0ffee00c0ffee00', ['uri', 'upload_id', 'token', 'session', 'confirm', 'key', 'state']),
  ...shared('auth_8f2c', ['auth_code', 'authorization_code']),
  ...shared('u-6b1d7f20', ['upload-token', 'local_id']),
  accessKeyId: ['STS.NUxExample'],
  accessKeySecret: ['wJalrExample'],
  adv_id: [12, '12'],
  crowd_name: ['双11高价值女性'],
  replays: [0],
  found: [3],
  removed_on_request: [1],
  account_name: ['示例品牌-朋友圈'],
  dir_name: ['默认分组 / 双十一'],
  package_name: ['春季老客'],
  account_remark: ['双11 专用'],
  address: ['10.0.8.21'],
  adv_ids: [[12, 13]],
  agent: ['Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0'],
  answer: ['{"code":0,"data":{"audience_id":"7301"}}'],
  at_least: [1],
  at_most: [3],
  attributes: [['city', 'gender']],
  back: ['/crowd-assets'],
  before_days: [30],
  bucket: ['renqun'],
  campaign: ['活动名称'],
  plan: ['计划ID'],
  account: ['账户ID'],
  capacity: [300],
  category: ['城市'],
  cells: [['u001', '北京', '13800001234']],
  closed: ['值中有手机号，不能按它设条件'],
  code: [0, 'crowd_deleted'],
  column: ['手机号', 1],
  format: ['csv'],
  columns: [['user_id', 'city', '手机号'], 'one_id,name,attribute.12'],
  dir_id: [3, '3'],
  sort: ['-created_at'],
  created_at: [1_763_654_400, '1763654400,1764259199'],
  creator_id: [3, '1,2'],
  data_rows: [[2, 7]],
  days: [30, '30', [1, 3, 5], ['2026-11-19', '2026-11-20']],
  hour: [8],
  tellShare: [20],
  display_name: ['城市'],
  endpoint: ['https://oss.example.com'],
  events: [['pay', 'browse']],
  external_id: ['25610'],
  file_name: ['老客.csv'],
  from: ['2026-11-01', 1],
  icon: ['city_level'],
  id: [12, '12', [12, 13]],
  ids: [[12, 13], '12,13'],
  items: ['13800001234\n13900005678'],
  keys: [['c0ffee00c0ffee00c0ffee00c0ffee00']],
  keyword: ['北京'],
  kind: ['push'],
  label: ['男'],
  lines: [183_204, [2, 7], ['第 2 行：手机号格式不对']],
  link: ['/crowd-assets'],
  message_id: ['message_id'],
  method: ['POST'],
  msg: ['OK'],
  name: ['双11老客'],
  note: ['门店登记的客户'],
  notes: [['平台按 MD5 匹配']],
  old_password: ['correct horse battery'],
  only_here: ['账户的授权已撤销，只能在本地删除'],
  op_at: [1_763_654_400, '1763654400,1764259199'],
  origin: ['https://workbench.example.com'],
  password: ['correct horse battery'],
  platform: ['social', 3],
  platform_name: ['双11老客'],
  prefix: ['crowd-uploads/12/0123456789abcdef/'],
  problems: [['账户的授权已失效']],
  properties: [['amount', 'title']],
  q: ['老客'],
  read_only_adv_ids: [[13]],
  refused_values: [['否', '0']],
  region: ['oss-cn-beijing'],
  remark: ['双11 专用'],
  request: ['{"audience_id":"7301","operation":"APPEND"}'],
  rows: [183_204, [['u001', '北京']]],
  sandbox_page: ['http://127.0.0.1:8402/?secret=8f2c'],
  scope: ['audience_management', ['audience_management']],
  scope_list: [['audience_management']],
  securityToken: ['CAISExample'],
  skip: [['备注']],
  stage: ['正在匹配用户'],
  status: ['available', 1],
  tag: ['北京'],
  tagId: [205],
  tag_id: ['7301', 205],
  tail: ['9f3c'],
  text: ['城市 等于 北京'],
  time: ['time'],
  timezone: ['Asia/Shanghai'],
  title: ['推送「双11老客」', 'title'],
  oneID: ['wx_8842301'],
  person: [1024, '1024'],
  ...shared(1_763_654_400, ['start_time', 'enter_time', 'as_of', 'computed_at']),
  startTime: [1_763_654_400, '1763654400'],
  endTime: [1_764_259_199, '1764259199'],
  end_time: [1_764_259_199],
  total_page: [9],
  pin: ['57,55,56'],
  info: ['首页；价格：12'],
  meaning: ['过去 30 天做过「支付」'],
  evidence: ['「支付」3 次，最近一次在 2026-11-20 12:00:00'],
  shown: [['861****123']],
  before: [1200, '日预算 300.00 元'],
  after: [1150, '日预算 500.00 元'],
  entered: [30],
  left: [80],
  ...shared('2025-11-21', ['day', 'first_day', 'last_day']),
  to: ['2026-11-11', 2],
  told: ['已发送 183204 个标识，平台上有其中的 183162 个'],
  'tus-resumable': ['1.0.0'],
  type: ['phone_md5'],
  undo_obstacle: ['之后的导入改动了同样的用户'],
  'upload-length': ['10485760'],
  'upload-offset': ['0'],
  url: ['https://renqun.example.com/embed?token=8f2c'],
  value: ['一线', '北京', 0.0123],
  values: [['北京', '上海']],
  version: [1, '1.0.0'],
  what: ['修改了人群的规则'],
  window_days: [30],
}

function shared(value: unknown, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, [value]]))
}

/** What a property holds whose description says it better than its name. The first that it contains counts, if accepted. */
export const DESCRIBED_EXAMPLES: Readonly<Record<string, unknown>> = {
  '事件 ID，以逗号相连': '3,5',
  给出一个人时也下载列表: '1',
  '作为 oneID 的列名': 'user_id',
  作为姓名的列名: '姓名',
  作为手机号的列名: '手机号',
  作为事件名的列名: 'event',
  作为事件标题的列名: 'title',
  事件属性名: 'amount',
  属性名: 'city',
  事件名: 'pay',
  文件夹名称: '双11',
  标签所在的分类: '双11',
  'base64 编码的文件名': 'filename 6ICB5a6iLmNzdg==',
  文件名: '老客.csv',
  广告主名称: '示例品牌',
  广告主或平台账户: '示例品牌',
  平台账户的名称: '示例品牌-朋友圈',
  平台登录的名称: '示例品牌-朋友圈',
  标签名称: '北京',
  分类名称: '城市',
  令牌名称: '数据平台',
  姓名或用户名: 'wang',
  '节点 id': 'a1',
  十进制数字: '100',
  '上限（不含）': '100',
  '数字，或日期': '18',
  明文的种类: '手机号明文',
  请求路径: '/audience/add',
  通知地址: 'https://hooks.example.com/renqun',
  授权页地址: 'https://developers.e.qq.com/oauth/authorize?client_id=1100',
  已签名的地址: 'https://renqun.oss-cn-beijing.aliyuncs.com/crowd-uploads/12/0123456789abcdef/a.csv?Signature=8f2c',
  对象键的前缀: 'crowd-uploads/12/0123456789abcdef/',
  对象键: 'crowd-uploads/12/0123456789abcdef/a.csv',
  完整的标识: '138****1234',
  '标识；无权': '138****1234',
  要移出的标识: ['13800001234'],
  '数据中的值，如 0': '0',
  无效的原因: '手机号格式不对',
  不发送的原因: '平台不接收这种标识',
  无法读取: '文件已损坏，无法解压',
  未能读取: '文件已损坏，无法解压',
  个数上限: 300,
}

/** Adds an example to each property and parameter of the document, except where its schema lists the values. */
export function addExamples(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  const { properties, name, schema, description } = part as {
    properties?: Record<string, Schema>
    name?: unknown
    schema?: Schema
    description?: string
  }
  for (const [property, of] of Object.entries(properties ?? {})) addExample(property, of, of.description)
  if (typeof name === 'string' && 'in' in part && schema) addExample(name, schema, description)
  for (const inner of Object.values(part)) addExamples(inner)
}

function addExample(name: string, schema: Schema, description = ''): void {
  if (schema.examples || !wantsExample(schema)) return
  const said = Object.entries(DESCRIBED_EXAMPLES).flatMap(([words, value]) =>
    description.includes(words) ? [value] : [],
  )
  const example = [...said, ...(EXAMPLES[name] ?? [])].find((value) => accepts(schema, value))
  if (example !== undefined) schema.examples = [example]
}

/** Whether the schema leaves open what a value looks like: a text, a number, a list of them. */
export function wantsExample({ $ref, enum: values, const: value, anyOf, items, type }: Schema): boolean {
  if ($ref || values || value !== undefined) return false
  if (anyOf) return anyOf.some(wantsExample)
  if (type === 'array') return items !== undefined && wantsExample(items)
  return [type].flat().some((one) => one === 'string' || one === 'number' || one === 'integer')
}

function accepts(schema: Schema, value: unknown): boolean {
  const { $ref, enum: values, const: only, anyOf, items } = schema
  if ($ref || values || only !== undefined) return false
  if (anyOf) return anyOf.some((one) => accepts(one, value))
  const types = [schema.type].flat()
  if (Array.isArray(value)) return types.includes('array') && value.every((one) => accepts(items ?? {}, one))
  if (typeof value === 'number') {
    const { minimum = -Infinity, maximum = Infinity } = schema
    const isNumber = types.includes('number') || (types.includes('integer') && Number.isInteger(value))
    return isNumber && value >= minimum && value <= maximum
  }
  if (typeof value !== 'string' || !types.includes('string')) return false
  const { minLength = 0, maxLength = Infinity, pattern = '' } = schema
  return value.length >= minLength && value.length <= maxLength && new RegExp(pattern, 'u').test(value)
}

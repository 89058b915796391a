import {
  ACTIVITY_EXPORT_MAX,
  ACTIVITY_EXPORT_PATH,
  ActivityExport,
  DAY_REPORT_EXPORT_PATH,
  DayReportExport,
} from './activity-export.ts'
import { CALLBACK_PATH } from './authorisation.ts'
import { CROWD_EXPORT_PATH, DEFAULT_COLUMNS, EXPORT_COLUMNS_MAX, EXPORT_TAGS_MAX } from './crowd-export.ts'
import {
  CUSTOM_LIST_EXPORT_PATH,
  CustomListExport,
  LIST_EXPORT_MAX,
  RULE_LIST_EXPORT_PATH,
  RuleListExport,
} from './crowd-list-export.ts'
import { MALFORMED_PATH } from './custom-crowd.ts'
import { IMPORT_UPLOAD_MAX, REFUSED_PATH, UPLOAD_PATH } from './import.ts'
import { LINK_USER_DOWNLOAD_PATH } from './link-user.ts'
import { PLATFORMS } from './platform.ts'
import { SUPPRESSION_EXPORT_PATH } from './suppression.ts'
import { TRACKING_PATHS, TRACKING_SETTINGS_PATH } from './tracking.ts'
import { BATCH_BYTES_MAX, BATCH_MESSAGES_MAX, MESSAGE_BYTES_MAX, MESSAGE_DEPTH_MAX } from './tracking-message.ts'
import { FLATTENED_BYTES_MAX, PROPERTIES_MAX } from './tracking-properties.ts'
import { CROWD_UPLOAD_PATH, FILE_NAME_MAX, UPLOAD_FILE_MAX, UPLOAD_TOKEN_HEADER } from './upload.ts'

type Location = 'path' | 'query' | 'header'

/** A parameter of a plain call; all are text on the wire. */
interface PlainParameter {
  name: string
  in: Location
  description: string
  required: boolean
}

/** A call beside the table of endpoints, whose body or answer is no JSON: downloads, uploads and redirects. */
export interface PlainCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD'
  path: `/${string}`
  group: string
  summary: string
  /** Anyone may call it. */
  isPublic?: boolean
  parameters: readonly PlainParameter[]
  /** The media type of the body, and what it is. */
  body?: { type: string; description: string }
  /** What it answers when it succeeds; a failure answers the envelope. */
  answer: { status: number; description: string; type?: string; headers?: Readonly<Record<string, string>> }
}

const parameter = (place: Location, name: string, description: string, required = true): PlainParameter => ({
  name,
  in: place,
  description,
  required,
})

/** The parameters of a query, all of them optional. */
const filters = (shape: Readonly<Record<string, { description?: string | undefined }>>): PlainParameter[] =>
  Object.entries(shape).map(([name, { description = '' }]) => parameter('query', name, description, false))

const CSV = 'text/csv; charset=utf-8'
const TUS_VERSION = parameter('header', 'tus-resumable', '协议版本，固定为 1.0.0')

/** The four requests of the resumable upload protocol (tus 1.0) at a path. */
function tusCalls(path: `/${string}`, group: string, what: string, fileMax: number): PlainCall[] {
  const token = parameter(
    'header',
    UPLOAD_TOKEN_HEADER,
    'GET /api/oss/sts_token 给出的上传令牌；导入文件也可以改用会话或接口令牌',
    path === CROWD_UPLOAD_PATH,
  )
  const id = parameter('path', 'id', '上传 ID：新建时 Location 的最后一段，也是提交时的 uri')
  return [
    {
      method: 'POST',
      path,
      group,
      summary: `开始上传一个${what}（tus 1.0），最大 ${fileMax / 1024 ** 2} MB`,
      parameters: [
        TUS_VERSION,
        token,
        parameter('header', 'upload-length', '文件大小，字节'),
        parameter(
          'header',
          'upload-metadata',
          `filename 与 base64 编码的文件名（最多 ${FILE_NAME_MAX} 个字符）；由浏览器加密生成的文件再加上 hashed 与 base64 编码的 1（MQ==）`,
        ),
      ],
      answer: { status: 201, description: '已开始，接着向 Location 发送内容', headers: { location: '这次上传的路径' } },
    },
    {
      method: 'PATCH',
      path: `${path}/{id}`,
      group,
      summary: `发送${what}的一段内容；中断后从 upload-offset 继续`,
      parameters: [TUS_VERSION, token, id, parameter('header', 'upload-offset', '这一段的起点，字节')],
      body: { type: 'application/offset+octet-stream', description: '从起点开始的字节' },
      answer: { status: 204, description: '已收到', headers: { 'upload-offset': '已收到的字节数' } },
    },
    {
      method: 'HEAD',
      path: `${path}/{id}`,
      group,
      summary: `查询${what}已收到多少`,
      parameters: [TUS_VERSION, token, id],
      answer: {
        status: 200,
        description: '没有内容，见响应头',
        headers: { 'upload-offset': '已收到的字节数', 'upload-length': '文件大小，字节' },
      },
    },
    {
      method: 'DELETE',
      path: `${path}/{id}`,
      group,
      summary: `取消或删除一个还没有提交的${what}`,
      parameters: [TUS_VERSION, token, id],
      answer: { status: 204, description: '已删除' },
    },
  ]
}

const TRACKING_BOUNDS = `请求最大 ${BATCH_BYTES_MAX / 1024} KB（gzip 按解压后计），一次最多 ${BATCH_MESSAGES_MAX} 条消息，每条最大 ${MESSAGE_BYTES_MAX / 1024} KB、${MESSAGE_DEPTH_MAX} 层，属性最多 ${PROPERTIES_MAX} 个，展开后最大 ${FLATTENED_BYTES_MAX / 1024} KB`
const TRACKING_CALLS: readonly PlainCall[] = [
  ...Object.entries(TRACKING_PATHS).map(
    ([path, kind]): PlainCall => ({
      method: 'POST',
      path: path as `/${string}`,
      group: '数据接入',
      summary: kind === null ? '上报一批消息，与 Segment 的 batch 相同' : `上报一条消息，与 Segment 的 ${kind} 相同`,
      isPublic: true,
      parameters: [
        parameter('header', 'authorization', 'Basic，用户名是写入密钥，密码为空；也可以写在请求的 writeKey 中', false),
      ],
      body: {
        type: 'application/json',
        description: `${kind === null ? '`batch` 是消息的列表，每条消息的 `type` 是它的类型；' : ''}\`sentAt\` 是发送的时间，用来校正发送方的时钟。${TRACKING_BOUNDS}。内容类型也可以是 text/plain`,
      },
      answer: {
        status: 200,
        type: 'application/json; charset=utf-8',
        description:
          '消息已经保存。`data.accepted` 是接收的条数，`data.refused` 是被拒绝的消息：`index` 在批次中的位置、`message_id`、`reason` 与 `outcome`。密钥无效答复 401，太快答复 429，暂时不能保存答复 503：这两种带有 Retry-After，稍后重发即可，重复的 messageId 只计一次',
      },
    }),
  ),
  {
    method: 'GET',
    path: TRACKING_SETTINGS_PATH,
    group: '数据接入',
    summary: 'analytics.js 的设置，由网页中的脚本读取',
    isPublic: true,
    parameters: [parameter('path', 'key', '写入密钥')],
    answer: { status: 200, type: 'application/json; charset=utf-8', description: '消息发到本服务的设置' },
  },
]

const codeParameters = [...new Set(Object.values(PLATFORMS).map(({ codeParameter }) => codeParameter))]

/** Every call beside the table of endpoints, for the API document. */
export const PLAIN_CALLS: readonly PlainCall[] = [
  {
    method: 'GET',
    path: MALFORMED_PATH,
    group: '自定义人群',
    summary: '下载一个文件的无效行',
    parameters: [parameter('path', 'id', '文件 ID')],
    answer: {
      status: 200,
      description: '每行是行号、原因与原文；无权查看手机号的人看到遮住的手机号',
      type: CSV,
    },
  },
  {
    method: 'GET',
    path: REFUSED_PATH,
    group: '数据接入',
    summary: '下载一次导入被拒绝的行；报表的只给导入的人与能看受限指标的人',
    parameters: [parameter('path', 'id', '导入 ID')],
    answer: {
      status: 200,
      description: '每行是行号、原因与原文；无权查看手机号的人看到遮住的手机号',
      type: CSV,
    },
  },
  {
    method: 'GET',
    path: SUPPRESSION_EXPORT_PATH,
    group: '屏蔽名单',
    summary: '导出屏蔽名单，或其中符合条件的条目，csv；导出会记入审计',
    parameters: [
      parameter('query', 'adv_id', '广告主 ID'),
      parameter('query', 'keyword', '一个完整的标识，或遮住的手机号，例如 `138****1234`', false),
      parameter('query', 'type', '只导出有这种标识的条目', false),
    ],
    answer: {
      status: 200,
      description: '每行是标识类型、标识、手机号、备注与加入时间；无权查看手机号的人看到遮住的手机号',
      type: CSV,
    },
  },
  {
    method: 'GET',
    path: LINK_USER_DOWNLOAD_PATH,
    group: '用户',
    summary: '下载用户列表；给出一个人时下载其行为，csv；下载会记入审计',
    parameters: [
      parameter('query', 'adv_id', '广告主 ID；不填时是本人的第一个广告主', false),
      parameter('query', 'oneID', 'One ID，完整、原样比较；给出时下载这个人的行为', false),
      parameter('query', 'list', '1：给出一个人时也下载列表，只有这个人的一行', false),
      parameter('query', 'person', '列表中的 person；与 oneID 给一个即可', false),
      parameter('query', 'startTime', '访问时间的起点，时间戳（秒），包含；也可以写 start_time', false),
      parameter('query', 'endTime', '访问时间的终点，时间戳（秒），包含；也可以写 end_time', false),
      parameter('query', 'event', '事件 ID，以逗号相连，发生过任意一个', false),
      parameter('query', 'not_event', '不计入的事件 ID，以逗号相连：只计其余的事件', false),
    ],
    answer: {
      status: 200,
      description:
        '列表每行是 One ID、姓名、手机号、最近访问时间与事件数，先接入的在前；行为每行是时间、事件与内容，最近的在前。无权查看手机号的人看到遮住的手机号',
      type: CSV,
    },
  },
  {
    method: 'GET',
    path: CROWD_EXPORT_PATH,
    group: '人群资产',
    summary: '导出一个人群的名单，两种人群都可以，csv；导出会记入审计',
    parameters: [
      parameter('path', 'id', '人群 ID'),
      parameter(
        'query',
        'columns',
        `列的键，以逗号相连，最多 ${EXPORT_COLUMNS_MAX} 列，见 GET /api/people/{id}/columns；不填时是 ${DEFAULT_COLUMNS.join(',')}。标签分类合计最多 ${EXPORT_TAGS_MAX} 个标签`,
        false,
      ),
    ],
    answer: {
      status: 200,
      description:
        '每行是一个人，先接入的在前；行数等于开始时现行版本的人数。没有传完的下载会中断连接。无权查看手机号的人看到遮住的手机号与标识',
      type: CSV,
    },
  },
  {
    method: 'GET',
    path: RULE_LIST_EXPORT_PATH,
    group: '人群资产',
    summary: `导出组合定向包列表中符合条件的全部行，csv，最多 ${LIST_EXPORT_MAX} 个；导出会记入审计`,
    parameters: filters(RuleListExport.shape),
    answer: { status: 200, description: '每行是一个组合定向包', type: CSV },
  },
  {
    method: 'GET',
    path: CUSTOM_LIST_EXPORT_PATH,
    group: '自定义人群',
    summary: `导出自定义人群列表中符合条件的全部行，csv，最多 ${LIST_EXPORT_MAX} 个；导出会记入审计`,
    parameters: filters(CustomListExport.shape),
    answer: { status: 200, description: '每行是一个人群，其后是它在各平台账户下的子人群', type: CSV },
  },
  {
    method: 'GET',
    path: ACTIVITY_EXPORT_PATH,
    group: '营销活动',
    summary: `导出活动列表中符合条件的全部活动与计划，csv 或 Excel，最多 ${ACTIVITY_EXPORT_MAX} 个活动；导出会记入审计`,
    parameters: filters(ActivityExport.shape),
    answer: { status: 200, description: '每行是一个活动，其后是它的计划；最后一行是合计。金额单位元', type: CSV },
  },
  {
    method: 'GET',
    path: DAY_REPORT_EXPORT_PATH,
    group: '营销活动',
    summary: '导出一个活动的分日数据，csv 或 Excel；导出会记入审计',
    parameters: filters(DayReportExport.shape).map((one) => ({ ...one, required: one.name === 'campaign_id' })),
    answer: {
      status: 200,
      description: '每行是一天，其后是合计；有对照组时，再后是两组的对比（xlsx 中是另一张表）。金额单位元',
      type: CSV,
    },
  },
  {
    method: 'GET',
    path: `${CALLBACK_PATH}/{platform}`,
    group: '广告主授权',
    summary: '平台授权页返回的地址，由浏览器打开；不需要自己调用',
    isPublic: true,
    parameters: [
      parameter('path', 'platform', `平台：${Object.keys(PLATFORMS).join('、')}`),
      parameter('query', 'state', '发起授权时给出的一次性标记'),
      ...codeParameters.map((name) => parameter('query', name, '平台的授权码；参数名由平台决定', false)),
    ],
    answer: {
      status: 303,
      description: '回到发起授权的页面',
      headers: { location: '本站页面，oauth 参数是结果的 ID' },
    },
  },
  ...TRACKING_CALLS,
  ...tusCalls(CROWD_UPLOAD_PATH, '文件上传', '人群文件', UPLOAD_FILE_MAX),
  ...tusCalls(UPLOAD_PATH, '数据接入', '导入文件', IMPORT_UPLOAD_MAX),
]

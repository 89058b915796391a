import { z } from 'zod'
import { Column } from './activity-columns.ts'
import { Id, IdParam, Nothing, Seconds } from './common.ts'
import { COMPARED_DAYS_MAX, compareControlGroups } from './control-group.ts'
import { getDayReport } from './day-report.ts'
import { endpoint } from './endpoint.ts'

const group = '营销活动'

/** How many days a link works, as the dialog offers them. */
export const LINK_DAYS = [1, 7, 30, 90] as const
/** The most links of an activity that still work. */
export const REPORT_LINKS_MAX = 20

export const ReportLink = z.object({
  id: Id.describe('链接 ID'),
  created_at: Seconds.describe('建立时间，时间戳（秒）'),
  creator: z.string().describe('建立人姓名'),
  expires_at: Seconds.describe('失效时间，时间戳（秒）'),
  opened: z.int().describe('打开的次数'),
  last_opened_at: Seconds.nullable().describe('最近一次打开的时间，时间戳（秒）；没有打开过时为 null'),
})
export type ReportLink = z.infer<typeof ReportLink>

export const listReportLinks = endpoint({
  method: 'GET',
  path: '/api/campaign/report_link/list',
  group,
  summary: '一个活动的分日数据还有效的只读链接，最近的在前',
  query: z.object({ campaign_id: IdParam.describe('活动 ID') }),
  data: z.object({ list: z.array(ReportLink).describe('链接') }),
})

export const makeReportLink = endpoint({
  holdsSecret: true,
  method: 'POST',
  path: '/api/campaign/report_link',
  group,
  summary: `为一个活动的分日数据建立只读链接，给没有账号的人看；打开的人看到建立人能看到的列，不含手机号。最多 ${REPORT_LINKS_MAX} 个`,
  body: z.object({
    campaign_id: Id.describe('活动 ID'),
    days: z.int().min(1).max(90).describe('有效天数，1 到 90'),
  }),
  data: z.object({
    id: Id.describe('链接 ID'),
    url: z.string().describe('打开的地址，只在建立时给出；没有设置 PUBLIC_URL 时只有路径'),
    expires_at: ReportLink.shape.expires_at,
  }),
})

export const revokeReportLink = endpoint({
  method: 'DELETE',
  path: '/api/campaign/report_link',
  group,
  summary: '撤销一个只读链接，立即失效',
  query: z.object({ id: IdParam.describe('链接 ID') }),
  data: Nothing,
})

export const openReportLink = endpoint({
  holdsSecret: true,
  method: 'POST',
  path: '/api/report_link/open',
  group,
  summary: '凭只读链接中的令牌读取分日数据；不需要登录',
  access: 'public',
  body: z.object({
    token: z.string().min(1, '缺少令牌').max(100).describe('链接地址中 # 之后的令牌'),
    time_range: getDayReport.query.shape.time_range,
  }),
  data: getDayReport.data.extend({
    columns: z.array(Column).describe('可以看的列，按建立人所选的顺序，其余在后'),
    expires_at: ReportLink.shape.expires_at,
  }),
})

export const openReportLinkControl = endpoint({
  holdsSecret: true,
  method: 'POST',
  path: '/api/report_link/control_group',
  group,
  summary: '凭只读链接中的令牌读取对照组的对比；不需要登录',
  access: 'public',
  body: z.object({
    token: openReportLink.body.shape.token,
    event: compareControlGroups.query.shape.event,
    days: z.int().min(1).max(COMPARED_DAYS_MAX).default(30).describe(`从第一次推送起的天数，1 到 ${COMPARED_DAYS_MAX}`),
  }),
  data: compareControlGroups.data,
})

import { z } from 'zod'
import { Id, IdParams, Nothing, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'

const PASSWORD_MIN = 8
export const Username = z
  .string('请输入用户名')
  .trim()
  .min(1, '请输入用户名')
  .max(32, '用户名最多 32 个字符')
  .regex(/^[\p{Script=Han}A-Za-z0-9_.@-]*$/u, '用户名只支持中英文、数字和 _ . @ -')
  .describe('用户名，1 到 32 个字符：中英文、数字和 _ . @ -')
export const Password = z
  .string('请输入密码')
  .min(PASSWORD_MIN, `密码至少 ${PASSWORD_MIN} 个字符`)
  .max(200, '密码最多 200 个字符')
  .describe(`新密码，${PASSWORD_MIN} 到 200 个字符；不能是常见密码或用户名本身`)

/** Digits that people put behind their name to have a password. */
const DIGITS_AFTER_NAME = /\d{0,4}$/

/** Whether a password is the sign-in name itself, in any case, with at most four digits behind it. */
export function isOwnName(username: string, password: string): boolean {
  const [name, given] = [username.toLowerCase(), password.toLowerCase()]
  return given === name || given.replace(DIGITS_AFTER_NAME, '') === name.replace(DIGITS_AFTER_NAME, '')
}

/** The signed-in viewer, and what they may see. */
export const Viewer = z.object({
  id: Id.describe('成员 ID'),
  username: z.string().describe('用户名'),
  realname: z.string().describe('姓名'),
  is_admin: z.boolean().describe('是否是管理员'),
  see_phones: z.boolean().describe('能否看到完整手机号'),
  see_restricted: z.boolean().describe('能否看到受限的指标'),
  read_only_adv_ids: z.array(Id).describe('只能查看、不能修改的广告主的 ID'),
})

/** saas: viewers choose among advertisers; rps: advertisers are hidden and access goes by platform. */
export const Deployment = z.enum(['saas', 'rps']).describe('部署方式：saas 可选广告主，rps 隐藏广告主')

export const getConsole = endpoint({
  method: 'GET',
  path: '/api/console',
  group: '登录',
  summary: '部署方式与时区，登录前可读',
  access: 'public',
  data: z.object({
    deployment: Deployment,
    timezone: z.string().describe('部署的时区，例如 Asia/Shanghai；所有「天」按它计算'),
    version: z.string().describe('版本'),
  }),
})

export const login = endpoint({
  holdsSecret: true,
  method: 'POST',
  path: '/api/login',
  group: '登录',
  summary: '登录',
  access: 'public',
  body: z.object({
    username: z.string().min(1, '请输入用户名').max(200).describe('用户名'),
    password: z.string().min(1, '请输入密码').max(200).describe('密码'),
  }),
  data: Viewer,
})

export const logout = endpoint({
  method: 'POST',
  path: '/api/logout',
  group: '登录',
  summary: '退出登录',
  access: 'public',
  data: Nothing,
})

export const getViewer = endpoint({
  method: 'GET',
  path: '/api/viewer',
  group: '登录',
  summary: '当前用户',
  data: Viewer,
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/viewer/password',
  group: '登录',
  summary: '修改自己的密码，其他会话随之结束；end_tokens 为真时接口令牌也撤销',
  body: z.object({
    old_password: z.string().max(200).describe('当前密码'),
    password: Password,
    end_tokens: z.boolean().default(false).describe('同时撤销自己的全部接口令牌'),
  }),
  data: Nothing,
})

export const ViewerDetail = Viewer.extend({
  is_disabled: z.boolean().describe('是否已停用'),
  adv_ids: z.array(Id).describe('所属广告主 ID；管理员属于全部广告主'),
  created_at: Seconds.describe('创建时间，时间戳（秒）'),
  last_seen: Seconds.nullable().describe('最近一次使用的时间，时间戳（秒）；从未使用时为 null'),
})
export type ViewerDetail = z.infer<typeof ViewerDetail>

export const listViewers = endpoint({
  method: 'GET',
  path: '/api/viewer/list',
  group: '成员',
  summary: '成员列表',
  access: 'admin',
  data: z.object({ list: z.array(ViewerDetail).describe('全部成员') }),
})

const ViewerFlags = z.object({
  realname: z.string().trim().max(30, '姓名最多 30 个字符').default('').describe('姓名，最多 30 个字符'),
  is_admin: z.boolean().default(false).describe('是否是管理员'),
  see_phones: z.boolean().default(false).describe('能否看到完整手机号'),
  see_restricted: z.boolean().default(false).describe('能否看到受限的指标'),
  adv_ids: z.array(Id).max(1000).default([]).describe('所属广告主 ID'),
  read_only_adv_ids: z.array(Id).max(1000).default([]).describe('其中只能查看、不能修改的广告主 ID'),
})

export const createViewer = endpoint({
  method: 'POST',
  path: '/api/viewer',
  group: '成员',
  summary: '新建成员',
  access: 'admin',
  body: ViewerFlags.extend({ username: Username, password: Password }),
  data: z.object({ id: Id.describe('新成员的 ID') }),
})

export const updateViewer = endpoint({
  method: 'PUT',
  path: '/api/viewer/{id}',
  group: '成员',
  summary: '修改成员的姓名、权限与广告主；停用后其会话立即结束，接口令牌被撤销，重新启用后需要新建',
  access: 'admin',
  params: IdParams,
  body: z.object({
    realname: z.string().trim().max(30, '姓名最多 30 个字符').optional().describe('姓名，最多 30 个字符；不填则不变'),
    is_admin: z.boolean().optional().describe('是否是管理员；不填则不变'),
    see_phones: z.boolean().optional().describe('能否看到完整手机号；不填则不变'),
    see_restricted: z.boolean().optional().describe('能否看到受限的指标；不填则不变'),
    is_disabled: z.boolean().optional().describe('是否停用；不填则不变'),
    adv_ids: z.array(Id).max(1000).optional().describe('所属广告主 ID；不填则不变'),
    read_only_adv_ids: z
      .array(Id)
      .max(1000)
      .optional()
      .describe('其中只能查看、不能修改的广告主 ID；不填则留下的广告主不变，新加的可以修改'),
  }),
  data: Nothing,
})

export const deleteViewer = endpoint({
  method: 'DELETE',
  path: '/api/viewer/{id}',
  group: '成员',
  summary: '删除成员：其登录与接口令牌立即失效，不能恢复；其创建的内容留在广告主下，记录中仍有其姓名',
  access: 'admin',
  params: IdParams,
  data: Nothing,
})

export const resetViewerPassword = endpoint({
  method: 'POST',
  path: '/api/viewer/{id}/password',
  group: '成员',
  summary: '重置成员的密码，其会话随之结束，接口令牌默认随之撤销',
  access: 'admin',
  params: IdParams,
  body: z.object({
    password: Password,
    end_tokens: z.boolean().default(true).describe('同时撤销该成员的全部接口令牌'),
  }),
  data: Nothing,
})

/** A sign-in of the viewer's, on one device. */
export const Session = z.object({
  id: Id.describe('会话 ID'),
  created_at: Seconds.describe('创建时间，时间戳（秒）'),
  last_seen: Seconds.describe('最近一次使用的时间，时间戳（秒）'),
  expires_at: Seconds.describe('会话结束的时间，时间戳（秒）'),
  address: z.string().describe('登录的来源地址'),
  agent: z.string().describe('浏览器的 User-Agent'),
  is_current: z.boolean().describe('是否是发出这次调用的会话'),
})

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/session/list',
  group: '令牌',
  summary: '自己的登录会话',
  data: z.object({ list: z.array(Session).describe('自己的会话') }),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/session/{id}',
  group: '令牌',
  summary: '结束自己的一个会话',
  params: IdParams,
  data: Nothing,
})

/** Tokens of one viewer. */
export const TOKENS_MAX = 50
export const ApiToken = z.object({
  id: Id.describe('令牌 ID'),
  name: z.string().describe('令牌名称'),
  /** The last four characters, to tell tokens apart. */
  tail: z.string().describe('令牌的最后四个字符，用来区分'),
  created_at: Seconds.describe('创建时间，时间戳（秒）'),
  last_used: Seconds.nullable().describe('最近一次使用的时间，时间戳（秒）；从未使用时为 null'),
  expires_at: Seconds.nullable().describe('失效的时间，时间戳（秒）；null 长期有效'),
})

export const listTokens = endpoint({
  method: 'GET',
  path: '/api/token/list',
  group: '令牌',
  summary: '自己的接口令牌',
  data: z.object({ list: z.array(ApiToken).describe('自己的令牌') }),
})

export const createToken = endpoint({
  holdsSecret: true,
  method: 'POST',
  path: '/api/token',
  group: '令牌',
  summary: '新建接口令牌，令牌只在此时显示一次',
  body: z.object({
    name: z
      .string()
      .trim()
      .min(1, '请输入令牌名称')
      .max(30, '令牌名称最多 30 个字符')
      .describe('令牌名称，1 到 30 个字符'),
    expires_at: Seconds.nullable().default(null).describe('失效的时间，时间戳（秒）；null 长期有效'),
  }),
  data: z.object({ id: Id.describe('令牌 ID'), token: z.string().describe('令牌，只在此时给出') }),
})

export const deleteToken = endpoint({
  method: 'DELETE',
  path: '/api/token/{id}',
  group: '令牌',
  summary: '撤销自己的一个接口令牌',
  params: IdParams,
  data: Nothing,
})

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
export const Password = z
  .string('请输入密码')
  .min(PASSWORD_MIN, `密码至少 ${PASSWORD_MIN} 个字符`)
  .max(200, '密码最多 200 个字符')

/** The signed-in viewer, and what they may see. */
export const Viewer = z.object({
  id: Id,
  username: z.string(),
  realname: z.string(),
  is_admin: z.boolean(),
  see_phones: z.boolean(),
  see_restricted: z.boolean(),
})

/** saas: viewers choose among advertisers; rps: advertisers are hidden and access goes by platform. */
export const Deployment = z.enum(['saas', 'rps'])

export const getConsole = endpoint({
  method: 'GET',
  path: '/api/console',
  group: '登录',
  summary: '部署方式与时区，登录前可读',
  access: 'public',
  data: z.object({ deployment: Deployment, timezone: z.string(), version: z.string() }),
})

export const login = endpoint({
  method: 'POST',
  path: '/api/login',
  group: '登录',
  summary: '登录',
  access: 'public',
  body: z.object({
    username: z.string().min(1, '请输入用户名').max(200),
    password: z.string().min(1, '请输入密码').max(200),
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
  summary: '修改自己的密码，其他会话随之结束；接口令牌仍然有效',
  body: z.object({ old_password: z.string().max(200), password: Password }),
  data: Nothing,
})

export const ViewerDetail = Viewer.extend({
  is_disabled: z.boolean(),
  adv_ids: z.array(Id),
  created_at: Seconds,
  last_seen: Seconds.nullable(),
})
export type ViewerDetail = z.infer<typeof ViewerDetail>

export const listViewers = endpoint({
  method: 'GET',
  path: '/api/viewer/list',
  group: '用户',
  summary: '用户列表',
  access: 'admin',
  data: z.object({ list: z.array(ViewerDetail) }),
})

const ViewerFlags = z.object({
  realname: z.string().trim().max(30, '姓名最多 30 个字符').default(''),
  is_admin: z.boolean().default(false),
  see_phones: z.boolean().default(false),
  see_restricted: z.boolean().default(false),
  adv_ids: z.array(Id).max(1000).default([]),
})

export const createViewer = endpoint({
  method: 'POST',
  path: '/api/viewer',
  group: '用户',
  summary: '新建用户',
  access: 'admin',
  body: ViewerFlags.extend({ username: Username, password: Password }),
  data: z.object({ id: Id }),
})

export const updateViewer = endpoint({
  method: 'PUT',
  path: '/api/viewer/{id}',
  group: '用户',
  summary: '修改用户的姓名、权限与广告主；停用后其会话立即结束',
  access: 'admin',
  params: IdParams,
  body: z.object({
    realname: z.string().trim().max(30, '姓名最多 30 个字符').optional(),
    is_admin: z.boolean().optional(),
    see_phones: z.boolean().optional(),
    see_restricted: z.boolean().optional(),
    is_disabled: z.boolean().optional(),
    adv_ids: z.array(Id).max(1000).optional(),
  }),
  data: Nothing,
})

export const resetViewerPassword = endpoint({
  method: 'POST',
  path: '/api/viewer/{id}/password',
  group: '用户',
  summary: '重置用户密码，其会话随之结束，接口令牌随之撤销',
  access: 'admin',
  params: IdParams,
  body: z.object({ password: Password }),
  data: Nothing,
})

/** A sign-in of the viewer's, on one device. */
export const Session = z.object({
  id: Id,
  created_at: Seconds,
  last_seen: Seconds,
  expires_at: Seconds,
  address: z.string(),
  agent: z.string(),
  is_current: z.boolean(),
})

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/session/list',
  group: '令牌',
  summary: '自己的登录会话',
  data: z.object({ list: z.array(Session) }),
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
  id: Id,
  name: z.string(),
  /** The last four characters, to tell tokens apart. */
  tail: z.string(),
  created_at: Seconds,
  last_used: Seconds.nullable(),
  expires_at: Seconds.nullable(),
})

export const listTokens = endpoint({
  method: 'GET',
  path: '/api/token/list',
  group: '令牌',
  summary: '自己的接口令牌',
  data: z.object({ list: z.array(ApiToken) }),
})

export const createToken = endpoint({
  method: 'POST',
  path: '/api/token',
  group: '令牌',
  summary: '新建接口令牌，令牌只在此时显示一次',
  body: z.object({
    name: z.string().trim().min(1, '请输入令牌名称').max(30, '令牌名称最多 30 个字符'),
    expires_at: Seconds.nullable().default(null),
  }),
  data: z.object({ id: Id, token: z.string() }),
})

export const deleteToken = endpoint({
  method: 'DELETE',
  path: '/api/token/{id}',
  group: '令牌',
  summary: '撤销自己的一个接口令牌',
  params: IdParams,
  data: Nothing,
})

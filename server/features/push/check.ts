import type { Kysely } from 'kysely'
import { covers } from '#contract/advertiser.ts'
import { type CntType, CUSTOM_QUOTA } from '#contract/custom-crowd.ts'
import type { IdentifierType } from '#contract/identifier.ts'
import { platformInfo } from '#contract/platform.ts'
import { OPEN_PUSH, type PushCheck } from '#contract/push.ts'
import { closedWords } from '../../platforms/account-state.ts'
import { audienceName } from '../../platforms/audience-name.ts'
import { type AccountSession, type AudiencePlatform, PlatformFault } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { timeText } from '../../time/day.ts'
import { usedChildren } from '../audience/quota.ts'
import { type Planner, partSize, type TypeCounts } from './plan.ts'
import { type Source, typeLabel } from './source.ts'

/** A platform that does not answer holds up a dialog no longer than this. */
const LOOK_MS = 4000

export interface Account {
  id: number
  adv_id: number
  platform: number
  external_id: string
  name: string
  scope_list: readonly string[]
  login_id: number | null
  authorised_at: number | null
  auth_error: string | null
  login_error: string | null
  has_tokens: boolean
  refresh_expires_at: number | null
}

export async function findAccount(db: Kysely<Database>, id: number): Promise<Account | undefined> {
  return db
    .selectFrom('platform_account')
    .leftJoin('platform_login', 'platform_login.id', 'platform_account.login_id')
    .select((eb) => [
      'platform_account.id',
      'platform_account.adv_id',
      'platform_account.platform',
      'platform_account.external_id',
      'platform_account.name',
      'platform_account.scope_list',
      'platform_account.login_id',
      'platform_account.authorised_at',
      'platform_account.auth_error',
      'platform_login.error as login_error',
      eb('platform_login.tokens', 'is not', null).as('has_tokens'),
      'platform_login.refresh_expires_at',
    ])
    .where('platform_account.id', '=', id)
    .executeTakeFirst()
    .then((row) => row && { ...row, has_tokens: Boolean(row.has_tokens) })
}

const platformName = (code: CntType) => platformInfo(code).name

/** Why nothing can be pushed to the account as it is authorised now; null when it can. */
export function accountObstacle(account: Account, cnt_type: CntType): string | null {
  if (account.platform !== cnt_type) return `账户「${account.name}」不是${platformName(cnt_type)}的账户`
  const closed = closedWords(account)
  if (closed) return `${closed}，请${account.authorised_at === null ? '先' : '重新'}授权`
  const { scopes } = platformInfo(cnt_type)
  if (!covers(account.scope_list, scopes)) {
    return `账户「${account.name}」没有人群管理权限（${scopes.join('、')}），请重新授权并勾选该权限`
  }
  return null
}

/** A crowd's name on a platform: those that are too long, or taken by another crowd there, end in a mark of their own. */
export async function nameThere(
  db: Kysely<Database>,
  source: Source,
  account_id: number,
  platform: AudiencePlatform,
): Promise<string> {
  const mark = `${source.kind === 'custom' ? 'c' : 'r'}${source.id.toString(36)}`
  const plain = audienceName(source.name, mark, platform.limits.name, false)
  const column = source.kind === 'custom' ? 'custom_id' : 'people_id'
  const taken = await db
    .selectFrom('audience')
    .select('id')
    .where('account_id', '=', account_id)
    .where('platform_name', '=', plain)
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb(column, 'is', null), eb(column, '!=', source.id)]))
    .executeTakeFirst()
  return taken ? audienceName(source.name, mark, platform.limits.name, true) : plain
}

export const quotaSentence = (account: { name: string }, cnt_type: CntType) =>
  `${account.name}的${platformName(cnt_type)}自定义人群已达上限（${CUSTOM_QUOTA} 个），请删除部分人群后再推送`

/** Why what there is to send cannot be pushed; the same is asked again when the push has been planned. */
export function countProblems(counts: readonly TypeCounts[], platform: AudiencePlatform): string[] {
  const problems = counts.flatMap(({ type, reason }) => (reason === null ? [] : [`${typeLabel(type)}：${reason}`]))
  const sendable = counts.reduce((sum, row) => sum + row.sendable, 0)
  const total = counts.reduce((sum, row) => sum + row.total, 0)
  // What cannot be sent hinders nothing as long as something else can.
  if (sendable > 0) problems.length = 0
  else if (problems.length === 0) {
    problems.push(total === 0 ? '人群没有所选类型的标识' : '去除屏蔽名单与不同意的人之后，没有可以发送的标识')
  }
  const { leastValues } = platform.limits
  if (sendable > 0 && sendable < leastValues) {
    problems.push(`可发送 ${sendable} 个标识，少于${platformName(platform.code)}要求的 ${leastValues} 个，平台无法计算`)
  }
  return problems
}

interface Deps {
  db: Kysely<Database>
  planner: Planner
  session(account_id: number): Promise<AccountSession> | AccountSession
  timezone: string
}

/** All that stands in the way of a push, as sentences, and what a person may want to know before it. */
export async function checkPush(
  { db, planner, session, timezone }: Deps,
  given: { source: Source; types: readonly IdentifierType[]; account: Account; platform: AudiencePlatform },
  signal?: AbortSignal,
): Promise<PushCheck> {
  const { source, types, account, platform } = given
  const cnt_type = platform.code
  const problems: string[] = []
  const notes: string[] = []
  if (source.obstacle) problems.push(source.obstacle)
  const unauthorised = accountObstacle(account, cnt_type)
  if (unauthorised) problems.push(unauthorised)

  const child = await childOf(db, source, account.id)
  const platform_name = child?.platform_name ?? (await nameThere(db, source, account.id, platform))
  const used = await usedChildren(db, account.id, cnt_type)
  if (!child && used >= CUSTOM_QUOTA) problems.push(quotaSentence(account, cnt_type))
  if (!child && !unauthorised) {
    const there = await audiencesThere(platform, await session(account.id), signal)
    if (typeof there === 'string') notes.push(there)
    else if (there >= platform.limits.audiences) {
      problems.push(
        `${account.name}在${platformName(cnt_type)}的人群资产已达上限（${there}/${platform.limits.audiences}），请删除部分人群，释放配额`,
      )
    }
  }
  if (child) {
    notes.push('该账户已有此人群，本次只推送变化的部分')
    if (child.is_busy) notes.push('上一次推送还没有完成，本次将在其完成后开始')
    const { publishEvery } = platform.limits
    const next = (child.published_at ?? 0) + publishEvery
    if (publishEvery > 0 && child.published_at !== null && next > now()) {
      notes.push(
        `平台每 ${Math.round(publishEvery / 3600)} 小时只能发布一次，本次更新最早于 ${timeText(next, timezone)} 生效`,
      )
    }
  }

  const counts = source.version === 0 ? [] : await planner.count(source, types, platform, signal)
  if (source.version > 0 && !source.obstacle) problems.push(...countProblems(counts, platform))
  for (const row of counts) {
    if (row.reason !== null && !problems.some((text) => text.includes(row.reason ?? ''))) {
      notes.push(`${typeLabel(row.type)}的 ${row.total} 个标识不会发送：${row.reason}`)
    }
  }
  const files = counts.reduce((sum, row) => sum + Math.ceil(row.sendable / partSize(platform, row.type)), 0)
  if (files > 1) notes.push(`按标识类型与平台的文件大小，分为 ${files} 个文件发送`)
  return {
    ok: problems.length === 0,
    problems,
    notes,
    platform_name,
    types: counts,
    quota: { used, total: CUSTOM_QUOTA },
  }
}

export async function childOf(db: Kysely<Database>, source: Pick<Source, 'kind' | 'id'>, account_id: number) {
  const child = await db
    .selectFrom('audience')
    .selectAll()
    .where(source.kind === 'custom' ? 'custom_id' : 'people_id', '=', source.id)
    .where('account_id', '=', account_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!child) return undefined
  const busy = await db
    .selectFrom('push')
    .select('id')
    .where('child_id', '=', child.id)
    .where('status', 'in', OPEN_PUSH)
    .executeTakeFirst()
  return { ...child, is_busy: busy !== undefined }
}

/** How many audiences the platform counts; a sentence when it does not tell now. */
async function audiencesThere(platform: AudiencePlatform, session: AccountSession, signal?: AbortSignal) {
  try {
    const patience = AbortSignal.timeout(LOOK_MS)
    return await platform.countAudiences(session, {
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
      sample: () => {},
    })
  } catch (error) {
    if (signal?.aborted) throw error
    if (error instanceof PlatformFault && error.kind === 'unauthorised') return `平台配额未能读取：${error.message}`
    return '平台配额暂时未能读取，推送时平台会再检查'
  }
}

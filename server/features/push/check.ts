import type { Kysely } from 'kysely'
import { covers } from '#contract/advertiser.ts'
import type { CntType } from '#contract/audience.ts'
import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { outcome, sentenceOf, sentenceOrNull } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { platformInfo } from '#contract/platform.ts'
import type { PushCheck } from '#contract/push.ts'
import { OPEN_PUSH } from '#contract/push-status.ts'
import { accountAuthorisations, closedReason } from '../../platforms/account-state.ts'
import { audienceName } from '../../platforms/audience-name.ts'
import { type AccountSession, type AudiencePlatform, PlatformFault } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { timeText } from '../../time/day.ts'
import { usedChildren } from '../audience/quota.ts'
import { partSize } from './part-size.ts'
import type { Planner, TypeCounts } from './plan.ts'
import { type Source, typeLabel } from './source.ts'

/** How long the dialog waits for a platform's answer. */
const ANSWER_WITHIN_MS = 4000

export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

export const findAccount = (db: Kysely<Database>, id: number) =>
  accountAuthorisations(db)
    .select([
      'platform_account.adv_id',
      'platform_account.platform',
      'platform_account.external_id',
      'platform_account.name',
      'platform_account.scope_list',
    ])
    .where('platform_account.id', '=', id)
    .executeTakeFirst()

const platformName = (code: CntType) => platformInfo(code).name

/** Why nothing can be pushed to the account with its present authorisation; null when it can. */
export function accountObstacle(account: Account, cnt_type: CntType): AnyOutcome | null {
  if (account.platform !== cnt_type) {
    return outcome('account_of_other_platform', { account: account.name, platform: platformName(cnt_type) })
  }
  const closed = closedReason(account)
  if (closed) return closed
  const { scopes } = platformInfo(cnt_type)
  if (!covers(account.scope_list, scopes)) {
    return outcome('account_lacks_scope', { account: account.name, scope: [...scopes] })
  }
  return null
}

/** For some obstacles an outcome that also says what to do first. */
function asProblem(obstacle: AnyOutcome): AnyOutcome {
  if (obstacle.code === 'account_never_authorised') return outcome('authorise_first', { cause: obstacle })
  if (obstacle.code === 'account_closed') return outcome('reauthorise_first', { cause: obstacle })
  return obstacle
}

/** A crowd's name on a platform. One that is too long, or taken by another crowd, ends in a mark of its own. */
export async function nameOnPlatform(
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

/** Why the account may not have another audience of ours; null when it may. */
export const quotaProblem = (
  account: { id: number; name: string },
  { code, limits }: Pick<AudiencePlatform, 'code' | 'limits'>,
  used: number,
): AnyOutcome | null =>
  used < limits.children
    ? null
    : outcome('child_quota_full', {
        account: account.name,
        account_id: account.id,
        platform: platformName(code),
        capacity: limits.children,
      })

/** Why these counts cannot be pushed; asked again once the push is planned. */
export function countProblems(counts: readonly TypeCounts[], platform: AudiencePlatform): AnyOutcome[] {
  const problems: AnyOutcome[] = counts.flatMap(({ type, obstacle }) =>
    obstacle === null ? [] : [outcome('type_not_sendable', { type: typeLabel(type), cause: obstacle })],
  )
  const sendable = counts.reduce((sum, row) => sum + row.sendable, 0)
  const total = counts.reduce((sum, row) => sum + row.total, 0)
  // A type that cannot be sent is no problem while another one can.
  if (sendable > 0) problems.length = 0
  else if (problems.length === 0) {
    problems.push(outcome(total === 0 ? 'no_identifiers_of_types' : 'nothing_left_to_send'))
  }
  const { leastValues } = platform.limits
  if (sendable > 0 && sendable < leastValues) {
    problems.push(
      outcome('too_few_identifiers', { sendable, platform: platformName(platform.code), least: leastValues }),
    )
  }
  return problems
}

/** Hashes made here are of the original value. */
const isHashedInLowerCase = (type: IdentifierType, platform: AudiencePlatform): boolean =>
  IDENTIFIERS[type].subject === 'OAID' && platform.formOf('OAID').form?.transform === 'md5_lower'

interface Deps {
  db: Kysely<Database>
  planner: Planner
  session(account_id: number): Promise<AccountSession> | AccountSession
  timezone: string
}

/** The problems that prevent a push, and notes worth knowing before it. */
export async function checkPush(
  { db, planner, session, timezone }: Deps,
  given: { source: Source; types: readonly IdentifierType[]; account: Account; platform: AudiencePlatform },
  signal?: AbortSignal,
): Promise<PushCheck> {
  const { source, types, account, platform } = given
  const cnt_type = platform.code
  const problems: AnyOutcome[] = []
  const notes: AnyOutcome[] = []
  if (source.obstacle) problems.push(source.obstacle)
  const unauthorised = accountObstacle(account, cnt_type)
  if (unauthorised) problems.push(asProblem(unauthorised))

  const child = await childOf(db, source, account.id)
  const platform_name = child?.platform_name ?? (await nameOnPlatform(db, source, account.id, platform))
  const used = await usedChildren(db, account.id, cnt_type)
  const quotaFull = child ? null : quotaProblem(account, platform, used)
  if (quotaFull) problems.push(quotaFull)
  if (!child && !unauthorised) {
    const count = await countAudiences(platform, await session(account.id), signal)
    if (typeof count !== 'number') notes.push(count)
    else if (count >= platform.limits.audiences) {
      problems.push(
        outcome('platform_quota_full', {
          account: account.name,
          account_id: account.id,
          platform: platformName(cnt_type),
          used: count,
          capacity: platform.limits.audiences,
        }),
      )
    }
  }
  if (child) {
    notes.push(outcome('only_changes_are_sent'))
    if (child.is_busy) notes.push(outcome('begins_after_push_before'))
    const { publishEvery } = platform.limits
    const next = (child.published_at ?? 0) + publishEvery
    if (publishEvery > 0 && child.published_at !== null && next > now()) {
      notes.push(
        outcome('publishes_every', {
          hours: Math.round(publishEvery / 3600),
          at: next,
          when: timeText(next, timezone),
        }),
      )
    }
  }

  const counts = source.version === 0 ? [] : await planner.count(source, types, platform, signal)
  if (source.version > 0 && !source.obstacle) problems.push(...countProblems(counts, platform))
  // Where nothing can be sent, each type's reason is among the problems already.
  const isListed = problems.some(({ code }) => code === 'type_not_sendable')
  for (const { type, total, obstacle } of isListed ? [] : counts) {
    if (obstacle !== null) notes.push(outcome('type_left_out', { type: typeLabel(type), total, cause: obstacle }))
  }
  if (counts.some(({ type, sendable }) => sendable > 0 && isHashedInLowerCase(type, platform)))
    notes.push(outcome('oaid_hashed_in_lower_case', { platform: platformName(cnt_type) }))
  const files = counts.reduce((sum, row) => sum + Math.ceil(row.sendable / partSize(platform, row.type)), 0)
  if (files > 1) notes.push(outcome('sent_in_files', { files }))
  return {
    ok: problems.length === 0,
    problems: problems.map(sentenceOf),
    problem_outcomes: problems,
    notes: notes.map(sentenceOf),
    note_outcomes: notes,
    platform_name,
    types: counts.map(({ obstacle, ...row }) => ({
      ...row,
      reason: sentenceOrNull(obstacle),
      reason_outcome: obstacle,
    })),
    quota: { used, total: platform.limits.children },
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

/** How many audiences the platform counts; a note when it does not answer. */
async function countAudiences(platform: AudiencePlatform, session: AccountSession, signal?: AbortSignal) {
  try {
    const timeout = AbortSignal.timeout(ANSWER_WITHIN_MS)
    return await platform.countAudiences(session, {
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      sample: () => {},
    })
  } catch (error) {
    if (signal?.aborted) throw error
    if (error instanceof PlatformFault && error.kind === 'unauthorised') {
      return outcome('platform_quota_refused', { cause: error.outcome })
    }
    return outcome('platform_quota_unread')
  }
}

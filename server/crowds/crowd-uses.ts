import type { Kysely } from 'kysely'
import type { CrowdUser } from '#contract/live-plan.ts'
import { OPEN_PUSH } from '#contract/push-status.ts'
import { AppError } from '../errors.ts'
import type { Database } from '../postgres/schema.ts'
import { plansOfCrowd } from './crowd-plans.ts'
import { CROWDS, type CrowdKind } from './kinds.ts'

/**
 * What uses a crowd: live plans first, then rule crowds except those in `leaving`. Expired rule crowds count, since
 * their expiry may be extended.
 */
export async function usersOf(
  tx: Kysely<Database>,
  kind: CrowdKind,
  id: number,
  leaving: readonly number[] = [],
): Promise<CrowdUser[]> {
  const crowds = tx
    .selectFrom('crowd_use')
    .innerJoin('people', 'people.id', 'crowd_use.people_id')
    .select(['people.id', 'people.name'])
    .where('crowd_use.uses_kind', '=', 'crowd')
    .where('crowd_use.uses_id', '=', id)
    .where('people.deleted_at', 'is', null)
    .where('people.id', 'not in', [0, ...leaving])
    .orderBy('people.id')
    .execute()
  return [
    ...(await plansOfCrowd(tx, kind, id)).map((plan) => ({ kind: 'plan' as const, ...plan })),
    ...(await crowds).map((crowd) => ({ kind: 'crowd' as const, ...crowd })),
  ]
}

/** Why a crowd may not be deleted: a push of it, a live plan, its audiences, or a crowd that uses it. Null when it may. */
export async function deletionRefusal(
  tx: Kysely<Database>,
  kind: CrowdKind,
  crowd: { id: number; name: string },
  leaving: readonly number[] = [],
): Promise<AppError | null> {
  const { name } = crowd
  const { count, isPushing } = await audiencesOf(tx, kind, crowd.id)
  if (isPushing) return new AppError('customPushing', { name, action: '删除' })
  const users = await usersOf(tx, kind, crowd.id, leaving)
  if (users.some((user) => user.kind === 'plan')) return new AppError('crowdInUse', { name }, { users })
  if (count > 0) return new AppError('customHasChildren', { name, count })
  const by = users.map((user) => user.name).join('、')
  return users.length > 0 ? new AppError('crowdReferenced', { name, by }, { users }) : null
}

/** What a deletion answers, or a check before it: OK, or why the crowd or audience is kept and what uses it. */
export const deletionAnswer = (kept: AppError | null) => ({
  msg: kept?.message ?? 'OK',
  refusal_outcome: kept?.outcome ?? null,
  users: usersIn(kept?.data),
})

const usersIn = (data: unknown): CrowdUser[] =>
  typeof data === 'object' && data !== null && 'users' in data ? (data.users as CrowdUser[]) : []

/** How many audiences a crowd has, and whether a push of one is running or about to; a push behind a paused one is not. */
async function audiencesOf(tx: Kysely<Database>, kind: CrowdKind, id: number) {
  const rows = await tx
    .selectFrom('audience')
    .leftJoin('push', (join) => join.onRef('push.child_id', '=', 'audience.id').on('push.status', 'in', OPEN_PUSH))
    .select(['audience.id', 'push.status'])
    .where(`audience.${CROWDS[kind].audiences}`, '=', id)
    .where('audience.deleted_at', 'is', null)
    .execute()
  const children = Map.groupBy(rows, (row) => row.id)
  const isPushing = [...children.values()].some((pushes) => {
    const has = (status: string) => pushes.some((push) => push.status === status)
    return has('running') || (has('waiting') && !has('paused'))
  })
  return { count: children.size, isPushing }
}

import type { PlanSession, PlatformPlans } from '../../../platforms/plan-platform.ts'
import type { ThereDeps } from './deps.ts'

/** An account's session with its operator's token. Throws PlatformFault. */
export async function planSession(
  { db, session, secrets }: Pick<ThereDeps, 'db' | 'session' | 'secrets'>,
  account_id: number,
  plans: PlatformPlans,
): Promise<PlanSession> {
  const as = await session(account_id, plans.scopes)
  const row = await db
    .selectFrom('plan_account')
    .select('user_token')
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  return { ...as, user_token: row?.user_token ? secrets.open(row.user_token) : null }
}

/** Platforms number their plans; nothing else is asked about. */
export const isPlanNumber = (id: string): boolean => /^[1-9]\d{0,18}$/.test(id)

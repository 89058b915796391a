import type { Kysely } from 'kysely'
import type { PlanParts, PlanTargeting, WantedPlan } from '#contract/activity/there.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { PlatformFault } from '../../../platforms/audience-platform.ts'
import type { Database } from '../../../postgres/schema.ts'
import { now } from '../../../time/clock.ts'
import { dayOf } from '../../../time/day.ts'

interface Named {
  plan_id: number
  mark: string | null
}

const refuse = (reason: AnyOutcome) => new PlatformFault('refused', reason)

/** What a plan is to be on its platform, as it is saved now. Throws PlatformFault where what it uses is gone. */
export async function planParts(db: Kysely<Database>, { plan_id, mark }: Named, timezone: string): Promise<PlanParts> {
  const plan = await planRow(db, plan_id)
  const today = dayOf(now(), timezone)
  return {
    title: { name: plan.name, mark },
    // Platforms take no first day in the past.
    start: plan.start_date !== null && plan.start_date > today ? plan.start_date : today,
    end: plan.end_date,
    hours: plan.hours,
    targeting: await targetingOf(db, plan),
  }
}

/** A plan that is to be created. Throws PlatformFault. */
export async function wantedPlan(db: Kysely<Database>, named: Named, timezone: string): Promise<WantedPlan> {
  const { creation, budget, budget_mode } = await planRow(db, named.plan_id)
  const { mark } = named
  if (creation === null || mark === null) throw refuse(outcome('plan_creation_other'))
  const parts = await planParts(db, named, timezone)
  return {
    ...parts,
    key: `plan-${named.plan_id}-${mark}`,
    title: { ...parts.title, mark },
    budget: { mode: budget_mode, fen: budget_mode === 'none' ? null : budget },
    creation,
  }
}

const planRow = (db: Kysely<Database>, plan_id: number) =>
  db.selectFrom('campaign_plan').selectAll().where('id', '=', plan_id).executeTakeFirstOrThrow()

async function targetingOf(
  db: Kysely<Database>,
  { id, package_id, account_id }: { id: number; package_id: number | null; account_id: number | null },
): Promise<PlanTargeting> {
  const own = package_id === null ? null : await packageOf(db, package_id)
  if (own === undefined || (own && own.account_id !== account_id)) throw refuse(outcome('plan_package_missing_there'))
  const crowds = await db
    .selectFrom('campaign_plan_crowd as used')
    .innerJoin('audience', 'audience.id', 'used.child_id')
    .select(['used.role', 'audience.name', 'audience.audience_id'])
    .where('used.plan_id', '=', id)
    .orderBy('used.child_id')
    .execute()
  // A plan that only names its package waits until the platform has what is saved of it.
  if (own?.isOnItsWay && crowds.length === 0) throw new PlatformFault('later', outcome('plan_package_syncing'))
  const idsOf = (role: 'include' | 'exclude') =>
    crowds.flatMap((crowd) => {
      if (crowd.audience_id === null) throw refuse(outcome('plan_crowd_unusable', { crowd: crowd.name }))
      return crowd.role === role ? [crowd.audience_id] : []
    })
  return {
    package: own?.targeting ?? null,
    package_id: own?.there_id ?? null,
    include: idsOf('include'),
    exclude: idsOf('exclude'),
  }
}

/** A package with its id on the platform, where what stands there is what is saved here. */
async function packageOf(db: Kysely<Database>, id: number) {
  const found = await db
    .selectFrom('targeting_package as own')
    .leftJoin('targeting_mirror as mirror', 'mirror.package_id', 'own.id')
    .select(['own.account_id', 'own.targeting', 'own.targeting_id', 'own.origin', 'mirror.state'])
    .where('own.id', '=', id)
    .where('own.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!found) return undefined
  const isSame = found.origin === 'platform' || found.state === 'synced'
  const { account_id, targeting, targeting_id } = found
  return { account_id, targeting, there_id: isSame ? targeting_id : null, isOnItsWay: found.state === 'waiting' }
}

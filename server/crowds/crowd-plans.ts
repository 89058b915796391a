import { type Kysely, sql } from 'kysely'
import type { CrowdPlan } from '#contract/live-plan.ts'
import type { Database } from '../postgres/schema.ts'
import type { CrowdKind } from './kinds.ts'
import { isLive } from './live-uses.ts'
import { audiencesInPackages, plansOfPackages } from './package-plans.ts'

/** Live plans that use a crowd: by its rule, by its audiences, or by packages that hold one of its audiences. */
export async function plansOfCrowd(db: Kysely<Database>, kind: CrowdKind, id: number): Promise<CrowdPlan[]> {
  const column = kind === 'custom' ? 'audience.custom_id' : 'audience.people_id'
  const children = await db
    .selectFrom('audience')
    .select('id')
    .where(column, '=', id)
    .where('deleted_at', 'is', null)
    .execute()
  return distinct([
    ...(kind === 'rule' ? await plansOfRule(db, id) : []),
    ...(await plansOfChildren(
      db,
      children.map((child) => child.id),
    )),
  ])
}

/** Live plans that use audiences, directly or through packages. */
export async function plansOfChildren(db: Kysely<Database>, ids: readonly number[]): Promise<CrowdPlan[]> {
  if (ids.length === 0) return []
  const direct = await db
    .selectFrom('audience_use')
    .select(['plan_id as id', 'plan_name as name'])
    .where('child_id', 'in', [...ids])
    .where(isLive('audience_use'))
    .orderBy('plan_id')
    .execute()
  const packages = await audiencesInPackages(db)
    .select(['targeting_package.id', 'targeting_package.name'])
    .distinct()
    .where('audience.id', 'in', [...ids])
    .orderBy('targeting_package.id')
    .execute()
  const plans = await plansOfPackages(
    db,
    packages.map((one) => one.id),
  )
  return distinct([
    ...direct.map(ownPlan),
    ...packages.flatMap((one) => (plans.get(one.id) ?? []).map((plan) => ({ ...plan, package_name: one.name }))),
  ])
}

async function plansOfRule(db: Kysely<Database>, people_id: number): Promise<CrowdPlan[]> {
  const rows = await db
    .selectFrom('plan_use')
    .select(['plan_id as id', 'plan_name as name'])
    .where('people_id', '=', people_id)
    .where(isLive('plan_use'))
    .orderBy('plan_id')
    .execute()
  return rows.map(ownPlan)
}

/** `plansOfCrowd` of rule crowds as SQL: the ids of those that live plans use. */
export const ruleCrowdsInUse = (db: Kysely<Database>) =>
  db
    .selectFrom('plan_use')
    .select('people_id')
    .where(isLive('plan_use'))
    .union(
      db
        .selectFrom('audience_use')
        .innerJoin('audience', 'audience.id', 'audience_use.child_id')
        .select(sql<number>`audience.people_id`.as('people_id'))
        .where('audience.people_id', 'is not', null)
        .where('audience.deleted_at', 'is', null)
        .where(isLive('audience_use')),
    )
    .union(
      audiencesInPackages(db)
        .select(sql<number>`audience.people_id`.as('people_id'))
        .where('audience.people_id', 'is not', null),
    )

const ownPlan = (plan: { id: number; name: string }): CrowdPlan => ({ ...plan, plan_id: null, package_name: null })

/** Each plan once, as it was found first. */
function distinct(plans: readonly CrowdPlan[]): CrowdPlan[] {
  const found = new Map<string, CrowdPlan>()
  for (const plan of plans) {
    const key = `${plan.id} ${plan.plan_id}`
    if (!found.has(key)) found.set(key, plan)
  }
  return [...found.values()]
}

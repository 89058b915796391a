import { type Kysely, sql } from 'kysely'
import type { LivePlan } from '#contract/live-plan.ts'
import { CROWD_FIELDS } from '#contract/targeting/crowds-of.ts'
import type { Database } from '../postgres/schema.ts'
import { isLive } from './live-uses.ts'

/** Live plans that use the packages, by package: ours, and those made on the platform. */
export async function plansOfPackages(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, LivePlan[]>> {
  const wanted = [0, ...ids]
  const ours = await db
    .selectFrom('targeting_use')
    .select(['package_id', 'plan_id as id', sql<string | null>`null`.as('plan_id'), 'plan_name as name'])
    .where('package_id', 'in', wanted)
    .where(isLive('targeting_use'))
    .orderBy('plan_id')
    .execute()
  const there = await db
    .selectFrom('targeting_platform_use')
    .select(['package_id', sql<number | null>`null`.as('id'), 'plan_id', 'name'])
    .where('package_id', 'in', wanted)
    .where('live', '=', true)
    .orderBy('plan_id')
    .execute()
  const plans = new Map<number, LivePlan[]>()
  for (const { package_id, ...plan } of [...ours, ...there]) {
    plans.set(package_id, [...(plans.get(package_id) ?? []), plan])
  }
  return plans
}

/** Packages that a live plan uses, ours or one made on the platform. */
export const packagesInUse = (db: Kysely<Database>) =>
  db
    .selectFrom('targeting_use')
    .select('package_id')
    .where(isLive('targeting_use'))
    .union(db.selectFrom('targeting_platform_use').select('package_id').where('live', '=', true))
    // Of these the platform only tells how many plans there are.
    .union(db.selectFrom('targeting_there').select('package_id').where('plans', '>', 0))

/** `audiencesOfPackages` of packages that live plans use. */
export const audiencesInPackages = (db: Kysely<Database>) =>
  audiencesOfPackages(db).innerJoin(packagesInUse(db).as('used'), 'used.package_id', 'targeting_package.id')

/** The packages, used by a plan or not, that aim at the audiences of a rule crowd or leave them out. */
export const packagesOfRuleCrowd = (db: Kysely<Database>, people_id: number) =>
  audiencesOfPackages(db)
    .select(['targeting_package.id', 'targeting_package.name', 'targeting_package.platform'])
    .distinct()
    .where('audience.people_id', '=', people_id)
    .orderBy('targeting_package.id')
    .execute()

/**
 * Our audiences that packages aim at or leave out: a row for each audience and package. An audience is pushed to accounts
 * of its own advertiser only, and so are the packages.
 */
const audiencesOfPackages = (db: Kysely<Database>) =>
  db
    .selectFrom('targeting_package')
    .innerJoinLateral(
      sql<{ audience_id: string }>`(
        select jsonb_array_elements_text(case when jsonb_typeof(targeting -> field) = 'array'
          then targeting -> field else '[]' end) as audience_id
        from unnest(array[${sql.join(CROWD_FIELDS)}]::text[]) as field)`.as('held'),
      (join) => join.onTrue(),
    )
    .innerJoin('audience', (join) =>
      join
        .onRef('audience.audience_id', '=', 'held.audience_id')
        .onRef('audience.cnt_type', '=', 'targeting_package.platform'),
    )
    .innerJoin('platform_account', (join) =>
      join
        .onRef('platform_account.id', '=', 'audience.account_id')
        .onRef('platform_account.adv_id', '=', 'targeting_package.adv_id'),
    )
    .where('targeting_package.deleted_at', 'is', null)
    .where('audience.deleted_at', 'is', null)

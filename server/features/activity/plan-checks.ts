import { type Kysely, sql, type Transaction } from 'kysely'
import { isSameCreation } from '#contract/activity/creation.ts'
import type { Plan } from '#contract/activity/plan.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { platformInfo } from '#contract/platform.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { isUsable } from './activities.ts'
import type { PlanWants } from './there/want.ts'

/** The type of packages for live rooms, which alone are created on the commerce platform. */
const LIVE = 'LIVE'

/** Whether a plan is created on its platform once its activity is submitted. */
export const isToBeCreated = ({ creation, plan_id }: Plan): boolean => creation !== null && plan_id === null

interface Of {
  adv_id: number
  /** The activity that the plans belong to; null for a new one. */
  campaign_id: number | null
  /** Whether what a plan uses must be able to deliver now. */
  mustDeliver(plan: Plan): boolean
}

/** What plans name that is not there, is of another account, or cannot deliver: each problem names its plan. */
export async function missingThings(tx: Kysely<Database>, plans: readonly Plan[], of: Of): Promise<AnyOutcome[]> {
  const [accounts, packages, crowds, linked] = [
    await accountsOf(tx, plans, of.adv_id),
    await packagesOf(tx, plans, of.adv_id),
    await childrenOf(tx, plans),
    await linkedElsewhere(tx, plans, of),
  ]
  return plans.flatMap((plan) => {
    const causes = [
      ...accountFaults(plan, accounts.get(plan.account_id ?? 0)),
      ...packageFaults(plan, packages.get(plan.package_id ?? 0), of.mustDeliver(plan)),
      ...crowdFaults(plan, crowds, of.mustDeliver(plan)),
      ...(linked.get(`${plan.account_id} ${plan.plan_id}`) ?? []),
    ]
    return causes.map((cause) => outcome('plan_fault', { plan: plan.name, cause }))
  })
}

const accountsOf = async (tx: Kysely<Database>, plans: readonly Plan[], adv_id: number) =>
  new Map(
    (
      await tx
        .selectFrom('platform_account')
        .select(['id', 'platform', 'name'])
        .where('adv_id', '=', adv_id)
        .where('id', 'in', [0, ...plans.flatMap(({ account_id }) => account_id ?? [])])
        .execute()
    ).map((row) => [row.id, row]),
  )

function accountFaults(
  { account_id, platform, package_id, crowds, plan_id }: Plan,
  account: { platform: number; name: string } | undefined,
): AnyOutcome[] {
  if (account_id === null) {
    return [
      ...(package_id !== null || crowds.length > 0 ? [outcome('plan_target_without_account')] : []),
      ...(plan_id === null ? [] : [outcome('plan_link_without_account')]),
    ]
  }
  if (!account) return [outcome('plan_account_unknown')]
  if (account.platform === platform) return []
  return [outcome('account_of_other_platform', { account: account.name, platform: platformInfo(platform).name })]
}

const packagesOf = async (tx: Kysely<Database>, plans: readonly Plan[], adv_id: number) =>
  new Map(
    (
      await tx
        .selectFrom('targeting_package')
        .select(['id', 'account_id', 'name', 'invalid_time', 'is_crowd_lost', 'landing_type'])
        .where('adv_id', '=', adv_id)
        .where('deleted_at', 'is', null)
        .where('id', 'in', [0, ...plans.flatMap(({ package_id }) => package_id ?? [])])
        .execute()
    ).map((row) => [row.id, row]),
  )

function packageFaults(
  plan: Plan,
  found:
    | { account_id: number; name: string; invalid_time: number; is_crowd_lost: boolean; landing_type: string | null }
    | undefined,
  mustDeliver: boolean,
): AnyOutcome[] {
  const { package_id, account_id, creation } = plan
  if (package_id === null || account_id === null) return []
  if (found?.account_id !== account_id) return [outcome('plan_package_missing_there')]
  if (!mustDeliver) return []
  if (creation?.kind === 'commerce' && isToBeCreated(plan) && found.landing_type !== LIVE) {
    return [outcome('plan_package_not_live', { name: found.name })]
  }
  if (found.invalid_time < now()) return [outcome('plan_package_expired', { name: found.name })]
  return found.is_crowd_lost ? [outcome('plan_package_crowd_lost', { name: found.name })] : []
}

const childrenOf = async (tx: Kysely<Database>, plans: readonly Plan[]) =>
  new Map(
    (
      await tx
        .selectFrom('audience')
        .select(['id', 'account_id', 'name', 'deleted_at', isUsable.as('is_usable')])
        .where('id', 'in', [0, ...plans.flatMap(({ crowds }) => crowds.map(({ id }) => id))])
        .execute()
    ).map((row) => [row.id, row]),
  )

function crowdFaults(
  { account_id, crowds }: Plan,
  found: Awaited<ReturnType<typeof childrenOf>>,
  mustDeliver: boolean,
): AnyOutcome[] {
  if (account_id === null) return []
  const rows = crowds.map(({ id }) => found.get(id))
  if (rows.some((row) => row?.account_id !== account_id || row.deleted_at !== null)) {
    return [outcome('plan_crowds_missing_there')]
  }
  if (!mustDeliver) return []
  return rows.flatMap((row) => (row && !row.is_usable ? [outcome('plan_crowd_unusable', { crowd: row.name })] : []))
}

/** Plans of the platform that another activity has linked already, by account and platform id. */
async function linkedElsewhere(tx: Kysely<Database>, plans: readonly Plan[], { adv_id, campaign_id }: Of) {
  const wanted = plans.flatMap(({ account_id, plan_id }) => (account_id === null || plan_id === null ? [] : [plan_id]))
  const rows = await tx
    .selectFrom('campaign_plan as plan')
    .innerJoin('campaign', 'campaign.id', 'plan.campaign_id')
    .select(['plan.account_id', 'plan.plan_id', 'campaign.name'])
    .where('campaign.adv_id', '=', adv_id)
    .where('plan.campaign_id', '!=', campaign_id ?? 0)
    .where('plan.deleted_at', 'is', null)
    .where(sql<boolean>`plan.plan_id = any(${wanted}::text[])`)
    .execute()
  return new Map(
    rows.map(({ account_id, plan_id, name }) => [
      `${account_id} ${plan_id}`,
      [outcome('plan_linked_elsewhere', { plan_id: plan_id ?? '', activity: name })],
    ]),
  )
}

/** The accounts of plans whose operator gave a token. */
const operatedAccounts = async (tx: Kysely<Database>, plans: readonly Plan[]) =>
  new Set(
    (
      await tx
        .selectFrom('plan_account')
        .select('account_id')
        .where('user_token', 'is not', null)
        .where('account_id', 'in', [0, ...plans.flatMap(({ account_id }) => account_id ?? [])])
        .execute()
    ).map(({ account_id }) => account_id),
  )

/** What a platform lets no longer be changed of a plan that it created, or does not create at all. */
export async function creationProblems(
  tx: Transaction<Database>,
  wants: Pick<PlanWants, 'creates' | 'needsOperator' | 'startIsFixed' | 'standing'>,
  plans: readonly Plan[],
  stored: ReadonlyMap<number, Plan>,
  isSubmitted: boolean,
): Promise<AnyOutcome[]> {
  const operated = await operatedAccounts(tx, plans)
  const problems: AnyOutcome[] = []
  for (const plan of plans) {
    const { id, name, platform, creation } = plan
    const refuse = (cause: AnyOutcome) => problems.push(outcome('plan_fault', { plan: name, cause }))
    const was = id === undefined ? undefined : stored.get(id)
    if (isToBeCreated(plan) && !wants.creates(platform)) refuse(outcome('plan_creation_off', { platform }))
    const asksOperator = isSubmitted && isToBeCreated(plan) && wants.needsOperator(platform)
    if (asksOperator && plan.account_id !== null && !operated.has(plan.account_id))
      refuse(outcome('plan_operator_missing'))
    if (id === undefined || !was?.creation) continue
    if (creation === null) {
      const there = was.plan_id === null ? await wants.standing(tx, id) : undefined
      if (there && (there.state === 'waiting' || there.making !== null)) refuse(outcome('plan_creation_running'))
      continue
    }
    if (was.plan_id === null) continue
    if (!isSameCreation(creation, was.creation)) refuse(outcome('plan_creation_fixed'))
    if (plan.start_date !== was.start_date && wants.startIsFixed(platform)) refuse(outcome('plan_start_fixed'))
  }
  return problems
}

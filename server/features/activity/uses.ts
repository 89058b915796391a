import type { Kysely } from 'kysely'
import type { Database } from '../../postgres/schema.ts'
import { lastSecondOf } from '../../time/day.ts'
import { crowdsOfPlans, plansOf, type StoredActivity } from './activities.ts'

/** Writes what the plans of an activity use, and which of them are enabled; nothing for an activity that is deleted. */
export async function keepUses(tx: Kysely<Database>, campaign_id: number, timezone: string): Promise<void> {
  const all = await tx.selectFrom('campaign_plan').select('id').where('campaign_id', '=', campaign_id).execute()
  const ids = [0, ...all.map(({ id }) => id)]
  await tx.deleteFrom('targeting_use').where('plan_id', 'in', ids).execute()
  await tx.deleteFrom('audience_use').where('plan_id', 'in', ids).execute()
  const campaign = await tx
    .selectFrom('campaign')
    .selectAll()
    .where('id', '=', campaign_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!campaign) return
  const plans = await plansOf(tx, [campaign_id])
  const uses = new Map(
    plans.map((plan) => [
      plan.id,
      {
        plan_id: plan.id,
        plan_name: plan.name,
        live: isOn(campaign) && plan.is_open === 1,
        until: plan.end_date === null ? null : lastSecondOf(plan.end_date, timezone),
      },
    ]),
  )
  const packages = plans.flatMap(({ id, package_id }) => {
    const use = uses.get(id)
    return use && package_id !== null ? [{ ...use, package_id }] : []
  })
  const crowds = (await crowdsOfPlans(tx, [...uses.keys()])).flatMap(({ plan_id, id: child_id }) => {
    const use = uses.get(plan_id)
    return use ? [{ ...use, child_id }] : []
  })
  if (packages.length > 0) await tx.insertInto('targeting_use').values(packages).execute()
  if (crowds.length > 0) await tx.insertInto('audience_use').values(crowds).execute()
}

const isOn = ({ submitted_at, is_open }: StoredActivity) => submitted_at !== null && is_open === 1

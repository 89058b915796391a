import { z } from 'zod'
import { PlatformCode } from '#contract/platform.ts'
import { type Draft, newPlan } from './draft.ts'

/** A plan of the platform for which an activity is opened. */
const PlanLink = z.object({
  plan_id: z.string(),
  /** null where the reports name no account. */
  platform: PlatformCode.nullable(),
  account: z.object({ id: z.int(), name: z.string(), external_id: z.string() }).nullable(),
})
export type PlanLink = z.infer<typeof PlanLink>

/** What a page that opens the workbench gives it, in the history's entry. */
const Opened = z.object({ link: PlanLink })
export const openedFor = (link: PlanLink): z.infer<typeof Opened> => ({ link })
export const linkIn = (state: unknown): PlanLink | null => Opened.safeParse(state).data?.link ?? null

/** The activity with a plan that is linked so; as it is where one is. */
export function withLink(draft: Draft, { plan_id, platform, account }: PlanLink): Draft {
  const isThere = draft.plans.some((one) => one.plan_id === plan_id && (!account || one.account_id === account.id))
  if (isThere) return draft
  const plan = newPlan(platform ?? draft.plans.at(-1)?.platform, draft.plans.length + 1)
  const name = `平台计划 ${plan_id}`.slice(0, 30)
  return { ...draft, plans: [...draft.plans, { ...plan, name, plan_id, account, account_id: account?.id ?? null }] }
}

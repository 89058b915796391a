import type { Draft, PlanDraft } from './draft.ts'

interface Part<T> {
  label: string
  of: (one: T) => Partial<T>
}

const ACTIVITY_PARTS: readonly Part<Draft>[] = [
  { label: '活动名称', of: ({ name }) => ({ name }) },
  { label: '产品', of: ({ product_id }) => ({ product_id }) },
  { label: '每天自动同步', of: ({ auto_sync }) => ({ auto_sync }) },
]

const ACCOUNT: Part<PlanDraft> = {
  label: '投放账户',
  of: ({ platform, account_id, account }) => ({ platform, account_id, account }),
}
/** What is chosen on an account, and goes when it changes. */
const OF_ACCOUNT: readonly Part<PlanDraft>[] = [
  {
    label: '平台上的计划',
    of: ({ plan_id, creation, operator_saved }) => ({
      plan_id,
      creation,
      ...(operator_saved !== undefined && { operator_saved }),
    }),
  },
  { label: '定向包', of: ({ package_id, package_name }) => ({ package_id, package_name }) },
  { label: '人群', of: ({ crowds }) => ({ crowds }) },
  { label: '预算', of: ({ budget_mode, budget }) => ({ budget_mode, budget }) },
]
const OTHER_PARTS: readonly Part<PlanDraft>[] = [
  { label: '计划名称', of: ({ name }) => ({ name }) },
  { label: '日期', of: ({ start_date, end_date }) => ({ start_date, end_date }) },
  { label: '投放时段', of: ({ hours }) => ({ hours }) },
  { label: '计划开关', of: ({ is_open }) => ({ is_open }) },
]
const PLAN_PARTS = [ACCOUNT, ...OF_ACCOUNT, ...OTHER_PARTS]

const differs = <T>({ of }: Part<T>, one: T, other: T): boolean => JSON.stringify(of(one)) !== JSON.stringify(of(other))
const planWith = (draft: Draft, key: string) => draft.plans.find((plan) => plan.key === key)

/** What a draft has otherwise than the one it began with, in the form's words; plans by their keys. */
export function changedParts(base: Draft, now: Draft): string[] {
  const own = ACTIVITY_PARTS.filter((part) => differs(part, base, now)).map(({ label }) => label)
  const gone = base.plans.filter(({ key }) => !planWith(now, key)).map(({ name }) => `删除计划「${name}」`)
  const others = now.plans.flatMap((plan) => {
    const was = planWith(base, plan.key)
    if (!was) return [`新增计划「${plan.name}」`]
    const labels = PLAN_PARTS.filter((part) => differs(part, was, plan)).map(({ label }) => label)
    return labels.length === 0 ? [] : [`计划「${was.name}」的${labels.join('、')}`]
  })
  return [...own, ...others, ...gone]
}

/**
 * Two people's changes of one draft together: what I changed is mine, all else is theirs. A plan that either of them
 * removed is gone. What is chosen on an account comes from who changed the account.
 */
export function mergedDraft(base: Draft, mine: Draft, theirs: Draft): Draft {
  const kept = theirs.plans.flatMap((plan) => {
    const was = planWith(base, plan.key)
    const own = planWith(mine, plan.key)
    if (!was) return [plan]
    return own ? [mergedPlan(was, own, plan)] : []
  })
  const added = mine.plans.filter(({ key }) => !planWith(base, key))
  return { ...withMine(ACTIVITY_PARTS, base, mine, theirs), plans: [...kept, ...added] }
}

function mergedPlan(base: PlanDraft, mine: PlanDraft, theirs: PlanDraft): PlanDraft {
  const merged = withMine(OTHER_PARTS, base, mine, theirs)
  if (differs(ACCOUNT, base, mine)) return withParts([ACCOUNT, ...OF_ACCOUNT], mine, merged)
  return differs(ACCOUNT, base, theirs) ? merged : withMine(OF_ACCOUNT, base, mine, merged)
}

function withMine<T>(parts: readonly Part<T>[], base: T, mine: T, theirs: T): T {
  const changed = parts.filter((part) => differs(part, base, mine))
  return withParts(changed, mine, theirs)
}

function withParts<T>(parts: readonly Part<T>[], from: T, to: T): T {
  let all = to
  for (const { of } of parts) all = { ...all, ...of(from) }
  return all
}

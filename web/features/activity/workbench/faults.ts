import { budgetFault } from '#contract/activity/budget.ts'
import { bidFault } from '#contract/activity/creation.ts'
import { planFaults, repeatedFaults } from '#contract/activity/plan.ts'
import { scheduleFaults } from '#contract/activity/schedule.ts'
import { ActivityName } from '#contract/activity.ts'
import { PlanName } from '#contract/activity-plan.ts'
import { keysOf } from '#contract/common.ts'
import { type OutcomeCode, outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { today } from '../../../lib/zone.ts'
import type { Draft, PlanDraft } from './draft.ts'

interface Field<Of> {
  /** The id of its control. */
  id: string
  /** What it depends on: a refusal of it stands until that changes. */
  of: (what: Of) => unknown
}

/** The fields of the activity itself, from the top. */
const ACTIVITY_FIELDS = {
  name: { id: 'activity-name', of: ({ name }) => name },
  plans: { id: 'activity-add', of: ({ plans }) => plans.length },
} as const satisfies Record<string, Field<Draft>>

const bidOf = ({ creation }: PlanDraft) =>
  creation === null || creation.kind === 'video' ? null : [creation.smart_bid_type, creation.bid]

/** The fields of a plan, from the top. */
const PLAN_FIELDS = {
  plan_name: { id: 'plan-name', of: ({ name }) => name },
  account: { id: 'plan-account', of: ({ platform, account_id }) => [platform, account_id] },
  creation: { id: 'plan-there', of: ({ account_id, creation }) => [account_id, creation] },
  link: { id: 'plan-link', of: ({ account_id, plan_id, creation }) => [account_id, plan_id, creation === null] },
  marketing_asset_id: {
    id: 'creation-asset',
    of: ({ creation }) => creation?.kind === 'social' && creation.marketing_asset_id,
  },
  aweme_id: { id: 'creation-aweme', of: ({ creation }) => creation?.kind === 'commerce' && creation.aweme_id },
  bid: { id: 'creation-bid', of: bidOf },
  operator: { id: 'plan-operator', of: ({ account_id, operator_saved }) => [account_id, operator_saved ?? false] },
  target: { id: 'plan-package', of: ({ account_id, package_id, crowds }) => [account_id, package_id, crowds] },
  crowds: { id: 'plan-include', of: ({ account_id, crowds }) => [account_id, crowds] },
  budget: { id: 'plan-budget', of: ({ platform, budget_mode, budget }) => [platform, budget_mode, budget] },
  start: { id: 'plan-start', of: ({ start_date, creation }) => [start_date, creation === null] },
  end: { id: 'plan-end', of: ({ start_date, end_date, creation }) => [start_date, end_date, creation === null] },
  hours: { id: 'plan-hours', of: ({ hours }) => hours },
} as const satisfies Record<string, Field<PlanDraft>>

type ActivityField = keyof typeof ACTIVITY_FIELDS
export type PlanField = keyof typeof PLAN_FIELDS

/** Something wrong, and where in the form it is said: at a field, or above the form where it is about none. */
export type Fault =
  | { plan: null; field: ActivityField | null; reason: AnyOutcome }
  /** `plan`: its key. */
  | { plan: string; field: PlanField; reason: AnyOutcome }

/** The fields that refusals of a plan are about. */
const FIELD_OF: Partial<Record<OutcomeCode, PlanField>> = {
  plan_name_twice: 'plan_name',
  plan_account_missing: 'account',
  plan_account_unknown: 'account',
  plan_account_fixed: 'account',
  plan_target_without_account: 'account',
  plan_link_without_account: 'account',
  plan_creation_other: 'creation',
  plan_creation_off: 'creation',
  plan_creation_fixed: 'creation',
  plan_creation_running: 'creation',
  plan_creation_bid: 'bid',
  plan_bid_decimals: 'bid',
  plan_linked_twice: 'link',
  plan_linked_elsewhere: 'link',
  plan_target_missing: 'target',
  plan_package_missing: 'target',
  plan_operator_missing: 'operator',
  plan_package_missing_there: 'target',
  plan_package_expired: 'target',
  plan_package_crowd_lost: 'target',
  plan_package_not_live: 'target',
  plan_crowds_none_there: 'target',
  plan_crowd_twice: 'crowds',
  plan_crowds_many: 'crowds',
  plan_crowds_missing_there: 'crowds',
  plan_crowd_unusable: 'crowds',
  plan_budget_missing: 'budget',
  plan_budget_decimals: 'budget',
  plan_budget_mode: 'budget',
  plan_budget_bounds: 'budget',
  plan_start_missing: 'start',
  plan_start_fixed: 'start',
  plan_end_before_start: 'end',
  plan_end_past: 'end',
  plan_creation_end_missing: 'end',
  plan_hours_empty: 'hours',
}

const isPlanField = (name: unknown): name is PlanField => typeof name === 'string' && Object.hasOwn(PLAN_FIELDS, name)

const fieldOf = ({ code, params }: AnyOutcome): PlanField | undefined => {
  if (code === 'plan_creation_missing') return isPlanField(params.field) ? params.field : undefined
  return FIELD_OF[code as OutcomeCode]
}

const at = (plan: PlanDraft, reasons: readonly AnyOutcome[]): Fault[] =>
  reasons.map((reason) => {
    const field = fieldOf(reason)
    // Without a field of its own it is said above the form, with the plan's name.
    if (field === undefined) return above(outcome('plan_fault', { plan: plan.name || UNNAMED, cause: reason }))
    return { plan: plan.key, field, reason }
  })
const above = (reason: AnyOutcome): Fault => ({ plan: null, field: null, reason })

/** Problems of a whole activity, as the server says them, at the fields that they are about. */
export function placed(problems: readonly AnyOutcome[], { plans }: Draft): Fault[] {
  const where = (holds: (plan: PlanDraft) => boolean, reason: AnyOutcome): Fault[] => {
    const found = plans.filter(holds)
    return found.length === 0 ? [above(reason)] : found.flatMap((plan) => at(plan, [reason]))
  }
  return problems.flatMap((problem): Fault[] => {
    const { code, params } = problem
    if (code === 'activity_without_plans') return [{ plan: null, field: 'plans', reason: problem }]
    if (code === 'plan_name_twice') return where(({ name }) => name === params.name, problem)
    if (code === 'plan_linked_twice') return where(({ plan_id }) => plan_id === params.plan_id, problem)
    if (code !== 'plan_fault') return [above(problem)]
    const found = plans.filter(({ name }) => (name || UNNAMED) === params.plan)
    return found.length === 0 ? [above(problem)] : found.flatMap((plan) => at(plan, [params.cause as AnyOutcome]))
  })
}

/** What a plan without a name is called. */
export const UNNAMED = '未命名'

const nameFaults = (schema: typeof ActivityName, name: string): AnyOutcome[] => {
  const read = schema.safeParse(name)
  return read.success ? [] : [outcome('input_refused', { text: read.error.issues[0]?.message ?? '名称不正确' })]
}

const repeatedIn = (draft: Draft): Fault[] =>
  placed(repeatedFaults(draft.plans.filter(({ name }) => name !== '')), draft)

/** What keeps a draft from being saved or submitted, as the server would say it. */
export const faultsOf = (draft: Draft, isSubmitted: boolean, ends: ReadonlyMap<number, string | null>): Fault[] => [
  ...nameFaults(ActivityName, draft.name).map((reason): Fault => ({ plan: null, field: 'name', reason })),
  ...(isSubmitted && draft.plans.length === 0 ? placed([outcome('activity_without_plans')], draft) : []),
  ...draft.plans.flatMap((plan): Fault[] => [
    ...nameFaults(PlanName, plan.name).map((reason): Fault => ({ plan: plan.key, field: 'plan_name', reason })),
    ...at(plan, planFaults(plan, { isSubmitted, today: today(), ends })),
  ]),
  ...repeatedIn(draft),
]

/** What is wrong with what was filled in, which is said at once. A stored plan may keep an end that has passed. */
export const faultsAtOnce = (draft: Draft): Fault[] => [
  ...repeatedIn(draft),
  ...draft.plans.flatMap((plan) => {
    const { id, start_date, end_date, budget, creation } = plan
    const days = scheduleFaults({ start_date, end_date, hours: null }, today(), id === undefined ? null : end_date)
    const amounts = [budget === null ? null : budgetFault(plan), creation === null ? null : bidFault(creation)]
    return at(plan, [
      ...days.filter(({ code }) => code !== 'plan_start_missing'),
      ...amounts.filter((reason) => reason !== null),
    ])
  }),
]

/** What a fault is about, as it is in a draft; undefined once its plan is gone. */
function about({ plan: key, field, reason }: Fault, draft: Draft): unknown {
  if (key === null) return field === null ? draft : ACTIVITY_FIELDS[field].of(draft)
  const plan = draft.plans.find((one) => one.key === key)
  // These are about other plans, too.
  if (reason.code === 'plan_name_twice') return draft.plans.map(({ name }) => name)
  if (reason.code === 'plan_linked_twice') return draft.plans.map(({ plan_id }) => plan_id)
  return plan && PLAN_FIELDS[field].of(plan)
}

/** Those of the faults that were found in `then` whose fields are still as they were. */
export const stillThere = (faults: readonly Fault[], then: Draft, now: Draft): Fault[] =>
  faults.filter((fault) => {
    const is = about(fault, now)
    return is !== undefined && JSON.stringify(is) === JSON.stringify(about(fault, then))
  })

/** The first of the faults from the top of the form, the plans in their order; null where there is none. */
export function firstFault(faults: readonly Fault[], { plans }: Draft): Fault | null {
  const places = [...keysOf(ACTIVITY_FIELDS), ...keysOf(PLAN_FIELDS)] as const
  const placeOf = ({ plan, field }: Fault): number => {
    if (field === null) return -1
    const row = plan === null ? -1 : plans.findIndex(({ key }) => key === plan)
    return (row + 1) * places.length + places.indexOf(field)
  }
  return faults.toSorted((one, other) => placeOf(one) - placeOf(other))[0] ?? null
}

/** The ids of controls that get the focus by themselves. */
export const CONTROLS = {
  name: ACTIVITY_FIELDS.name.id,
  plans: ACTIVITY_FIELDS.plans.id,
  plan_name: PLAN_FIELDS.plan_name.id,
} as const

/** The id of the control that a fault is about; null for one above the form. */
export function controlOf(fault: Fault): string | null {
  if (fault.plan !== null) return PLAN_FIELDS[fault.field].id
  return fault.field === null ? null : ACTIVITY_FIELDS[fault.field].id
}

/** How many fields have a fault: several of one count once. */
export const fieldsIn = (faults: readonly Fault[]): number =>
  new Set(faults.map(({ plan, field }) => `${plan} ${field}`)).size

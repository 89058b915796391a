import { AMOUNT_HIDDEN, BUDGET_MODES } from './budget.ts'
import { creationWords } from './creation.ts'
import { CROWD_ROLES, type Plan } from './plan.ts'
import { hoursWords } from './schedule.ts'
import type { FaceThere, PlanThere } from './there.ts'

/** An activity as its log keeps it, with the names of that time. */
export interface Snapshot {
  name: string
  is_open: 0 | 1
  /** Missing in logs from before it could be chosen, when it was 1. */
  auto_sync?: 0 | 1
  product: string | null
  plans: readonly PlanSnapshot[]
}
export interface PlanSnapshot extends Omit<Plan, 'crowds' | 'creation'> {
  id: number
  /** Missing in logs from before plans were created on platforms. */
  creation?: Plan['creation']
  account: string | null
  package: string | null
  crowds: readonly { id: number; role: keyof typeof CROWD_ROLES; name: string }[]
  /**
   * On its platform, as it was read last: 'gone' where it was deleted there; null where it was not read. With its name and
   * days where people changed them there.
   */
  there?: (PlanThere & Partial<FaceThere>) | 'gone' | null
}

/** One thing that a save changed; null on the side where it was not there. */
export interface Change {
  /** Of what: empty for the activity itself. */
  plan: string | null
  /** Whether the plan itself came or went. */
  is_plan: boolean
  label: string
  before: string | null
  after: string | null
}

const onOff = (is_open: 0 | 1) => (is_open === 1 ? '开启' : '关闭')
const yuanWords = (fen: number) => `${(fen / 100).toFixed(2)} 元`
/** How an amount of fen is written. */
type Yuan = typeof yuanWords
const HIDDEN: Yuan = () => AMOUNT_HIDDEN

type PlanLine = readonly [label: string, say: (plan: PlanSnapshot, yuan: Yuan) => string | null]

/** What is said of a plan beside its name, in the order of the form. */
const LINES_OF_NEW: readonly PlanLine[] = [
  ['投放账户', ({ account }) => account],
  ['平台计划 ID', ({ plan_id }) => plan_id],
  ['在平台新建', ({ creation }, yuan) => (creation ? creationWords(creation, yuan) : null)],
  ['定向包', ({ package: own }) => own],
  ['人群', ({ crowds }) => crowds.map(({ role, name }) => `${CROWD_ROLES[role]} ${name}`).join('、') || null],
  [
    '预算',
    ({ budget_mode, budget }, yuan) =>
      budget_mode === 'none'
        ? BUDGET_MODES.none
        : budget === null
          ? null
          : `${BUDGET_MODES[budget_mode]} ${yuan(budget)}`,
  ],
  ['开始日期', ({ start_date }) => start_date],
  ['结束日期', ({ start_date, end_date }) => end_date ?? (start_date === null ? null : '长期')],
  ['投放时段', ({ hours }) => hoursWords(hours)],
  ['平台上的开关', ({ there }) => (there ? (there === 'gone' ? '已删除' : onOff(there.is_on ? 1 : 0)) : null)],
  [
    '平台上的预算',
    ({ there }, yuan) =>
      !there || there === 'gone'
        ? null
        : there.budget.fen === null
          ? BUDGET_MODES.none
          : `${BUDGET_MODES[there.budget.mode]} ${yuan(there.budget.fen)}`,
  ],
  ['平台上的名称', ({ there }) => (there && there !== 'gone' && there.name) || null],
  [
    '平台上的日期',
    ({ there }) =>
      there && there !== 'gone' && there.days
        ? `${there.days.start ?? ''} 至 ${there.days.end ?? '长期'}`.trim()
        : null,
  ],
  ['计划开关', ({ is_open }) => onOff(is_open)],
]
const PLAN_LINES: readonly PlanLine[] = [['计划名称', ({ name }) => name], ...LINES_OF_NEW]
const ACTIVITY_LINES: readonly [string, (activity: Snapshot) => string | null][] = [
  ['活动名称', ({ name }) => name],
  ['产品', ({ product }) => product],
  ['活动开关', ({ is_open }) => onOff(is_open)],
  ['每天自动同步', ({ auto_sync }) => onOff(auto_sync ?? 1)],
]

/**
 * What differs between two states of an activity; a plan that went is one change, one that came is told whole. A viewer
 * who may not see amounts reads that they were changed.
 */
export function changesBetween(
  before: Snapshot | null,
  after: Snapshot | null,
  { seesAmounts = true }: { seesAmounts?: boolean } = {},
): Change[] {
  const own = ACTIVITY_LINES.map(([label, say]) => ({
    plan: null,
    is_plan: false,
    label,
    before: before && say(before),
    after: after && say(after),
  }))
  const ids = [...new Set([...(before?.plans ?? []), ...(after?.plans ?? [])].map(({ id }) => id))]
  const ofPlans = ids.flatMap((id): Change[] => {
    const [was, is] = [before, after].map((state) => state?.plans.find((plan) => plan.id === id))
    const shown = seesAmounts ? yuanWords : HIDDEN
    if (!is) {
      const name = was?.name ?? ''
      return [{ plan: name, is_plan: true, label: '计划', before: name, after: null }]
    }
    if (!was) {
      const { name } = is
      const lines = LINES_OF_NEW.flatMap(([label, say]): Change[] => {
        const after = say(is, shown)
        return after === null ? [] : [{ plan: name, is_plan: false, label, before: null, after }]
      })
      return [{ plan: name, is_plan: true, label: '计划', before: null, after: name }, ...lines]
    }
    return PLAN_LINES.filter(([, say]) => say(was, yuanWords) !== say(is, yuanWords)).map(([label, say]) => ({
      plan: is.name,
      is_plan: false,
      label,
      before: say(was, shown),
      after: say(is, shown),
    }))
  })
  return [...own.filter((change) => change.before !== change.after), ...ofPlans]
}

import { CROWD_TAG, type RuleNode, type RuleOp, type SubTag } from '#contract/rule.ts'

/** One version of a tag's or a crowd's members. A version is written once and never changed. */
export type StoredSet = { kind: 'tag' | 'crowd'; id: number; version: number }

/**
 * A version as a count uses it. Callers fix the versions once, so that chips and nodes agree. `count` was stored with the
 * version; a count over a different number of members is refused, so a dropped version never counts as empty.
 */
export type SetVersion = StoredSet & { count: number }

/**
 * A rule as a list of steps. Slots 0 to sets.length-1 are the sets; step i fills slot sets.length+i,
 * its parts are slots before it, and the last step is the root.
 */
export type RulePlan = { sets: SetVersion[]; steps: { id: string; op: RuleOp; parts: number[] }[] }

/** The error of a set that does not hold the people it was stored with. */
export const otherSize = ({ kind, id, version, count }: SetVersion, found: number) =>
  new Error(`${kind} ${id} version ${version} holds ${found} people in the warehouse, ${count} were expected`)

const nameOf = (kind: SetVersion['kind'], id: number) => `${kind} ${id}`
const kindOf = (tag: SubTag): SetVersion['kind'] => (tag.tag_type === CROWD_TAG ? 'crowd' : 'tag')

/** Each set once, however often the rule names it. */
export function planRule(rule: RuleNode, versions: readonly SetVersion[]): RulePlan {
  const pinned = new Map(versions.map((set) => [nameOf(set.kind, set.id), set]))
  const slots = new Map<string, number>()
  const sets: SetVersion[] = []
  const slotOf = (tag: SubTag) => {
    const name = nameOf(kindOf(tag), tag.id)
    const known = slots.get(name)
    if (known !== undefined) return known
    const set = pinned.get(name)
    if (!set) throw new Error(`No version of ${name} was given for this rule`)
    slots.set(name, sets.length)
    return sets.push(set) - 1
  }
  const leaves = (node: RuleNode): void => {
    for (const tag of node.subTags) slotOf(tag)
    for (const child of node.exps) leaves(child)
  }
  leaves(rule)

  const steps: RulePlan['steps'] = []
  const visit = (node: RuleNode): number => {
    const parts = node.exps.length > 0 ? node.exps.map(visit) : node.subTags.map(slotOf)
    return sets.length + steps.push({ id: node.id, op: node.op ?? 'u', parts }) - 1
  }
  visit(rule)
  return { sets, steps }
}

/** Several plans as one, which reads each set once; `roots` holds the slot of each plan's root. */
export type JoinedPlan = RulePlan & { roots: number[] }

/** Joins plans that name each set in one version alone, and each of which names at least one set. */
export function joinPlans(plans: readonly RulePlan[]): JoinedPlan {
  const sets: SetVersion[] = []
  const slots = new Map<string, number>()
  const slotOf = (set: SetVersion) => {
    const name = nameOf(set.kind, set.id)
    const known = slots.get(name)
    if (known !== undefined) return known
    slots.set(name, sets.length)
    return sets.push(set) - 1
  }
  const setSlots = plans.map((plan) => plan.sets.map(slotOf))
  const steps: RulePlan['steps'] = []
  const roots = plans.map((plan, which) => {
    const first = sets.length + steps.length
    const joined = (part: number) =>
      part < plan.sets.length ? (setSlots[which]?.[part] as number) : first + part - plan.sets.length
    steps.push(...plan.steps.map((step) => ({ ...step, parts: step.parts.map(joined) })))
    return sets.length + steps.length - 1
  })
  return { sets, steps, roots }
}

import { describe, expect, test } from 'vitest'
import { type Draft, emptyDraft, newPlan, onAccount, type PlanDraft } from './draft.ts'
import { changedParts, mergedDraft } from './merge.ts'

const planOf = (key: string, given: Partial<PlanDraft> = {}): PlanDraft => ({
  ...newPlan(undefined, 1),
  ...{ key, name: `计划${key}`, account_id: 1, account: { id: 1, name: '甲' }, package_id: 5, budget: 50_000 },
  ...given,
})
const draftOf = (given: Partial<Draft> = {}): Draft => ({
  ...emptyDraft(),
  ...{ name: '双11', plans: [planOf('a'), planOf('b')] },
  ...given,
})
const base = draftOf()
const changed = (given: Partial<PlanDraft>) => draftOf({ plans: [planOf('a', given), planOf('b')] })
const onOther = (plan: PlanDraft) => onAccount(plan, { id: 2, name: '乙' })

describe('two people’s changes of one activity', () => {
  test.each<[string, Draft, Draft, Draft, string[]]>([
    ['nothing of mine', base, changed({ budget: 80_000 }), changed({ budget: 80_000 }), ['计划「计划a」的预算']],
    ['nothing of theirs', changed({ budget: 80_000 }), base, changed({ budget: 80_000 }), []],
    [
      'different parts',
      changed({ budget: 80_000 }),
      { ...changed({ end_date: '2026-12-31' }), name: '双12' },
      { ...changed({ budget: 80_000, end_date: '2026-12-31' }), name: '双12' },
      ['活动名称', '计划「计划a」的日期'],
    ],
    [
      'the same part',
      changed({ name: '我的' }),
      changed({ name: '对方的' }),
      changed({ name: '我的' }),
      ['计划「计划a」的计划名称'],
    ],
    [
      'plans added by both',
      draftOf({ plans: [...base.plans, planOf('mine')] }),
      draftOf({ plans: [...base.plans, planOf('theirs')] }),
      draftOf({ plans: [...base.plans, planOf('theirs'), planOf('mine')] }),
      ['新增计划「计划theirs」'],
    ],
    [
      'a plan that they removed and I changed',
      changed({ budget: 80_000 }),
      draftOf({ plans: [planOf('b')] }),
      draftOf({ plans: [planOf('b')] }),
      ['删除计划「计划a」'],
    ],
    [
      'a plan that I removed and they changed',
      draftOf({ plans: [planOf('b')] }),
      changed({ budget: 80_000 }),
      draftOf({ plans: [planOf('b')] }),
      ['计划「计划a」的预算'],
    ],
  ])('%s', (_, mine, theirs, merged, said) => {
    expect(mergedDraft(base, mine, theirs)).toEqual(merged)
    expect(changedParts(base, theirs)).toEqual(said)
  })

  test('what is chosen on an account stays with it', () => {
    const moved = onOther(planOf('a'))
    const mine = draftOf({ plans: [moved, planOf('b')] })
    expect(mergedDraft(base, mine, changed({ package_id: 9, is_open: 0 })).plans[0]).toEqual({ ...moved, is_open: 0 })
    expect(mergedDraft(base, changed({ package_id: 9, is_open: 0 }), mine).plans[0]).toEqual({ ...moved, is_open: 0 })
  })
})

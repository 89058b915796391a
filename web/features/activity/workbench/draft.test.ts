import { expect, test } from 'vitest'
import { PLATFORMS } from '#contract/platform.ts'
import {
  type Draft,
  emptyDraft,
  faultsOf,
  isSame,
  newPlan,
  onAccount,
  onPlatform,
  plansIn,
  savedOf,
  sentencesOf,
} from './draft.ts'

const draft = (plans: Draft['plans'] = [newPlan(undefined, 1)]): Draft => ({ ...emptyDraft(), name: '双11', plans })

test('a new draft can be saved as it is, and says all that is missing before it is submitted', () => {
  expect(faultsOf(draft(), false, new Map())).toEqual([])
  const problems = faultsOf(draft(), true, new Map())
  expect(sentencesOf(problems)).toEqual([
    '计划「计划1」：请选择投放账户',
    '计划「计划1」：请选择定向包或人群',
    '计划「计划1」：请输入预算',
  ])
  expect([...plansIn(problems)]).toEqual(['计划1'])
})

test('names are refused with the words of the form', () => {
  const unnamed = { ...newPlan(undefined, 1), name: '' }
  expect(sentencesOf(faultsOf({ ...draft([unnamed]), name: '' }, false, new Map()))).toEqual([
    '请输入活动名称',
    '计划「未命名」：请输入计划名称',
  ])
  // What else a plan without a name lacks has its sentences, too.
  const submitted = faultsOf(draft([unnamed]), true, new Map())
  expect(sentencesOf(submitted)).toEqual([
    '计划「未命名」：请输入计划名称',
    '计划「未命名」：请选择投放账户',
    '计划「未命名」：请选择定向包或人群',
    '计划「未命名」：请输入预算',
  ])
  expect([...plansIn(submitted)]).toEqual(['未命名'])
})

test('another account or platform drops what was chosen on the former', () => {
  const account = { id: 3, name: '甲' }
  const plan = {
    ...onAccount(newPlan(undefined, 1), account),
    package_id: 5,
    package_name: '春季',
    plan_id: '7',
    crowds: [{ id: 1, role: 'include' as const, name: '老客' }],
  }
  expect(onAccount(plan, null)).toMatchObject({ account_id: null, package_id: null, plan_id: null, crowds: [] })
  const none = { ...plan, budget_mode: 'none' as const }
  expect(onPlatform(none, PLATFORMS.commerce.code)).toMatchObject({ platform: 3, budget_mode: 'day', account: null })
})

test('only what is saved counts as a change, and a budget without limit is none', () => {
  const one = draft()
  const [plan] = one.plans
  if (!plan) throw new Error('no plan')
  expect(isSame(one, draft([{ ...plan, package_name: '别名', key: 'x' }]))).toBe(true)
  expect(isSame(one, draft([{ ...plan, budget: 100 }]))).toBe(false)
  expect(isSame(one, { ...one, auto_sync: 0 })).toBe(false)
  expect(savedOf({ ...one, auto_sync: 0 }).auto_sync).toBe(0)
  expect(savedOf(draft([{ ...plan, budget_mode: 'none', budget: 100 }])).plans[0]?.budget).toBeNull()
})

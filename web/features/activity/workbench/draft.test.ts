import { expect, test } from 'vitest'
import { PLATFORMS } from '#contract/platform.ts'
import { type Draft, emptyDraft, isSame, newPlan, onAccount, onPlatform, savedOf } from './draft.ts'

const draft = (plans: Draft['plans'] = [newPlan(undefined, 1)]): Draft => ({ ...emptyDraft(), name: '双11', plans })

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
  expect(isSame(one, draft([{ ...plan, hides_amounts: true }]))).toBe(true)
  expect(isSame(one, draft([{ ...plan, budget: 100 }]))).toBe(false)
  expect(isSame(one, { ...one, auto_sync: 0 })).toBe(false)
  expect(savedOf({ ...one, auto_sync: 0 }).auto_sync).toBe(0)
  expect(savedOf(draft([{ ...plan, budget_mode: 'none', budget: 100 }])).plans[0]?.budget).toBeNull()
})

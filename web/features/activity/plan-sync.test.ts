import { expect, test } from 'vitest'
import type { PlanSync } from '#contract/activity-plan.ts'
import { outcome } from '#contract/outcome.ts'
import { formatNextAttempt } from '../../lib/format.ts'
import { planSyncWords, troubleWords } from './plan-sync.ts'

const sync = (given: Partial<PlanSync>): PlanSync => ({
  ...{ state: 'synced', reason: null, told: [], read_at: null, can_retry: false, can_settle: false },
  ...given,
})
const throttled = outcome('platform_throttled')
const again = outcome('plan_tries_again', { at: 600, cause: throttled })

test.each<[string, Partial<PlanSync>, string]>([
  ['is as it is here', {}, ''],
  ['is being changed', { state: 'syncing' }, '同步中'],
  [
    'waits after a failure',
    { state: 'syncing', reason: again },
    `同步中：平台限流，稍后自动重试，${formatNextAttempt(600)}`,
  ],
  ['is refused', { state: 'failed', reason: throttled }, '平台没有接受：平台限流'],
  ['runs there', { told: [outcome('plan_runs_there')] }, '在平台上仍是开启的'],
])('a plan that %s', (_, given, words) => {
  expect(planSyncWords(sync(given))).toBe(words)
})

test('the plans of an activity that its platforms did not make or change are counted and named', () => {
  const plans = [
    { name: '甲', sync: sync({}) },
    { name: '乙', sync: sync({ state: 'uncreated', reason: throttled }) },
    { name: '丙', sync: sync({ state: 'failed', reason: throttled }) },
    { name: '丁', sync: sync({ state: 'local' }) },
  ]
  expect(troubleWords(plans)).toEqual({
    short: '2 个计划未同步到平台',
    whole: ['「乙」创建失败：平台限流', '「丙」平台没有接受：平台限流'],
  })
  expect(troubleWords(plans.slice(0, 1))).toEqual({ short: '', whole: [] })
})

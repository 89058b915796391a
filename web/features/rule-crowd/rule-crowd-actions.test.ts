import { expect, test } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import type { RuleCrowd, RuleCrowdStatus } from '#contract/rule-crowd.ts'
import { isComputing, problemOf, refusalsOf } from './rule-crowd-actions.ts'

const aRuleCrowd = (status: RuleCrowdStatus, change: Partial<RuleCrowd> = {}): RuleCrowd => ({
  id: 1,
  name: '老客',
  tagId: 2,
  rId: 3,
  adv_id: 4,
  adv_name: '品牌',
  dirId: 1,
  status,
  refreshing: false,
  progress: null,
  creatorId: 1,
  creator: '管理员',
  createTime: 0,
  invalidTime: Date.parse('2031-03-01T23:59:59+08:00') / 1000,
  magnitude: 5,
  computedAt: 0,
  tookMs: 1,
  failReason: null,
  fail_outcome: null,
  schedule: { every: 'data' },
  nextAt: null,
  dataChanged: false,
  tellShare: null,
  control_share: null,
  ver: 1,
  ...change,
})

test.each<[RuleCrowdStatus, edit: boolean, compute: boolean, remove: boolean]>([
  ['computing', true, false, true],
  ['completed', true, true, true],
  ['in_use', false, true, false],
  ['failed', true, true, true],
  ['invalid', true, false, true],
])('%s: editing %s, computing %s, deleting %s', (status, edit, compute, remove) => {
  const refusals = refusalsOf(aRuleCrowd(status))
  expect([refusals.edit === null, refusals.compute === null, refusals.delete === null]).toEqual([edit, compute, remove])
})

test('only a crowd that has people and has not expired can be pushed', () => {
  expect(refusalsOf(aRuleCrowd('completed')).push).toBeNull()
  expect(refusalsOf(aRuleCrowd('in_use')).push).toBeNull()
  expect(refusalsOf(aRuleCrowd('computing', { magnitude: null })).push).toEqual(outcome('source_not_computed'))
  expect(refusalsOf(aRuleCrowd('completed', { magnitude: 0 })).push).toEqual(outcome('source_without_people'))
  expect(refusalsOf(aRuleCrowd('invalid')).push).toEqual(outcome('rule_crowd_expired'))
})

test('a crowd being computed cannot be computed again, and its list is polled until it is done', () => {
  const refreshing = aRuleCrowd('completed', { refreshing: true })
  expect(refusalsOf(refreshing).compute).toEqual(outcome('rule_crowd_computing'))
  expect(isComputing([aRuleCrowd('completed'), refreshing])).toBe(true)
  expect(isComputing([aRuleCrowd('completed'), aRuleCrowd('failed')])).toBe(false)
})

test('shows the reason of a failure and the day of an expiry', () => {
  expect(problemOf(aRuleCrowd('failed', { failReason: '引用的历史人群「甲」已失效' }))).toBe(
    '引用的历史人群「甲」已失效',
  )
  expect(problemOf(aRuleCrowd('invalid'))).toBe('已过失效时间 2031-03-01，编辑并延长后可继续使用')
  expect(problemOf(aRuleCrowd('completed'))).toBeNull()
})

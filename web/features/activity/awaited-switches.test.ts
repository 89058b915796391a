import { expect, test } from 'vitest'
import type { ActivityRow, PlanRow } from '#contract/activity-list.ts'
import { outcome } from '#contract/outcome.ts'
import { endedSwitches, turnedWords } from './awaited-switches.ts'
import { nextLook } from './plan-sync.ts'

type Sync = PlanRow['sync']
const synced: Sync = { state: 'synced', reason: null, told: [], can_retry: false, can_settle: false, read_at: 1 }
const syncing: Sync = { ...synced, state: 'syncing' }
const refused: Sync = { ...synced, state: 'failed', reason: outcome('platform_throttled') }

const plan = (id: number, is_open: 0 | 1, sync: Sync) =>
  ({ campaign_mold: 2, id, name: `计划${id}`, is_open, sync }) as PlanRow
const list = (is_open: 0 | 1, ...children: PlanRow[]) =>
  [{ campaign_mold: 1, id: 1, name: '活动', is_open, children }] as ActivityRow[]

const ofActivity = { campaign_mold: 1, id: 1, is_open: 1 } as const
const ofPlan = { campaign_mold: 2, id: 1, is_open: 1 } as const
const BOTH = [ofActivity, ofPlan]
test.each([
  ['one of its plans is under way', ofActivity, list(1, plan(1, 1, synced), plan(2, 1, syncing)), null],
  ['all of its plans took it', ofActivity, list(1, plan(1, 1, synced), plan(2, 1, synced)), [null]],
  [
    'one of its plans was refused, and it was restored',
    ofActivity,
    list(0, plan(1, 1, synced), plan(2, 1, refused)),
    ['计划「计划2」：平台限流'],
  ],
  ['it was restored without a reason', ofActivity, list(0, plan(1, 1, synced)), ['平台没有接受']],
  ['it is not listed', ofActivity, [], null],
  ['the plan itself is done, whatever the others do', ofPlan, list(1, plan(1, 1, synced), plan(2, 1, syncing)), [null]],
  ['the plan was restored', ofPlan, list(1, plan(1, 0, refused)), ['计划「计划1」：平台限流']],
] as const)('an awaited switch where %s', (_, awaited, rows, refusals) => {
  expect(endedSwitches([awaited], rows).map(({ refusal }) => refusal)).toEqual(refusals ?? [])
})

test('each awaited switch is told with its name', () => {
  const ended = endedSwitches(BOTH, list(1, plan(1, 1, synced)))
  expect(ended.map(({ name }) => name)).toEqual(['活动', '计划1'])
})

test.each([
  ['nothing is under way', [synced, refused], false, false],
  ['a plan is being changed', [synced, syncing], false, 2000],
  ['plans are being read', [synced], true, 3000],
] as const)('a list is looked at again where %s', (_, syncs, isReading, ms) => {
  expect(
    nextLook(
      syncs.map((sync) => ({ sync })),
      isReading,
    ),
  ).toBe(ms)
})

test('a switch is said to have succeeded in the words of the specification', () => {
  expect([turnedWords(1), turnedWords(2)]).toEqual(['修改活动状态成功', '修改计划状态成功'])
})

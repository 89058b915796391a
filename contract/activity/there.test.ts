import { expect, test } from 'vitest'
import { sentenceOf } from '../outcome.ts'
import { changedThere, differencesThere, type FaceThere, type PlanThere, unmarked } from './there.ts'

const ours = (delivers: boolean, budget: number | null = 50_000) => ({
  ...{ delivers, budget },
  budget_mode: budget === null ? ('none' as const) : ('day' as const),
})
const there = (is_on: boolean, fen: number | null = 50_000): PlanThere => ({
  is_on,
  budget: { mode: fen === null ? 'none' : 'day', fen },
})

test.each<[string, ReturnType<typeof ours>, PlanThere | null, string[]]>([
  ['both on', ours(true), there(true), []],
  ['both off', ours(false), there(false), []],
  ['stopped there', ours(true), there(false), ['在平台上已被暂停']],
  ['running there', ours(false), there(true), ['在平台上仍是开启的']],
  ['another amount', ours(true), there(true, 70_050), ['平台上的预算为每日 700.50 元']],
  ['no limit there', ours(true), there(true, null), ['平台上的预算为不限']],
  ['no limit on both sides', ours(true, null), there(true, null), []],
  ['a total there', ours(true), { is_on: true, budget: { mode: 'total', fen: 50_000 } }, ['平台上的预算为总共 500 元']],
  ['both at once', ours(true), there(false, null), ['在平台上已被暂停', '平台上的预算为不限']],
  ['gone', ours(true), null, ['平台上没有这个计划，可能已被删除，或不属于该账户']],
])('%s', (_, plan, found, told) => expect(differencesThere(plan, found).map(sentenceOf)).toEqual(told))

const DAYS = { start: '2026-11-01', end: '2026-11-30' }
const face = (given: Partial<FaceThere> = {}): FaceThere => ({ name: '拉新_0a1b2c3d', days: DAYS, ...given })
const own = { name: '拉新', start_date: DAYS.start, end_date: DAYS.end, mark: '0a1b2c3d' }

test.each<[string, FaceThere | null, FaceThere | null, Partial<FaceThere>]>([
  ['nothing changed', face(), face(), {}],
  ['another name', face(), face({ name: '老客' }), { name: '老客' }],
  ['another name before our mark', face(), face({ name: '老客_0a1b2c3d' }), { name: '老客_0a1b2c3d' }],
  ['our name without the mark', face(), face({ name: '拉新' }), {}],
  ['what we wrote and had no answer to', face({ name: '旧名_0a1b2c3d' }), face(), {}],
  ['a later end', face(), face({ days: { ...DAYS, end: '2026-12-31' } }), { days: { ...DAYS, end: '2026-12-31' } }],
  ['no end any more', face(), face({ days: { ...DAYS, end: null } }), { days: { ...DAYS, end: null } }],
  ['our end after another', face({ days: { ...DAYS, end: '2026-11-15' } }), face(), {}],
  // A first day in the past is written as the day of the writing.
  ['a first day that is not ours and stays', face({ days: { ...DAYS, start: '2026-11-05' } }), face(), {}],
  ['days that were not read then', { name: face().name }, face(), {}],
  ['a plan of which we wrote nothing', null, face({ name: '老客' }), {}],
  ['a plan that is gone', face(), null, {}],
])('changed there: %s', (_, agreed, found, changed) => expect(changedThere(own, agreed, found)).toEqual(changed))

test('a change there is told beside the other differences', () => {
  const changed = { name: '老客', days: { start: null, end: '2026-12-31' } }
  expect(differencesThere(ours(true), there(false), changed).map(sentenceOf)).toEqual([
    '在平台上已被暂停',
    '平台上的名称已改为「老客」',
    '平台上的日期已改为 2026-12-31',
  ])
})

test.each([
  ['拉新_0a1b2c3d', '0a1b2c3d', '拉新'],
  ['拉新_ffffffff', '0a1b2c3d', '拉新_ffffffff'],
  ['拉新', null, '拉新'],
])('%s without the mark %s is %s', (name, mark, plain) => expect(unmarked(name, mark)).toBe(plain))

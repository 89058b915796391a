import { expect, test } from 'vitest'
import { sentenceOf } from '../outcome.ts'
import { differencesThere, type PlanThere } from './there.ts'

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

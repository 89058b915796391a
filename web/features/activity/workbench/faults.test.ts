import { describe, expect, test } from 'vitest'
import { newCreation } from '#contract/activity/creation.ts'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import { PLATFORMS } from '#contract/platform.ts'
import { type Draft, emptyDraft, newPlan, type PlanDraft } from './draft.ts'
import { controlOf, type Fault, faultsAtOnce, faultsOf, fieldsIn, firstFault, placed, stillThere } from './faults.ts'

const plan = (key: string, given: Partial<PlanDraft> = {}): PlanDraft => ({ ...newPlan(undefined, 1), key, ...given })
const draft = (plans = [plan('a')], name = '双11'): Draft => ({ ...emptyDraft(), name, plans })
const said = (faults: readonly Fault[]) =>
  faults.map(({ plan: of, field, reason }) => [of, field, sentenceOf(reason)].filter((part) => part !== null).join(' '))
const found = (of: Draft, isSubmitted = false) => faultsOf(of, isSubmitted, new Map())

describe('each fault has its field', () => {
  test('a new draft can be saved as it is, and says all that is missing before it is submitted', () => {
    expect(found(draft())).toEqual([])
    expect(said(found(draft(), true))).toEqual([
      'a account 请选择投放账户',
      'a target 请选择定向包或人群',
      'a budget 请输入预算',
    ])
    expect(said(found(draft([]), true))).toEqual(['plans 请至少添加一个计划'])
  })

  test('names are refused with the words of the form', () => {
    expect(said(found(draft([plan('a', { name: '' }), plan('b', { name: '有 空格' })], '')))).toEqual([
      'name 请输入活动名称',
      'a plan_name 请输入计划名称',
      'b plan_name 名称只支持中英文，数字，横杠，下划线',
    ])
  })

  test('what a draft cannot keep is refused of it, too', () => {
    expect(said(found(draft([plan('a', { budget: 0 })])))).toEqual(['a budget 预算应在 50 到 40,000,000 元之间'])
    expect(said(found(draft([plan('a', { budget: 100_055.5 })])))).toEqual(['a budget 预算最多两位小数'])
    // Less than a platform takes may stand in a draft.
    expect(found(draft([plan('a', { budget: 1 })]))).toEqual([])
    const creation = newCreation(PLATFORMS.social.code)
    if (creation?.kind !== 'social') throw new Error('no creation')
    const bids = (bid: number) =>
      said(found(draft([plan('a', { platform: PLATFORMS.social.code, creation: { ...creation, bid } })])))
    expect(bids(100.5)).toEqual(['a bid 出价最多两位小数'])
    expect(bids(0)).toEqual(['a bid 出价应大于 0，且不超过 10,000 元'])
    expect(bids(100)).toEqual([])
  })

  test('what the server refuses stands at the plans that it names; what is about no field stands above', () => {
    const of = (cause: ReturnType<typeof outcome>) => outcome('plan_fault', { plan: '乙', cause })
    const problems = [
      of(outcome('plan_package_missing_there')),
      of(outcome('plan_creation_missing', { field: 'aweme_id' })),
      of(outcome('plan_not_asked')),
      outcome('activity_over'),
    ]
    expect(said(placed(problems, draft([plan('a'), plan('b', { name: '乙' })])))).toEqual([
      'b target 所选定向包不存在，或不属于该账户，请重新选择',
      'b aweme_id 请填写抖音号 ID',
      '计划「乙」：平台没有答复，已停止重试',
      '活动已结束，请先修改计划的结束日期',
    ])
  })
})

test('equal names, an amount that is none and days that contradict each other are said at once', () => {
  const twice = draft([plan('a'), plan('b'), plan('c', { name: '计划3', budget: 0 })])
  expect(said(faultsAtOnce(twice))).toEqual([
    'a plan_name 有两个计划叫「计划1」，请换一个名称',
    'b plan_name 有两个计划叫「计划1」，请换一个名称',
    'c budget 预算应在 50 到 40,000,000 元之间',
  ])
  const unnamed = { name: '' }
  expect(faultsAtOnce(draft([plan('a', unnamed), plan('b', unnamed)]))).toEqual([])
  const days = plan('a', { start_date: '2030-05-02', end_date: '2030-05-01' })
  expect(said(faultsAtOnce(draft([days])))).toEqual(['a end 结束日期不能早于开始日期'])
})

test('a fault is said until its own field changes', () => {
  const then = draft([plan('a', { name: '' })], '')
  const faults = found(then, true)
  const left = (now: Draft) => said(stillThere(faults, then, now)).map((words) => words.replace(/ [^ ]+$/, ''))
  const all = ['name', 'a plan_name', 'a account', 'a target', 'a budget']
  const [first] = then.plans
  if (!first) throw new Error('no plan')
  expect(left(then)).toEqual(all)
  expect(left({ ...then, product_id: 3 })).toEqual(all)
  expect(left({ ...then, name: '双' })).toEqual(all.slice(1))
  expect(left({ ...then, plans: [{ ...first, name: '甲' }] })).toEqual(all.filter((one) => one !== 'a plan_name'))
  expect(left({ ...then, plans: [{ ...first, budget: 1 }] })).toEqual(all.filter((one) => one !== 'a budget'))
  expect(left({ ...then, plans: [] })).toEqual(['name'])
})

test('the first fault is the topmost, and fields are counted once', () => {
  const of = draft([plan('a'), plan('b', { name: '' })])
  const [one, two] = [
    { plan: 'b', field: 'plan_name', reason: outcome('plan_not_asked') },
    { plan: 'a', field: 'budget', reason: outcome('plan_not_asked') },
  ] as const
  expect(firstFault([one, two], of)).toBe(two)
  const name = { plan: null, field: 'name', reason: outcome('plan_not_asked') } as const
  expect(firstFault([one, two, name], of)).toBe(name)
  expect(controlOf(two)).toBe('plan-budget')
  expect(fieldsIn([one, two, two])).toBe(2)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outcome, sentenceOf } from '../outcome.ts'
import { PLATFORMS, type PlatformCode } from '../platform.ts'
import { actionRefusal, planSwitchRefusal, switchRefusal } from './actions.ts'
import { BUDGET_MAX, BUDGET_MODE_KEYS, type BudgetMode, budgetFault, budgetNotice, budgetOf } from './budget.ts'
import { changesBetween, type Snapshot } from './changes.ts'
import { isMeasured, offeredColumns, shownColumns } from './columns.ts'
import { compareFault } from './compare.ts'
import { newCreation } from './creation.ts'
import { SHORT_METRICS } from './metrics.ts'
import { activityFaults, copiedPlan, type Plan, refusalOf } from './plan.ts'
import { hoursWords, isDay, keptHours, scheduleFaults, WEEK_SLOTS } from './schedule.ts'
import { activityStatus, lastDayOf, planStatus, planStatusName } from './status.ts'

const TODAY = '2026-11-20'
const SOCIAL = PLATFORMS.social.code
const VIDEO = PLATFORMS.video.code
const COMMERCE = PLATFORMS.commerce.code
const said = (one: Parameters<typeof sentenceOf>[0] | null) => one && sentenceOf(one)

const plan = (given: Partial<Plan> = {}): Plan => ({
  ...{ name: '计划', platform: VIDEO, account_id: 3, plan_id: null, creation: null, package_id: 5, crowds: [] },
  ...{ budget_mode: 'day', budget: 30_000, start_date: '2026-11-01', end_date: null, hours: null, is_open: 1 },
  ...given,
})

describe('statuses', () => {
  const on = { is_submitted: true, is_open: 1 } as const
  const off = { is_submitted: true, is_open: 0 } as const
  const draft = { is_submitted: false, is_open: 0 } as const

  test.each([
    [draft, null, 0],
    [draft, '2026-01-01', 0],
    [on, null, 1],
    [on, TODAY, 1],
    [off, TODAY, 2],
    [on, '2026-11-19', 3],
    [off, '2026-11-19', 3],
  ] as const)('an activity %j whose last day is %s has status %d', (activity, last, status) =>
    expect(activityStatus(activity, last, TODAY)).toBe(status),
  )

  test.each([
    [draft, { is_open: 1, end_date: null }, 0],
    [on, { is_open: 1, end_date: null }, 1],
    [on, { is_open: 0, end_date: null }, 2],
    [off, { is_open: 1, end_date: TODAY }, 2],
    [on, { is_open: 1, end_date: '2026-11-19' }, 3],
  ] as const)('in an activity %j a plan %j has status %d', (activity, of, status) =>
    expect(planStatus(activity, of, TODAY)).toBe(status),
  )

  test.each([
    [[], null],
    [['2026-11-02', '2026-11-30', '2026-11-05'], '2026-11-30'],
    [['2026-11-02', null], null],
  ] as const)('the last day of plans that end on %j is %s', (days, last) =>
    expect(lastDayOf(days.map((end_date) => ({ end_date })))).toBe(last),
  )

  test('plans of the two types have their own names', () => {
    expect([0, 1, 2, 3].map((one) => planStatusName(1, one as 0))).toEqual(['未审核', '开启', '暂停', '停止'])
    expect([0, 1, 2, 3].map((one) => planStatusName(2, one as 0))).toEqual(['未提交', '启用', '暂停', '结束'])
  })

  test('a plan that its platform reviews is no draft', () => {
    expect([1, 2].map((type) => planStatusName(type as 1, 0, true))).toEqual(['未审核', '审核中'])
    expect(planStatusName(2, 2, true)).toBe('暂停')
  })
})

describe('budgets', () => {
  test.each<[string, PlatformCode, BudgetMode, number | null, string | null]>([
    ['the least of 腾讯广告', SOCIAL, 'day', 50_00, null],
    ['less than that', SOCIAL, 'day', 49_99, '预算应在 50 到 40,000,000 元之间'],
    ['the most', SOCIAL, 'day', 40_000_000_00, null],
    ['more than that', SOCIAL, 'day', 40_000_000_01, '预算应在 50 到 40,000,000 元之间'],
    ['none there', SOCIAL, 'none', null, null],
    ['a total there', SOCIAL, 'total', 50_00, '腾讯广告的计划没有总预算'],
    ['the least of 巨量引擎', VIDEO, 'day', 50_00, null],
    ['the least of 巨量千川', COMMERCE, 'day', 300_00, null],
    ['a cent less', COMMERCE, 'total', 299_99, '预算应在 300 到 9,999,999.99 元之间'],
    ['the most of 巨量千川', COMMERCE, 'total', 9_999_999_99, null],
    ['no limit of 巨量千川', COMMERCE, 'none', null, '巨量千川的计划需要填写预算'],
    ['nothing', VIDEO, 'day', null, '请输入预算'],
    ['zero', VIDEO, 'day', 0, '预算应在 50 到 40,000,000 元之间'],
    ['three decimals', VIDEO, 'day', 100_055.5, '预算最多两位小数'],
  ])('%s', (_, platform, budget_mode, budget, sentence) =>
    expect(said(budgetFault({ platform, budget_mode, budget }))).toBe(sentence),
  )

  test('what a platform itself would refuse is pointed out, not refused', () => {
    const budget = (platform: PlatformCode, amount: number) =>
      said(budgetNotice({ platform, budget_mode: 'day', budget: amount }))
    expect(budget(SOCIAL, 4_000_000_01)).toBe('腾讯广告接受的预算为 50 到 4,000,000 元，超出时平台会拒绝')
    expect(budget(VIDEO, 99_99)).toContain('100 到 9,999,999.99 元')
    expect([budget(SOCIAL, 50_00), budget(VIDEO, 100_00), budget(COMMERCE, 300_00), budget(SOCIAL, 1)]).toEqual([
      ...[null, null, null, null],
    ])
  })

  test('budgets add up, and those without a limit are left out', () => {
    const of = (budget: number | null, budget_mode: BudgetMode = 'day') => ({ budget, budget_mode })
    expect(budgetOf([of(100), of(23)])).toBe(123)
    expect(budgetOf([of(100), of(null, 'none'), of(null)])).toBe(100)
    expect(budgetOf([of(null, 'none')])).toBeNull()
    expect(budgetOf([])).toBeNull()
  })

  test('the budgets of plans add up in every order and grouping, to what a plain loop in fen gives', () => {
    const amount = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: BUDGET_MAX }))
    const plan = fc.record({ budget: amount, budget_mode: fc.constantFrom(...BUDGET_MODE_KEYS) })
    const all = fc.array(plan, { maxLength: 30 })
    const turned = all.chain((plans) =>
      fc.tuple(
        fc.constant(plans),
        fc.shuffledSubarray(plans, { minLength: plans.length, maxLength: plans.length }),
        fc.nat(plans.length),
      ),
    )
    fc.assert(
      fc.property(turned, ([plans, shuffled, cut]) => {
        let fen: bigint | null = null
        for (const { budget, budget_mode } of plans) {
          if (budget !== null && budget_mode !== 'none') fen = (fen ?? 0n) + BigInt(budget)
        }
        const expected = fen === null ? null : Number(fen)
        const ofActivities = [shuffled.slice(0, cut), shuffled.slice(cut)].map(budgetOf)
        expect(budgetOf(plans)).toBe(expected)
        expect(budgetOf(shuffled)).toBe(expected)
        expect(budgetOf(ofActivities.map((budget) => ({ budget, budget_mode: 'day' })))).toBe(expected)
      }),
    )
  })
})

describe('schedules', () => {
  const day = (from: number, to: number) => '0'.repeat(from) + '1'.repeat(to - from) + '0'.repeat(48 - to)

  test.each<[string, Partial<Plan>, string[]]>([
    ['from a day on', {}, []],
    ['one day', { start_date: TODAY, end_date: TODAY }, []],
    ['no start', { start_date: null }, ['请选择开始日期']],
    ['backwards', { start_date: '2026-12-02', end_date: '2026-12-01' }, ['结束日期不能早于开始日期']],
    ['over', { end_date: '2026-11-19' }, ['结束日期不能早于今天']],
    ['no hour', { hours: '0'.repeat(WEEK_SLOTS) }, ['请至少选择一个投放时段']],
  ])('%s', (_, given, sentences) => expect(scheduleFaults(plan(given), TODAY).map(sentenceOf)).toEqual(sentences))

  test('a plan that ended keeps its day', () => {
    const ended = plan({ end_date: '2026-11-19' })
    expect(scheduleFaults(ended, TODAY, '2026-11-19')).toEqual([])
    expect(scheduleFaults(ended, TODAY, '2026-11-18')).toHaveLength(1)
  })

  test.each([
    ['2026-02-28', true],
    ['2026-02-29', false],
    ['2028-02-29', true],
    ['2026-13-01', false],
    ['2026-1-1', false],
    ['昨天', false],
  ])('%s is a day: %s', (text, is) => expect(isDay(text)).toBe(is))

  test.each<[string | null, string]>([
    [null, '全天'],
    ['1'.repeat(WEEK_SLOTS), '全天'],
    ['0'.repeat(WEEK_SLOTS), '无'],
    [day(18, 24).repeat(7), '每天 09:00–12:00'],
    [day(18, 24).repeat(5) + day(0, 48).repeat(2), '周一、周二、周三、周四、周五 09:00–12:00；周六、周日 00:00–24:00'],
    [day(1, 2) + '0'.repeat(48 * 6), '周一 00:30–01:00'],
  ])('hours in words: %#', (hours, words) => expect(hoursWords(hours)).toBe(words))

  test('a whole week is kept as no hours', () => {
    expect(keptHours('1'.repeat(WEEK_SLOTS))).toBeNull()
    expect(keptHours(day(0, 2).repeat(7))).toBe(day(0, 2).repeat(7))
  })
})

describe('an activity with its plans', () => {
  const faults = (plans: Plan[], isSubmitted = true) =>
    activityFaults(plans, { isSubmitted, today: TODAY }).map(sentenceOf)

  test.each<[string, Plan[], string[]]>([
    ['complete', [plan()], []],
    ['crowds alone', [plan({ package_id: null, crowds: [{ id: 1, role: 'include' }] })], []],
    ['no plan', [], ['请至少添加一个计划']],
    ['no account', [plan({ account_id: null })], ['计划「计划」：请选择投放账户']],
    ['nobody aimed at', [plan({ package_id: null })], ['计划「计划」：请选择定向包或人群']],
    [
      'nobody aimed at where crowds are not taken',
      [plan({ platform: COMMERCE, budget: 300_00, package_id: null })],
      ['计划「计划」：请选择定向包'],
    ],
    [
      'crowds on 巨量千川',
      [plan({ platform: COMMERCE, budget: 300_00, crowds: [{ id: 1, role: 'include' }] })],
      ['计划「计划」：巨量千川的计划不能使用自定义人群，请选择定向包'],
    ],
    [
      'a crowd in both roles',
      [
        plan({
          crowds: [
            { id: 1, role: 'include' },
            { id: 1, role: 'exclude' },
          ],
        }),
      ],
      ['计划「计划」：同一人群不能选择两次，也不能既定向又排除'],
    ],
    [
      'too many crowds',
      [plan({ crowds: Array.from({ length: 201 }, (_, id) => ({ id, role: 'exclude' as const })) })],
      ['计划「计划」：一个计划最多选择 200 个人群'],
    ],
    ['one name twice', [plan(), plan()], ['有两个计划叫「计划」，请换一个名称']],
    [
      'one plan of the platform twice',
      [plan({ name: '甲', plan_id: '9' }), plan({ name: '乙', plan_id: '9' })],
      ['平台计划 9 被两个计划关联，数据会重复计算，请只保留一个'],
    ],
    [
      'the same number in another account',
      [plan({ name: '甲', plan_id: '9' }), plan({ name: '乙', plan_id: '9', account_id: 4 })],
      [],
    ],
    [
      'everything wrong',
      [plan({ name: '甲', account_id: null, package_id: null, budget: null, start_date: null })],
      ['请选择投放账户', '请选择定向包或人群', '请输入预算', '请选择开始日期'].map((one) => `计划「甲」：${one}`),
    ],
  ])('%s', (_, plans, sentences) => expect(faults(plans)).toEqual(sentences))

  test('a draft may be incomplete, but not contradict itself', () => {
    expect(faults([], false)).toEqual([])
    expect(faults([plan({ account_id: null, package_id: null, budget: null, start_date: null })], false)).toEqual([])
    expect(faults([plan(), plan()], false)).toHaveLength(1)
  })

  test('all problems are one refusal', () => {
    expect(refusalOf([])).toBeNull()
    const both = [outcome('plan_account_missing'), outcome('plan_budget_missing')]
    expect(said(refusalOf(both))).toBe('请选择投放账户；请输入预算')
  })

  test('a copy has no id, no days and no link', () => {
    const from = { ...plan({ plan_id: '9', end_date: '2026-12-01' }), id: 7 }
    const { id, ...rest } = copiedPlan(from) as Plan
    expect(id).toBeUndefined()
    expect(rest).toMatchObject({ plan_id: null, start_date: null, end_date: null, budget: 30_000, package_id: 5 })
  })
})

describe('what may be done', () => {
  test.each([
    [0, 1, '活动还没有提交，提交后才能启用'],
    [3, 1, '活动已结束，请先修改计划的结束日期'],
    [2, 1, null],
    [1, 0, null],
    [3, 0, null],
  ] as const)('an activity of status %d is switched to %d: %s', (status, wanted, sentence) =>
    expect(said(switchRefusal(status, wanted))).toBe(sentence),
  )

  test('a plan that is over is not switched on; one of a draft is', () => {
    expect(said(planSwitchRefusal(3, 1))).toBe('计划已结束，请先修改结束日期')
    expect([planSwitchRefusal(3, 0), planSwitchRefusal(0, 1), planSwitchRefusal(2, 1)]).toEqual([null, null, null])
  })

  test('only a draft has no data; all else is always possible', () => {
    expect(said(actionRefusal('data', 0))).toBe('未提交的活动没有数据')
    for (const status of [1, 2, 3] as const) expect(actionRefusal('data', status)).toBeNull()
    for (const action of ['edit', 'copy', 'log', 'delete', 'save_asset'] as const)
      for (const status of [0, 1, 2, 3] as const) expect(actionRefusal(action, status)).toBeNull()
  })

  test.each([
    [0, '请选择活动'],
    [1, null],
    [11, null],
    [12, '列数不应超过11条'],
  ] as const)('%d activities are compared: %s', (count, sentence) => expect(said(compareFault(count))).toBe(sentence))
})

describe('columns', () => {
  const all = { see_restricted: true }
  const few = { see_restricted: false }

  test('the restricted view has the shorter list alone, whatever was chosen', () => {
    expect(offeredColumns(few, 'saas')).toEqual(SHORT_METRICS)
    expect(shownColumns(few, 'saas', ['cost', 'pay_pv', 'budget', 'land_pv'])).toEqual(['pay_pv', 'land_pv'])
    expect(shownColumns(few, 'saas', ['cost'])).toEqual(SHORT_METRICS)
    expect(shownColumns(few, 'saas', null)).toEqual(SHORT_METRICS)
  })

  test('a choice keeps its order, each column once, without what is not known', () => {
    expect(shownColumns(all, 'saas', ['pay_pv', 'cost', 'pay_pv', 'former', 'status'])).toEqual(['pay_pv', 'cost'])
    expect(shownColumns(all, 'saas', [])).toContain('cost')
  })

  test('RPS offers all columns but that of the advertiser, whatever was chosen before', () => {
    const hidden = offeredColumns(all, 'saas').filter((key) => !offeredColumns(all, 'rps').includes(key))
    expect(hidden).toEqual(['advertiser_name'])
    expect(shownColumns(all, 'rps', ['advertiser_name', 'cost'])).toEqual(['cost'])
  })

  test('what is said about an activity is not measured', () => {
    expect(['budget', 'creator', 'created_at', 'cost', 'click_rate'].map((key) => isMeasured(key as 'cost'))).toEqual([
      ...[false, false, false, true, true],
    ])
  })
})

describe('the log', () => {
  const own = (given: Partial<Plan> = {}) => ({
    ...plan(given),
    id: 1,
    account: '账户甲',
    package: '春季',
    crowds: [],
  })
  const state = (given: Partial<Snapshot> = {}): Snapshot => ({
    ...{ name: '双11', is_open: 0, product: null, plans: [own()] },
    ...given,
  })

  test('says what changed, of the activity and of each plan', () => {
    const after = state({
      name: '双12',
      is_open: 1,
      plans: [{ ...own({ budget: 50_000, is_open: 0 }), crowds: [{ id: 4, role: 'exclude', name: '老客' }] }],
    })
    expect(changesBetween(state(), after)).toEqual([
      { plan: null, is_plan: false, label: '活动名称', before: '双11', after: '双12' },
      { plan: null, is_plan: false, label: '活动开关', before: '关闭', after: '开启' },
      { plan: '计划', is_plan: false, label: '人群', before: null, after: '排除 老客' },
      { plan: '计划', is_plan: false, label: '预算', before: '日预算 300.00 元', after: '日预算 500.00 元' },
      { plan: '计划', is_plan: false, label: '计划开关', before: '开启', after: '关闭' },
    ])
  })

  test('says that amounts changed to whom it may not say the amounts', () => {
    const there = (fen: number) => ({ is_on: true, budget: { mode: 'day' as const, fen } })
    const creation = newCreation(3)
    const bidding = (bid: number) => creation && { ...creation, bid }
    const of = (fen: number) =>
      state({ plans: [{ ...own({ budget: fen, creation: bidding(fen) }), there: there(fen) }] })
    const changes = changesBetween(of(123_456), of(123_457), { seesAmounts: false })
    expect(changes.map(({ label, before, after }) => [label, before, after])).toEqual([
      ['在平台新建', ...Array(2).fill('抖音号 ID 未填、直播间成交、控成本 无权查看')],
      ['预算', ...Array(2).fill('日预算 无权查看')],
      ['平台上的预算', ...Array(2).fill('日预算 无权查看')],
    ])
    expect(changesBetween(of(123_456), of(123_456), { seesAmounts: false })).toEqual([])
  })

  test('a plan that came is told whole, one that went is one change, and an activity that is new or gone has one side', () => {
    const [came, ...parts] = changesBetween(state({ plans: [] }), state())
    expect(came).toEqual({ plan: '计划', is_plan: true, label: '计划', before: null, after: '计划' })
    expect(parts.map(({ label, before, after }) => [label, before, after])).toEqual([
      ['投放账户', null, '账户甲'],
      ['定向包', null, '春季'],
      ['预算', null, '日预算 300.00 元'],
      ['开始日期', null, '2026-11-01'],
      ['结束日期', null, '长期'],
      ['投放时段', null, '全天'],
      ['计划开关', null, '开启'],
    ])
    expect(changesBetween(state(), state({ plans: [] }))).toHaveLength(1)
    expect(changesBetween(state(), null)).toContainEqual({
      plan: '计划',
      is_plan: true,
      label: '计划',
      before: '计划',
      after: null,
    })
    expect(changesBetween(null, state())[0]).toEqual({
      plan: null,
      is_plan: false,
      label: '活动名称',
      before: null,
      after: '双11',
    })
    expect(changesBetween(state(), state())).toEqual([])
  })
})

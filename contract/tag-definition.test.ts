import { expect, test } from 'vitest'
import { sentenceOf } from './outcome.ts'
import { isRangeInOrder } from './tag-condition.ts'
import { definitionFault, definitionText, TagDefinition } from './tag-definition.ts'

const attribute = (condition: object) => ({ kind: 'attribute', attribute: '年龄', condition })
const event = (more: object) => ({ kind: 'event', event: '支付', window_days: null, ...more })

test.each([
  [{ kind: 'everyone' }, '该广告主的全部用户'],
  [attribute({ is: 'equals', value: '女' }), '年龄等于「女」'],
  [{ ...attribute({ is: 'equals', value: '1' }), attribute: 'recency' }, 'recency 等于「1」'],
  [attribute({ is: 'in', values: ['一线', '二线'] }), '年龄属于「一线」「二线」'],
  [attribute({ is: 'in', values: [...'123456'] }), '年龄属于「1」「2」「3」「4」「5」等 6 个值'],
  [attribute({ is: 'range', from: '18', to: '25', as: 'number' }), '年龄从 18 到 25（不含）'],
  [attribute({ is: 'range', from: '18', to: null, as: 'number' }), '年龄不小于 18'],
  [attribute({ is: 'range', from: null, to: '25', as: 'number' }), '年龄小于 25'],
  [attribute({ is: 'range', from: '2026-01-01', to: null, as: 'date' }), '年龄不早于 2026-01-01'],
  [attribute({ is: 'range', from: null, to: '2026-01-01', as: 'date' }), '年龄早于 2026-01-01（不含当天）'],
  [attribute({ is: 'range', from: null, to: '2026-01-01 08:00:00', as: 'date' }), '年龄早于 2026-01-01 08:00:00'],
  [attribute({ is: 'exists' }), '年龄有值'],
  [attribute({ is: 'empty' }), '年龄为空'],
  [attribute({ is: 'not_equals', value: '女' }), '年龄有值且不等于「女」'],
  [attribute({ is: 'not_in', values: ['一线', '二线'] }), '年龄有值且不属于「一线」「二线」'],
  [attribute({ is: 'contains', value: '线' }), '年龄包含「线」'],
  [attribute({ is: 'starts_with', value: '一' }), '年龄开头为「一」'],
  [attribute({ is: 'on', from: '2026-11-11', to: '2026-11-11' }), '年龄在 2026-11-11'],
  [attribute({ is: 'on', from: '2026-11-01', to: '2026-11-11' }), '年龄在 2026-11-01 至 2026-11-11 之间（含首尾两天）'],
  [attribute({ is: 'not_before', date: '2026-11-01' }), '年龄不早于 2026-11-01'],
  [attribute({ is: 'before', date: '2026-11-01' }), '年龄早于 2026-11-01（不含当天）'],
  [attribute({ is: 'days', when: 'past', days: 30 }), '年龄在过去 30 天内'],
  [attribute({ is: 'days', when: 'before', days: 30 }), '年龄在 30 天以前'],
  [attribute({ is: 'days', when: 'next', days: 7 }), '年龄在未来 7 天内（含今天）'],
  [event({}), '做过「支付」'],
  [event({ negated: true }), '未做过「支付」'],
  [event({ window_days: 30, at_least: 2 }), '过去 30 天做过「支付」至少 2 次'],
  [event({ window_days: 30, at_least: 2, negated: true }), '过去 30 天做过「支付」不足 2 次'],
  [
    event({
      window_days: 7,
      properties: [
        { property: '金额', condition: { is: 'range', from: '100', to: null, as: 'number' } },
        { property: '渠道', condition: { is: 'equals', value: '直播' } },
      ],
    }),
    '过去 7 天做过「支付」（金额不小于 100，且渠道等于「直播」）',
  ],
  [event({ before_days: 30 }), '30 天以前做过「支付」'],
  [event({ dates: { from: '2026-11-01', to: '2026-11-11' } }), '2026-11-01 至 2026-11-11 做过「支付」'],
  [event({ dates: { from: '2026-11-11', to: '2026-11-11' }, negated: true }), '2026-11-11 未做过「支付」'],
  [event({ dates: { from: '2026-11-01', to: null } }), '2026-11-01 起做过「支付」'],
  [event({ dates: { from: null, to: '2026-11-11' } }), '2026-11-11 及以前做过「支付」'],
  [event({ at_most: 3 }), '做过「支付」至多 3 次'],
  [event({ at_least: 2, at_most: 5 }), '做过「支付」2 到 5 次'],
  [event({ at_least: 2, at_most: 2 }), '做过「支付」恰好 2 次'],
  [event({ at_least: 2, at_most: 5, negated: true }), '不满足“做过「支付」2 到 5 次”，从未做过的人也在内'],
  [event({ window_days: 30, measure: { of: 'days' }, at_least: 3 }), '过去 30 天做过「支付」的天数至少 3 天'],
  [
    event({ window_days: 30, measure: { of: 'sum', property: '金额', from: '100', to: null } }),
    '过去 30 天做过「支付」，金额的合计不小于 100',
  ],
  [
    event({ measure: { of: 'average', property: 'amount', from: '10', to: '20' } }),
    '做过「支付」，amount 的平均值从 10 到 20（不含）',
  ],
  [event({ window_days: 30, measure: { of: 'first' } }), '首次做过「支付」的时间在过去 30 天内'],
  [
    event({ before_days: 30, measure: { of: 'last' }, negated: true }),
    '不满足“最近一次做过「支付」的时间在 30 天以前”，从未做过的人也在内',
  ],
  [
    event({ dates: { from: '2026-11-01', to: '2026-11-11' }, measure: { of: 'first' } }),
    '首次做过「支付」的时间在 2026-11-01 至 2026-11-11',
  ],
])('the phrase of %j is %s', (definition, text) => {
  expect(definitionText(TagDefinition.parse(definition))).toBe(text)
})

test('fields appear under their display names if these are given', () => {
  const names = { attribute: () => '客单价', event: () => '完成支付' }
  expect(definitionText(TagDefinition.parse(attribute({ is: 'exists' })), names)).toBe('客单价有值')
  expect(definitionText(TagDefinition.parse(event({})), names)).toBe('做过「完成支付」')
})

test.each([
  ['9', '18', 'number', true],
  ['18', '9', 'number', false],
  ['2026-01-01', '2026-01-01 00:00:00', 'date', false],
  ['2026-01-01', '2026-01-01 00:00:01', 'date', true],
  ['2026-01-01 10:00:00', '2026-01-01', 'date', false],
  ['2026-01-01T10:00:00', '2026-01-01 12:00:00', 'date', true],
  ['2026-01-01T12:00:00', '2026-01-02', 'date', true],
] as const)('%s to %s as %s is a valid range: %s', (from, to, as, expected) => {
  expect(isRangeInOrder(from, to, as)).toBe(expected)
})

test.each([
  [attribute({ is: 'equals', value: '' }), '请填写值'],
  [attribute({ is: 'range', from: '', to: '3', as: 'number' }), '「」不是数字'],
  [attribute({ is: 'on', from: '2026-11-11', to: '2026-11-01' }), '结束日期不能早于开始日期'],
  [event({ window_days: 7, before_days: 7 }), '过去 N 天、N 天以前和固定日期只能选一种'],
  [event({ dates: { from: null, to: null } }), '请选择日期'],
  [event({ dates: { from: '2026-11-11', to: '2026-11-01' } }), '结束日期不能早于开始日期'],
  [event({ at_least: 3, at_most: 2 }), '至多不能小于至少'],
  [event({ at_least: 3, measure: { of: 'sum', property: 'a', from: '1', to: null } }), '按合计统计时不填次数'],
  [event({ measure: { of: 'sum', property: 'a', from: null, to: null } }), '请至少填写范围的一端'],
  [event({ measure: { of: 'sum', property: 'a', from: '2', to: '1' } }), '范围的起点应小于终点'],
  [event({ measure: { of: 'average', property: 'a', from: '1e66', to: null } }), '「1e66」太大，请填写较小的数'],
  [event({ measure: { of: 'sum', property: 'a', from: null, to: '-1e31' } }), '「-1e31」太大，请填写较小的数'],
  [event({ measure: { of: 'last' } }), '请选择首次或最近一次发生在什么时间，不能是全部时间'],
  [event({ properties: [{ property: 'a', condition: { is: 'contains', value: '' } }] }), '请填写值'],
])('%j is refused: %s', (definition, sentence) => {
  const reason = definitionFault(TagDefinition.parse(definition))
  expect(reason && sentenceOf(reason)).toBe(sentence)
})

test('a definition of an earlier version reads as it was stored', () => {
  const stored = { kind: 'event', event: '支付', window_days: 7, at_least: 2, properties: [], negated: false }
  expect(TagDefinition.parse(stored)).toEqual(stored)
})

test.each(['2026-02-30', '2026-1-1', '2026-01-01 00:00:00', ''])('%j is no day', (date) => {
  expect(TagDefinition.safeParse(attribute({ is: 'before', date })).success).toBe(false)
})

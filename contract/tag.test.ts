import { expect, test } from 'vitest'
import { definitionText, isRangeInOrder, leftOutText, TagDefinition } from './tag.ts'

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
  [attribute({ is: 'range', from: null, to: '2026-01-01', as: 'date' }), '年龄早于 2026-01-01'],
  [attribute({ is: 'exists' }), '年龄有值'],
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

test('values without a tag are described in one sentence', () => {
  const tooLong = (count: number) => ({ code: 'tooLong' as const, params: { count, max: 200 } })
  const notText = (count: number) => ({ code: 'notText' as const, params: { count } })
  expect(leftOutText([])).toBeNull()
  expect(leftOutText([tooLong(0), notText(0)])).toBeNull()
  expect(leftOutText([tooLong(3)])).toBe('另有 3 个超过 200 字的值，只计入「有值」')
  expect(leftOutText([tooLong(3), notText(1)])).toBe('另有 3 个超过 200 字的值和 1 个不是有效文本的值，只计入「有值」')
})

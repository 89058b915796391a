import { expect, test } from 'vitest'
import { TagDefinition } from '#contract/tag-definition.ts'
import {
  type DefinitionDraft,
  definitionOf,
  draftOf,
  isSameDefinition,
  newDraft,
  newProperty,
  problemsOf,
} from './definition-draft.ts'

test.each([
  [{ kind: 'attribute', attribute: '年龄', condition: { is: 'range', from: '18', to: null, as: 'number' } }],
  [{ kind: 'attribute', attribute: '省份', condition: { is: 'in', values: ['北京', '上海'] } }],
  [{ kind: 'attribute', attribute: '省份', condition: { is: 'equals', value: '0' } }],
  [{ kind: 'attribute', attribute: '注册', condition: { is: 'on', from: '2026-11-01', to: '2026-11-11' } }],
  [{ kind: 'attribute', attribute: '注册', condition: { is: 'before', date: '2026-11-01' } }],
  [
    {
      kind: 'attribute',
      attribute: '注册',
      condition: { is: 'range', from: null, to: '2026-11-01 08:00:00', as: 'date' },
    },
  ],
  [{ kind: 'attribute', attribute: '注册', condition: { is: 'days', when: 'before', days: 90 } }],
  [{ kind: 'attribute', attribute: '注册', condition: { is: 'not_in', values: ['a'] } }],
  [{ kind: 'attribute', attribute: '注册', condition: { is: 'empty' } }],
  [{ kind: 'event', event: '支付', window_days: null, dates: { from: '2026-11-01', to: null }, at_most: 3 }],
  [{ kind: 'event', event: '支付', window_days: null, before_days: 30, measure: { of: 'last' } }],
  [{ kind: 'event', event: '支付', window_days: 30, measure: { of: 'days' }, at_least: 2, at_most: 5 }],
  [
    {
      kind: 'event',
      event: '支付',
      window_days: 30,
      measure: { of: 'sum', property: '金额', from: '100', to: null },
      negated: true,
    },
  ],
  [
    {
      kind: 'event',
      event: '支付',
      window_days: 30,
      at_least: 2,
      negated: true,
      properties: [{ property: '金额', condition: { is: 'exists' } }],
    },
  ],
])('%j is the same after it was opened for editing', (stored) => {
  const definition = TagDefinition.parse(stored)
  expect(isSameDefinition(definitionOf(draftOf(definition)), definition)).toBe(true)
})

test('names what is missing in a draft, by field', () => {
  expect(problemsOf(newDraft('attribute'))).toEqual({ attribute: '请选择属性', condition: '请至少选择一个值' })
  expect(problemsOf(newDraft('event'))).toEqual({ event: '请选择事件' })
  const row = newProperty()
  const { period, measure } = newDraft('event')
  const draft: DefinitionDraft = {
    ...newDraft('event'),
    event: '支付',
    period: { ...period, key: 'past', days: null },
    properties: [row],
  }
  expect(problemsOf(draft)).toEqual({ period: '天数应在 1 到 3650 之间', [row.key]: '请选择事件属性' })
  expect(problemsOf({ ...draft, measure: { ...measure, at_least: 5, at_most: 3 } }).measure).toBe('至多不能小于至少')
  expect(problemsOf({ ...draft, measure: { ...measure, key: 'sum' } }).measure).toBe('请选择事件属性')
  expect(problemsOf({ ...draft, measure: { ...measure, key: 'first' }, period }).period).toBe(
    '请选择首次或最近一次发生在什么时间，不能是全部时间',
  )
  expect(definitionOf(draft)).toBeNull()
})

test.each([
  ['', '', 'number', '请至少填写范围的一端'],
  ['a', '', 'number', '「a」不是数字'],
  ['30', '18', 'number', '范围的起点应小于终点'],
  ['9', '18', 'number', undefined],
  ['2026-02-01', '2026-01-01', 'date', '范围的起点应小于终点'],
  ['2026-01-01', '2026-01-01 00:00:00', 'date', '范围的起点应小于终点'],
  ['2026-1-1', '', 'date', '「2026-1-1」不是日期，请写成 YYYY-MM-DD 或 YYYY-MM-DD HH:MM:SS'],
  ['', '2026-01-01', 'date', undefined],
] as const)('the range from %j to %j as %s: %s', (from, to, as, problem) => {
  const condition = { ...newDraft('attribute').condition, is: 'range' as const, from, to, as }
  expect(problemsOf({ ...newDraft('attribute'), attribute: '年龄', condition }).condition).toBe(problem)
})

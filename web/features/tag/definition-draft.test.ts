import { expect, test } from 'vitest'
import { TagDefinition } from '#contract/tag.ts'
import { definitionOf, draftOf, isSameDefinition, newDraft, newProperty, problemsOf } from './definition-draft.ts'

test.each([
  [{ kind: 'attribute', attribute: '年龄', condition: { is: 'range', from: '18', to: null, as: 'number' } }],
  [{ kind: 'attribute', attribute: '省份', condition: { is: 'in', values: ['北京', '上海'] } }],
  [{ kind: 'attribute', attribute: '省份', condition: { is: 'equals', value: '0' } }],
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
  const draft = { ...newDraft('event'), event: '支付', window_days: 0, properties: [row] }
  expect(problemsOf(draft)).toEqual({ window: '天数应在 1 到 3650 之间', [row.key]: '请选择事件属性' })
  expect(definitionOf(draft)).toBeNull()
})

test.each([
  ['', '', 'number', '请至少填写范围的一端'],
  ['a', '', 'number', '范围应为数字'],
  ['30', '18', 'number', '范围的起点应小于终点'],
  ['9', '18', 'number', undefined],
  ['2026-02-01', '2026-01-01', 'date', '范围的起点应小于终点'],
  ['2026-01-01', '2026-01-01 00:00:00', 'date', '范围的起点应小于终点'],
  ['2026-1-1', '', 'date', '范围应为日期'],
  ['', '2026-01-01', 'date', undefined],
] as const)('the range from %j to %j as %s: %s', (from, to, as, problem) => {
  const condition = { ...newDraft('attribute').condition, is: 'range' as const, from, to, as }
  expect(problemsOf({ ...newDraft('attribute'), attribute: '年龄', condition }).condition).toBe(problem)
})

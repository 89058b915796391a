import { expect, test } from 'vitest'
import { EventDefinition } from './tag-event.ts'
import { attributeEvidence, type EventFacts, eventEvidence } from './tag-evidence.ts'

const names = { event: '支付', property: (name: string) => (name === 'price' ? '金额' : name) }
const facts: EventFacts = {
  ...{ times: 3, days: 2, last: '2026-03-05 08:00:00' },
  ...{ first_ever: '2025-01-01 09:00:00', last_ever: '2026-03-05 08:00:00', number: '12.5' },
}
const never: EventFacts = { times: 0, days: 0, last: null, first_ever: null, last_ever: null, number: null }
const long = { ...never, first_ever: '2025-01-01 09:00:00', last_ever: '2025-02-01 09:00:00' }
const cheap = [{ property: 'price', condition: { is: 'equals', value: '1' } }]
const sum = { of: 'sum', property: 'price', from: '10', to: null }

test.each<[string, object, EventFacts, string]>([
  ['somebody who did it', {}, facts, '「支付」3 次，最近一次在 2026-03-05 08:00:00'],
  ['days', { measure: { of: 'days' } }, facts, '「支付」2 天共 3 次，最近一次在 2026-03-05 08:00:00'],
  ['somebody who never did it', {}, never, '从未有过「支付」'],
  ['conditions', { properties: cheap }, never, '从未有过符合条件的「支付」'],
  ['another time', { window_days: 7 }, long, '这段时间没有「支付」；最近一次在 2025-02-01 09:00:00'],
  ['the first time', { window_days: 7, measure: { of: 'first' } }, long, '首次「支付」在 2025-01-01 09:00:00'],
  ['the last time', { window_days: 7, measure: { of: 'last' } }, long, '最近一次「支付」在 2025-02-01 09:00:00'],
  ['a sum', { measure: sum }, facts, '「支付」3 次，最近一次在 2026-03-05 08:00:00；金额的合计是 12.5'],
  [
    'no number',
    { measure: sum },
    { ...facts, number: null },
    '「支付」3 次，最近一次在 2026-03-05 08:00:00；金额没有数字',
  ],
])('evidence of %s', (_what, given, found, words) => {
  const definition = EventDefinition.parse({ kind: 'event', event: 'pay', window_days: null, ...given })
  expect(eventEvidence(definition, found, names)).toBe(words)
})

test('evidence of an attribute is its value, or that there is none', () => {
  expect(attributeEvidence('城市', '上海')).toBe('「城市」是「上海」')
  expect(attributeEvidence('城市', '')).toBe('没有「城市」的值')
})

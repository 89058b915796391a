import { expect, test } from 'vitest'
import { sentenceOf } from '../../outcome.ts'
import { readTargeting } from './read.ts'

const LIVE = { landing_type: 'LIVE' }
const refusalOf = (given: unknown) => {
  const { refusal } = readTargeting('commerce', given)
  return refusal && sentenceOf(refusal)
}

test.each<[string, unknown, string]>([
  ['a text that is no JSON', '{"landing_type":', '定向内容不是有效的 JSON'],
  ['a package type is missing', {}, '请选择定向包类型'],
  ['an empty picker behind 自定义', { ...LIVE, smart_interest_action: 'CUSTOM' }, '请选择行为、兴趣'],
  ['a role without crowds', { ...LIVE, auto_crowd_mode: [1] }, '请选择定向人群'],
  [
    'the first tab with a fault is named',
    { ...LIVE, district: ['CITY'], auto_crowd_mode: [1] },
    '请至少选择1个地理位置',
  ],
])('%s is refused', (_, given, sentence) => expect(refusalOf(given)).toContain(sentence))

test.each<[string, unknown]>([
  ['JSON that is no object', '[]'],
  ['a type of another platform', { landing_type: 'DPA' }],
  ['a field that the platform never had', { ...LIVE, career: ['IT'] }],
  ['a code that no choice has', { ...LIVE, age: ['AGE_1'] }],
])('%s is refused by its schema', (_, given) =>
  expect(readTargeting('commerce', given).refusal?.code).toBe('input_refused'),
)

test('an object and its text are read alike, and what does not apply is left out', () => {
  const given = {
    ...LIVE,
    age: ['AGE_ABOVE_50'],
    action_tags: [{ id: '12', type: 1 }],
    aweme_fan_time_scope: 'DAYS_30',
  }
  const { targeting } = readTargeting('commerce', given)
  expect(targeting).toMatchObject({ landing_type: 'LIVE', age: ['AGE_ABOVE_50'] })
  expect(targeting).not.toHaveProperty('action_tags')
  expect(targeting).not.toHaveProperty('aweme_fan_time_scope')
  expect(readTargeting('commerce', JSON.stringify(given)).targeting).toEqual(targeting)
})

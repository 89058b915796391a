import { expect, test } from 'vitest'
import { sentenceOf } from '../../outcome.ts'
import { readTargeting } from './read.ts'

const refusalOf = (given: unknown) => {
  const { refusal } = readTargeting(given)
  return refusal && sentenceOf(refusal)
}

test.each<[string, unknown, string]>([
  ['a text that is no JSON', '{"age":', '定向内容不是有效的 JSON'],
  ['自定义 without values', { education: [] }, '请选择学历'],
  ['the first tab with a fault', { geo_location: 'REGIONS', custom_audience: [] }, '请选择地域'],
])('%s is refused', (_, given, sentence) => expect(refusalOf(given)).toBe(sentence))

test.each<[string, unknown]>([
  ['JSON that is no object', '[]'],
  ['a field of another platform', { landing_type: 'LIVE' }],
  ['a code that no choice has', { gender: ['OTHER'] }],
])('%s is refused by its schema', (_, given) => expect(readTargeting(given).refusal?.code).toBe('input_refused'))

test('an object and its text are read alike, and what does not apply is left out', () => {
  const given = { age: [{ min: 18, max: 30 }], regions: ['310000'], gender: null, behavior_keywords: ['手机'] }
  expect(readTargeting(given).targeting).toEqual({ age: [{ min: 18, max: 30 }] })
  expect(readTargeting(JSON.stringify(given)).targeting).toEqual({ age: [{ min: 18, max: 30 }] })
})

import { expect, test } from 'vitest'
import type { PropertyInfo } from '#contract/tag-field.ts'
import { numericOptions } from './MeasureFields.tsx'

const property = (name: string, type: PropertyInfo['type']): PropertyInfo => ({
  name,
  display_name: `「${name}」`,
  type,
  is_type_fixed: false,
  named: 0,
})
const ALL = [property('price', 'number'), property('page', 'text'), property('on', 'date'), property('none', null)]

test('numbers are offered first, then what has no value in the sample, and what a tag already names', () => {
  expect(numericOptions(ALL, null)).toEqual([
    { value: 'price', label: '「price」' },
    { value: 'none', label: '「none」' },
  ])
  expect(numericOptions(ALL, 'page').map(({ value }) => value)).toEqual(['price', 'page', 'none'])
})

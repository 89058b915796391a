import { expect, test } from 'vitest'
import { leftOutOf, othersIn } from './left-out.ts'

test.each<[string, object, object, object[]]>([
  ['the same', { age: ['A', 'B'], gender: 'M' }, { gender: 'M', age: ['B', 'A'] }, []],
  ['a code of a list', { age: ['A', 'X', 'Y'] }, { age: ['A'] }, [{ field: 'age', values: ['X', 'Y'], count: 2 }]],
  ['a code alone', { days: 45 }, { days: 30 }, [{ field: 'days', values: ['45'], count: 1 }]],
  ['a whole field', { user_os: ['IOS'] }, {}, [{ field: 'user_os', values: ['IOS'], count: 1 }]],
  [
    'fields inside of others, in lists too',
    { b: { behavior: [{ scene: ['S'], intensity: ['HIGH'] }] } },
    { b: { behavior: [{ scene: ['S'] }] } },
    [{ field: 'b.behavior.intensity', values: ['HIGH'], count: 1 }],
  ],
  [
    'a range and a place, each as one thing',
    { age: [{ min: 14, max: 17 }], at: [{ lat: 1.5, long: 2 }] },
    {},
    [
      { field: 'age', values: ['14-17'], count: 1 },
      { field: 'at', values: ['lat 1.5 long 2'], count: 1 },
    ],
  ],
])('what is left out: %s', (_, content, understood, expected) => {
  expect(leftOutOf(content, understood)).toEqual(expected)
})

test('of very many values the first are kept, and all are counted', () => {
  const [left] = leftOutOf({ city: Array.from({ length: 340 }, (_, no) => String(no)) }, {})
  expect(left).toMatchObject({ field: 'city', count: 340 })
  expect(left?.values).toHaveLength(50)
})

test('other fields are what nobody knows, without what restricts nothing', () => {
  const row = {
    ...{ name: '包', hide: 'APP', plain: 'NONE', empty: [], zero: 0, off: false, nothing: null, goal: 'VIDEO' },
    ...{ moon_phase: 'FULL', deep: { er: [7] } },
  }
  expect(othersIn(row, new Set(['name']), { goal: ['VIDEO'] })).toEqual([
    { field: 'hide', values: ['APP'], count: 1 },
    { field: 'moon_phase', values: ['FULL'], count: 1 },
    { field: 'deep.er', values: ['7'], count: 1 },
  ])
})

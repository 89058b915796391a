import { expect, test } from 'vitest'
import { atMost } from './at-most.ts'

const self = (one: string) => one

test.each([
  ['all of it where there is room', ['a', 'b'], ['a'], 3, ['a', 'b']],
  ['nothing more where there is none', ['a', 'b', 'c'], ['a', 'b'], 2, ['a', 'b']],
  ['what was chosen before, wherever it stands', ['new', 'a', 'b'], ['a', 'b'], 2, ['a', 'b']],
  ['as many of the rest as fit', ['new', 'more', 'a'], ['a'], 2, ['new', 'a']],
  ['what is left after a removal, and one more', ['b', 'new', 'more'], ['a', 'b'], 2, ['b', 'new']],
  ['too many that an older console chose', ['a', 'b', 'c'], ['a', 'b', 'c', 'd'], 2, ['a', 'b', 'c']],
] as const)('a picker holds %s', (_, next, before, max, expected) => {
  expect(atMost<string>(next, before, max, self)).toEqual(expected)
})

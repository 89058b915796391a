import { expect, test } from 'vitest'
import { sizeWords } from './size-words.ts'

test.each([
  [0, '小于1000'],
  [999, '小于1000'],
  [1000, '1,000'],
  [12_345, '1.23万'],
  [320_000_000, '3.2亿'],
])('a package of %s people is said to have %s', (people, words) => expect(sizeWords(people)).toBe(words))

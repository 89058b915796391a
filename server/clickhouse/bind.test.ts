import { expect, test } from 'vitest'
import { bind } from './bind.ts'

test('a statement may hold a text of many megabytes', () => {
  for (const text of ['x'.repeat(12e6), "\\'".repeat(1e6), "''".repeat(1e6), '{a:String}'.repeat(1e5)]) {
    expect(bind(`SELECT '${text}', {a:String}`, { a: 'b' })).toBe(`SELECT '${text}', 'b'`)
  }
})

test('parameters are found only outside texts, names and comments', () => {
  const bound = bind(
    "{a:String} '\\'{b:String}' `{b:String}` \"{b:String}\" /* '{b:String} */ -- `{b:String}\n{a:String}",
    { a: 'x' },
  )
  expect(bound).toBe("'x' '\\'{b:String}' `{b:String}` \"{b:String}\" /* '{b:String} */ -- `{b:String}\n'x'")
})

import { expect, test } from 'vitest'
import { namesPerson } from './files.ts'

const person = (...one_ids: string[]) => ({ one_ids, texts: [] })

test.each<[string, string]>([
  ['u1', '3,时间不对,u1,browse\n'],
  ['tenant|42', '3,时间不对,tenant|42,browse\n'],
  ['a;b', '3,时间不对,a;b,browse\n'],
  ['{8f14e45f}', '3,时间不对,{8f14e45f},browse\n'],
  ['Müller, Hans', '3,时间不对,"Müller, Hans",browse\n'],
  ['Müller, Hans', '3,列数不对,"""Müller, Hans"",browse"\n'],
  ['say "hi"', '3,时间不对,"say ""hi""",browse\n'],
])('%s is found in a record that has it: %s', (id, record) => {
  expect(namesPerson(person(id))(record)).toBe(true)
})

test.each<[string, string]>([
  ['3', '3,时间不对,u2,browse\n'],
  ['tenant|42', '3,时间不对,tenant|421,browse\n'],
  ['a;b', '3,时间不对,aa;b,browse\n'],
  ['u1,browse', '3,时间不对,u1,browse\n'],
])('%s is not found in a record of others: %s', (id, record) => {
  expect(namesPerson(person(id))(record)).toBe(false)
})

test.each<[string, string, boolean]>([
  ['u1', 'u1,browse,3,时间不对\n', true],
  ['Müller, Hans', '"Müller, Hans",browse,3（不完整）,"列数不对，""a"",b"\n', true],
  ['3', 'u2,browse,3,时间不对\n', false],
  ['3', 'u2,browse,3（不完整）,"「a,3」不是整数"\n', false],
  ['browse', '3,browse,4,时间不对\n', true],
])('%s in a row with its number and reason at the end: %s', (id, record, isNamed) => {
  expect(namesPerson(person(id))(record, { isOfRefused: true })).toBe(isNamed)
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maskPhones } from '../files/mask-phones.ts'
import { sharedPostgres } from '../testing/postgres.ts'
import { mayKnowName, textHolds } from './like.ts'
import type { Postgres } from './open.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await sharedPostgres()
})
afterAll(() => postgres.close())

const blind = { see_phones: false }
const ask = async (question: ReturnType<typeof textHolds>) => {
  const { rows } = await sql<{ yes: boolean }>`select ${question} as yes`.execute(postgres.db)
  return rows[0]?.yes
}
const holds = (text: string, wanted: string, viewer = blind) =>
  ask(textHolds(viewer, sql<string>`${text}::text`, wanted))

const TEXTS = [
  ...['客户13800138000', '+8613800138000 回访', '0086 138 0013 8000', '138-0013-8000', '1380-0138-000', '10012345678'],
  ...['p=%31%33%38%30%30%31%33%38%30%30%30', 'p=1%338%300138000', 'p=138%2D0013%2d8000', 'q=138+0013+8000'],
  ...['u=%252F%2531%2533%2538%2530%2530%2531%2533%2538%2530%2530%2530', 'p=5%31%33%38%30%30%31%33%38%30%30%30'],
  ...['１３８００１３８０００', '138_0013_8000 老板', '013800138000', '13 元 2026-11-23', '订单20261123100001', '双11'],
]

test.each(TEXTS)('the search looks through %s as it is shown', async (text) => {
  const shown = maskPhones(text)
  const [hidden] =
    shown === text
      ? []
      : ['0013', '0138', '2345', '００１３', '%30%30%31%33', '%2530%2530', '8%300138'].filter((part) =>
          text.includes(part),
        )
  if (hidden && !shown.includes(hidden)) expect(await holds(text, hidden)).toBe(false)
  expect(await holds(text, text, { see_phones: true })).toBe(true)
  if (shown === text) expect(await holds(text, text)).toBe(true)
  // The first three digits and the last ones are shown.
  const seen = /\d{3}(?=\*{4})/.exec(shown)?.[0]
  if (seen) expect(await holds(text, seen)).toBe(true)
  expect(await ask(mayKnowName(blind, sql<string>`${text}::text`))).toBe(shown === text)
})

test('a mask is found as it is shown, and other words as ever', async () => {
  expect(await holds('客户13800138000', '138****8000')).toBe(true)
  expect(await holds('客户13800138000', '客户')).toBe(true)
  expect(await holds('客户13800138000', '13800')).toBe(false)
  expect(await holds('100%_a', '0%_A')).toBe(true)
})

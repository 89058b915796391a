import { afterAll, beforeEach, expect, test } from 'vitest'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { countTexts, eraseTexts, REMOVED, withoutPerson } from './texts.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())
const { db } = app.stores.postgres

const TASK = { kind: 'import', title: '导出 user-123', status: 'done', created_at: 1 }
const named = (...one_ids: string[]) => ({ one_ids, texts: [] })

test.each<[string, unknown, unknown]>([
  ['adv_id', { adv_id: 'adv_id', more: ['adv_id'] }, { adv_id: REMOVED, more: [REMOVED] }],
  ['id', { id: 'id', name: 'idle' }, { id: REMOVED, name: 'idle' }],
  [
    '123456',
    { rows: 123456, person: '123456', note: '用户 123456 的' },
    { rows: 123456, person: REMOVED, note: `用户 ${REMOVED} 的` },
  ],
  ['a"b\\c-long', { who: 'a"b\\c-long' }, { who: REMOVED }],
  ['已删除的用户', { who: '已删除的用户', before: REMOVED }, { who: REMOVED, before: REMOVED }],
  ['User-One', { who: 'User-One', other: 'user-one' }, { who: REMOVED, other: 'user-one' }],
])('of %s texts alone are taken out: no key, no number, nobody with other capitals', (id, value, without) => {
  expect(withoutPerson(value, named(id))).toEqual(without)
})

test('identifiers are taken out in either case', () => {
  const person = { one_ids: [], texts: ['abcdef0123'] }
  expect(withoutPerson({ hash: 'ABCDEF0123' }, person)).toEqual({ hash: REMOVED })
})

test('records whose keys and numbers are written like an id stay as they are, and the removal ends', async () => {
  const detail = { adv_id: 7, detail: 123456, who: '123456', where: 'adv_id' }
  await db
    .insertInto('audit')
    .values({ viewer_id: null, action: 'try', at: 1, detail: JSON.stringify(detail) } as never)
    .execute()
  const read = async () =>
    (await db.selectFrom('audit').select('detail').where('action', '=', 'try').executeTakeFirstOrThrow()).detail
  const whom = { adv_id: 7, person: named('adv_id', '123456', 'detail') }
  expect(await countTexts(db, whom)).toBe(1)
  expect(await eraseTexts(db, whom)).toBe(1)
  expect(await read()).toEqual({ adv_id: 7, detail: 123456, who: REMOVED, where: REMOVED })
  expect(await eraseTexts(db, whom)).toBe(0)
})

test('rows of another advertiser stay as they are, those of nobody are cleaned', async () => {
  const [mine, other] = [await anAdvertiser(app, '甲'), await anAdvertiser(app, '乙')]
  const details = [{ adv_id: mine, who: 'user-123' }, { adv_id: other, who: 'user-123' }, { who: 'user-123' }]
  await db
    .insertInto('audit')
    .values(
      details.map((detail) => ({ viewer_id: null, action: 'try', at: 1, detail: JSON.stringify(detail) })) as never,
    )
    .execute()
  await db
    .insertInto('task')
    .values([mine, other].map((adv_id) => ({ ...TASK, adv_id })) as never)
    .execute()
  const whom = { adv_id: mine, person: named('user-123') }
  expect(await countTexts(db, whom)).toBe(3)
  expect(await eraseTexts(db, whom)).toBe(3)
  const audits = await db.selectFrom('audit').select('detail').where('action', '=', 'try').orderBy('id').execute()
  expect(audits.map(({ detail }) => detail)).toEqual([
    { adv_id: mine, who: REMOVED },
    { adv_id: other, who: 'user-123' },
    { who: REMOVED },
  ])
  const tasks = await db
    .selectFrom('task')
    .select(['adv_id', 'title'])
    .where('kind', '=', 'import')
    .orderBy('adv_id')
    .execute()
  expect(tasks).toEqual([
    { adv_id: mine, title: `导出 ${REMOVED}` },
    { adv_id: other, title: '导出 user-123' },
  ])
})

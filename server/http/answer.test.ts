import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { getTagTree, listTags } from '#contract/tag.ts'
import { anAdvertiser, aTag } from '../testing/builders.ts'
import { testApp } from '../testing/test-app.ts'
import { encodeAnswer } from './answer.ts'
import { envelopeOf, ok } from './envelope.ts'

const app = await testApp()
const { db } = app.stores.postgres
let adv_id = 0
afterAll(() => app.close())
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  await app.settled()
})

const change = (id: number, set: string) => sql`update tag set ${sql.raw(set)} where id = ${id}`.execute(db)
const namesOf = (rows: readonly { name: string }[]) => rows.map((row) => row.name)

test('a tag list shows the readable fields of a row that breaks its schema, and all other rows', async () => {
  await aTag(app, adv_id, [1], '好的')
  const long = await aTag(app, adv_id, [1], '过长')
  const unreadable = await aTag(app, adv_id, [1], '读不出')
  const secret = `${'秘'.repeat(200)}密`
  await change(long, `definition = jsonb_set(definition, '{attribute}', '"${secret}"')`)
  await change(unreadable, `definition = '{"kind":"dream"}'`)
  const broken = app.collectBrokenAnswers()

  const { list } = await app.admin.get(listTags, { query: { adv_id } })
  expect(namesOf(list)).toEqual(['全部用户', '好的', '过长'])
  expect(list.at(-1)?.definition).toMatchObject({ attribute: '秘'.repeat(200) })
  expect(broken).toEqual([
    {
      method: 'GET',
      url: listTags.path,
      fields: [
        { field: 'data.list.definition.attribute', row_id: long, code: 'too_big', done: 'cut' },
        { field: 'data.list.definition', row_id: unreadable, code: 'invalid_union', done: 'row dropped' },
      ],
    },
  ])
  expect(JSON.stringify(broken)).not.toContain('秘')
})

test('one broken tag in a tree removes neither its category nor the others', async () => {
  const id = await aTag(app, adv_id, [1, 2], '过早')
  await aTag(app, adv_id, [1], '好的')
  await change(id, 'counted_at = -1')
  const broken = app.collectBrokenAnswers()
  const { data } = await app.admin.get(getTagTree, { query: { adv_id } })
  const tags = data.flatMap((category) => category.group ?? [])
  expect(tags.map(({ tag, count }) => [tag, count])).toEqual([
    ['全部用户', 0],
    ['过早', 2],
    ['好的', 1],
  ])
  expect(tags[1]?.counted_at).toBeNull()
  expect(broken).toMatchObject([{ fields: [{ field: 'data.data.group.counted_at', row_id: id, done: 'emptied' }] }])
})

test('a broken answer fails its call unless the test collects broken answers', async () => {
  await change(await aTag(app, adv_id, [1]), 'counted_at = -1')
  expect(await app.admin.call(listTags, { query: { adv_id } })).toMatchObject({ status: 500, msg: '请求失败' })
})

const Row = z.object({
  id: z.int(),
  name: z.string().max(3),
  note: z.string().optional(),
  at: z.int().nullable(),
  rule: z.object({ parts: z.array(z.object({ n: z.int() })) }),
  get group(): z.ZodOptional<z.ZodArray<z.ZodType>> {
    return z.array(Row).optional()
  },
})
const row = (id: number, given: object = {}) => ({ id, name: 'abc', at: null, rule: { parts: [{ n: 1 }] }, ...given })
const Rows = envelopeOf(z.object({ list: z.array(Row) }))
const repaired = (...list: object[]) => {
  const found = encodeAnswer(Rows, ok({ list }), { repairsRows: true })
  return found.ok ? z.object({ data: z.object({ list: z.unknown() }) }).parse(found.data).data.list : null
}

test.each<[string, object[], object[]]>([
  ['a text that is too long is cut between characters', [row(1, { name: 'ab😀😀' })], [row(1, { name: 'ab😀' })]],
  ['what may be null is emptied', [row(1, { at: 'x' })], [row(1)]],
  ['what may be missing is left out', [row(1, { note: 7 })], [row(1)]],
  ['a text that is missing is empty', [row(1, { name: null })], [row(1, { name: '' })]],
  ['a row of which too much is wrong is dropped', [row(1), row(2, { id: 'x' }), row(3)], [row(1), row(3)]],
  ['rows that are no rows are dropped, however many', [row(1), null, 'x', null] as object[], [row(1)]],
  ['a part of a rule is never dropped alone', [row(1, { rule: { parts: [{ n: 1 }, {}] } }), row(2)], [row(2)]],
  [
    'a broken row among rows costs only itself',
    [row(1, { group: [row(2, { at: 'x' }), row(3, { id: null })] })],
    [row(1, { group: [row(2)] })],
  ],
])('%s', (_, given, wanted) => {
  const before = structuredClone(given)
  expect(repaired(...given)).toEqual(wanted)
  expect(given).toEqual(before)
})

test('faults outside a list, and in answers of changing calls, stay errors', () => {
  const One = envelopeOf(z.object({ name: z.string().max(3), rule: z.object({ parts: z.array(z.int()) }) }))
  const encoded = (data: object) => encodeAnswer(One, ok(data), { repairsRows: true }).ok
  expect(encoded({ name: 'abcd', rule: { parts: [] } })).toBe(false)
  expect(encoded({ name: 'abc', rule: { parts: [1, 'x'] } })).toBe(false)
  expect(encodeAnswer(Rows, ok({ list: [row(1, { at: 'x' })] }), { repairsRows: false }).ok).toBe(false)
})

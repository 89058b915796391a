import { afterAll, beforeEach, expect, test } from 'vitest'
import { getImport, type ImportMapping, previewUndo, startImport, undoImport } from '#contract/import.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { getAttribute, getEvent, listFields, updateAttribute, updateEvent } from '#contract/tag-field.ts'
import { aCrowd, anAdvertiser, leaf, tagged } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'

const app = await testApp()
afterAll(() => app.close())
let adv_id = 0
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
})

const USERS: ImportMapping = { kind: 'users', id: 'id', identifiers: [], skip: [] }
const EVENTS: ImportMapping = { kind: 'events', id: 'id', event: 'event', time: 'time', skip: [] }
type Field = NonNullable<Extract<ImportMapping, { kind: 'users' }>['fields']>[number]
const withField = (field: Field): ImportMapping => ({ ...USERS, fields: [field] })

async function imported(text: string, mapping = USERS) {
  const upload_id = await uploadTo(app, app.admin, text, 'file.csv')
  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
  expect(await app.admin.get(getImport, { params: { id } })).toMatchObject({ status: 'done' })
  return id
}
async function undo(id: number) {
  await app.admin.get(undoImport, { params: { id } })
  await app.settled()
  expect(await app.admin.get(getImport, { params: { id } })).toMatchObject({ status: 'undone' })
}
const attribute = (name: string) => app.admin.get(getAttribute, { query: { adv_id, name } })
async function tagsOf(name: string) {
  const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  return data.find(({ tag }) => tag === name)?.group ?? []
}
const namesOf = async (name: string) => (await tagsOf(name)).map(({ tag, count }) => `${tag} ${count}`)
const spent = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `u${from + n},${(from + n) * 10}\n`).join('')

test('after an undo a type that its mapping settled is guessed again, and the ranges return', async () => {
  await imported(`id,spent\n${spent(0, 300)}`)
  const before = await namesOf('spent')
  expect(before.length).toBeGreaterThan(8)
  const id = await imported(`id,spent\n${spent(0, 301)}`, withField({ column: 'spent', type: 'text' }))
  expect(await namesOf('spent')).toEqual(['有值 301'])
  await undo(id)
  expect(await attribute('spent')).toMatchObject({ type: 'number', is_type_fixed: false })
  expect((await namesOf('spent')).filter((one) => !one.startsWith('有值'))).toEqual(before)
})

test('after an undo ranges are cut again beside one that a crowd uses', async () => {
  await imported(`id,spent\n${spent(0, 300)}`)
  const before = await tagsOf('spent')
  await aCrowd(app, adv_id, leaf('a', 'n', tagged(before[3]?.id ?? 0)))
  const id = await imported('id,spent\nu900,未知\nu901,未知\n')
  expect(await attribute('spent')).toMatchObject({ type: 'text' })
  await undo(id)
  const after = (await tagsOf('spent')).filter(({ tag }) => tag !== '有值')
  expect(new Set(after.map(({ tag, count }) => `${tag} ${count}`))).toEqual(
    new Set(before.map(({ tag, count }) => `${tag} ${count}`)),
  )
  expect(after.map(({ id }) => id)).toContain(before[3]?.id)
})

test('after an undo names are as before it, except those that a viewer or a later import gave', async () => {
  const text = (from: number) => `id,sex\n${Array.from({ length: 20 }, (_, n) => `u${from + n},${n % 2}\n`).join('')}`
  const label = (name: string) => ({ dictionary: [{ value: '1', label: name }] })
  await imported(text(0), withField({ column: 'sex', display_name: '性别', ...label('男') }))
  const wrong = await imported(text(100), withField({ column: 'sex', display_name: '称呼', ...label('先生') }))
  const later = await imported(text(200), withField({ column: 'sex', ...label('男士') }))
  expect(await namesOf('称呼')).toEqual(expect.arrayContaining(['男士 30']))
  await undo(wrong)
  expect(await attribute('sex')).toMatchObject({ display_name: '性别' })
  expect(await namesOf('性别')).toEqual(expect.arrayContaining(['男士 20']))
  await undo(later)
  // What was there before both of them.
  expect(await namesOf('性别')).toEqual(expect.arrayContaining(['男 10']))

  const again = await imported(text(300), withField({ column: 'sex', display_name: '称呼', ...label('先生') }))
  await app.admin.get(updateAttribute, { body: { adv_id, name: 'sex', display_name: '性别称呼' } })
  await app.settled()
  await undo(again)
  expect(await attribute('sex')).toMatchObject({ display_name: '性别称呼', dictionary: [{ value: '1', label: '男' }] })
})

test('an undo removes fields that only its mapping settled, and keeps those that a viewer settled', async () => {
  const field = { column: 'sex', display_name: '性别', dictionary: [{ value: '1', label: '男' }] }
  const id = await imported('id,sex,city\nu1,1,北京\n', withField(field))
  await app.admin.get(updateAttribute, { body: { adv_id, name: 'city', display_name: '城市' } })
  await app.settled()
  expect(await app.admin.get(previewUndo, { params: { id } })).toMatchObject({ attributes: ['sex'] })
  const dictionary = [{ value: '3', label: '三' }]
  const fields = [{ column: 'p', display_name: '金额', type: 'number' as const, dictionary }]
  const events = await imported('id,event,time,p\nu1,pay,2026-01-01,3\nu1,看,2026-01-01,4\n', { ...EVENTS, fields })
  await app.admin.get(updateEvent, { body: { adv_id, name: 'pay', display_name: '支付' } })
  await app.settled()
  expect(await app.admin.get(previewUndo, { params: { id: events } })).toMatchObject({ events: ['看'] })
  await undo(events)
  await undo(id)
  const left = await app.admin.get(listFields, { query: { adv_id } })
  expect(left.attributes.map(({ name }) => name)).toEqual(['city'])
  expect(left.events.map(({ name, display_name }) => [name, display_name])).toEqual([['pay', '支付']])
  const { properties } = await app.admin.get(getEvent, { query: { adv_id, name: 'pay' } })
  expect(properties.filter(({ is_type_fixed, named }) => is_type_fixed || named > 0)).toEqual([])
})

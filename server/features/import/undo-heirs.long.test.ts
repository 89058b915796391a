import { afterAll, beforeEach, expect, test } from 'vitest'
import { getImport, type ImportMapping, previewUndo, startImport, undoImport } from '#contract/import.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { getAttribute } from '#contract/tag-field.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'

const app = await testApp()
afterAll(() => app.close())
let adv_id: number
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
})

const USERS: ImportMapping = { kind: 'users', id: 'id', identifiers: [], skip: [] }
const EVENTS: ImportMapping = { kind: 'events', id: 'id', event: 'event', time: 'time', skip: [] }

async function imported(text: string, mapping: ImportMapping) {
  const upload_id = await uploadTo(app, app.admin, text, 'file.csv')
  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
  return id
}
const preview = (id: number) => app.admin.get(previewUndo, { params: { id } })
async function undone(id: number) {
  expect(await app.admin.call(undoImport, { params: { id } })).toMatchObject({ code: 0 })
  await app.settled()
  return app.admin.get(getImport, { params: { id } })
}
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

test('an undo of an import that took over rows names everyone who goes, and the fields that go', async () => {
  await imported(
    `id,city\n${numbers(200)
      .map((n) => `u${n},北京`)
      .join('\n')}\n`,
    USERS,
  )
  const orders = `id,event,time\n${numbers(900)
    .map((n) => `u${n % 300},${n % 2 ? '买' : '看'},2026-01-0${1 + (n % 9)}`)
    .join('\n')}\n`
  const first = await imported(orders, EVENTS)
  const second = await imported(orders, EVENTS)
  expect((await preview(first)).extent).toMatchObject({ rows: 900, people: 0 })
  await undone(first)
  const { extent, events } = await preview(second)
  expect(extent).toMatchObject({ rows: 900, people: 100 })
  expect(events).toEqual(['买', '看'])
  const { undo } = await undone(second)
  expect(undo).toMatchObject({ extent: { people: 100 } })
})

test('a preview says nothing while another import of the advertiser is being undone', async () => {
  const text = 'id,city\nu1,北京\nu2,上海\n'
  const first = await imported(text, USERS)
  const second = await imported(text, USERS)
  await app.stores.postgres.db.updateTable('import').set({ status: 'undoing' }).where('id', '=', first).execute()
  expect(await app.admin.call(previewUndo, { params: { id: second } })).toMatchObject({
    msg: expect.stringContaining('「file.csv」正在撤销，结束后才能算出会移除什么，请稍后再试'),
  })
})

test('the import that takes over rows keeps what the undone one settled, until it is undone itself', async () => {
  const text = `id,sex,points\n${numbers(30)
    .map((n) => `u${n},${n % 2},${n}`)
    .join('\n')}\n`
  const sex = { column: 'sex', display_name: '性别', dictionary: [{ value: '1', label: '男' }] }
  const fields = [sex, { column: 'points', type: 'number' as const }]
  const first = await imported(text, { ...USERS, fields })
  const second = await imported(text, USERS)
  const attribute = (name: string) => app.admin.get(getAttribute, { query: { adv_id, name } })
  const tags = async () =>
    (await app.admin.get(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })).data.flatMap((category) =>
      (category.group ?? []).map(({ tag }) => `${category.tag} ${tag}`),
    )
  const before = await tags()
  expect(before).toContain('性别 男')
  await undone(first)
  expect(await tags()).toEqual(before)
  expect(await attribute('points')).toMatchObject({ type: 'number', is_type_fixed: true })
  await undone(second)
  await imported(text, USERS)
  expect(await attribute('sex')).toMatchObject({ display_name: 'sex', dictionary: [] })
  expect(await attribute('points')).toMatchObject({ is_type_fixed: false })
})

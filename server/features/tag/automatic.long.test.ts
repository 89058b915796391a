import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { getImport, type ImportMapping, startImport } from '#contract/import.ts'
import {
  createCategory,
  deleteCategory,
  deleteTag,
  EVENT_TAG,
  listTags,
  updateCategory,
  updateTag,
} from '#contract/tag.ts'
import { transaction } from '../../postgres/transaction.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'

const app = await testApp()
let adv_id = 0
afterAll(() => app.close())
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
})

const EVENTS: ImportMapping = { kind: 'events', id: 'id', event: 'event', time: 'time', skip: [] }
async function importEvents(...rows: string[]) {
  const upload_id = await uploadTo(app, app.admin, `id,event,time\n${rows.join('\n')}\n`)
  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping: EVENTS } })
  await app.settled()
  expect(await app.admin.get(getImport, { params: { id } })).toMatchObject({ status: 'done' })
}
const eventTags = async () => (await app.admin.get(listTags, { query: { adv_id, tag_type: EVENT_TAG } })).list
const category = (name: string) =>
  app.admin.get(createCategory, { body: { adv_id, name, icon: 'other', tag_type: EVENT_TAG } })

test('an event gets one tag even if a category has its name; a removed tag is not made again', async () => {
  await category('view')
  await importEvents('u1,view,2026-01-01')
  await importEvents('u2,view,2026-01-02')
  const tags = await eventTags()
  expect(tags.map(({ name, count }) => [name, count])).toEqual([['做过 view', 2]])
  await app.admin.get(deleteTag, { params: { id: tags[0]?.id ?? 0 } })
  await importEvents('u3,view,2026-01-03')
  expect(await eventTags()).toEqual([])
})

test('an event whose category was deleted with its tag gets no other', async () => {
  await importEvents('u1,view,2026-01-01', 'u1,buy,2026-01-01')
  const deleted = (await eventTags()).find(({ name }) => name === '做过 view')
  await app.admin.get(deleteCategory, { params: { id: deleted?.category_id ?? 0 }, query: { with_tags: '1' } })
  await importEvents('u2,view,2026-01-02', 'u2,buy,2026-01-02')
  expect((await eventTags()).map(({ name, count }) => [name, count])).toEqual([['做过 buy', 2]])
})

test('an event gets one tag even if another event’s category has its name', async () => {
  await importEvents('u1,view,2026-01-01')
  const id = (await eventTags())[0]?.category_id ?? 0
  await app.admin.get(updateCategory, { params: { id }, body: { name: 'buy' } })
  await importEvents('u1,buy,2026-01-01')
  await importEvents('u2,buy,2026-01-02')
  const found = (await eventTags()).map(({ name, count }) => [name, count])
  expect(found.toSorted()).toEqual([
    ['做过 buy', 2],
    ['做过 view', 1],
  ])
})

test('an automatic tag saved with an unchanged definition stays automatic and is not rebuilt', async () => {
  await importEvents('u1,view,2026-01-01')
  const [before] = await eventTags()
  if (!before) throw new Error('there is no tag')
  const { id, definition } = before
  await app.admin.get(updateTag, { params: { id }, body: { name: '浏览过', definition } })
  expect(await eventTags()).toEqual([{ ...before, name: '浏览过' }])
})

test('the values of an attribute stay due until they are counted', async () => {
  const { db } = app.stores.postgres
  vi.spyOn(console, 'error').mockImplementation(() => {})
  // Otherwise the build of the new advertiser's tags would request a count too.
  await app.settled()
  // The attribute has no column in the warehouse, so the count fails.
  await db
    .insertInto('attribute')
    .values({ adv_id, name: 'none', slot: 200, type: 'text', display_name: 'none', values: '[]', values_due: true })
    .execute()
  await transaction(db, (tx) => app.stores.jobs.send(tx, 'tag.values', { adv_id }))
  const job = sql<{ state: string }>`select state::text from pgboss.job where name = 'tag.values'`
  await vi.waitFor(async () => expect((await job.execute(db)).rows).toEqual([{ state: 'retry' }]), { timeout: 8000 })
  await sql`delete from pgboss.job where name = 'tag.values'`.execute(db)
  vi.restoreAllMocks()
  expect(await db.selectFrom('attribute').select(['name', 'values_due']).execute()).toEqual([
    { name: 'none', values_due: true },
  ])
})

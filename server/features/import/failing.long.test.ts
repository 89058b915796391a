import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { getImport, type ImportMapping, listImports, startImport, undoImport } from '#contract/import.ts'
import { outcome } from '#contract/outcome.ts'
import { listTasks, retryTask } from '#contract/task.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())
afterEach(() => vi.restoreAllMocks())

const USERS: ImportMapping = { kind: 'users', id: 'id', identifiers: [], skip: [] }
const people = (from: number, n: number) =>
  `id,city\n${Array.from({ length: n }, (_, i) => `${from + i},city ${i % 7}`).join('\n')}`

const start = (adv_id: number, upload_id: string, mapping = USERS) =>
  app.admin.call(startImport, { body: { adv_id, upload_id, mapping } })
const find = (id: number) => app.admin.get(getImport, { params: { id } })
const taskOf = async (id: number) => {
  const { task_id } = await app.stores.postgres.db
    .selectFrom('import')
    .select('task_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { list } = await app.admin.get(listTasks)
  const task = list.find((one) => one.id === task_id)
  if (!task) throw new Error('no task')
  return task
}

test('waiting imports of one advertiser occupy no worker, and another advertiser’s import does not wait for them', async () => {
  const { db } = app.stores.postgres
  const busy = await anAdvertiser(app)
  const other = await anAdvertiser(app)
  const files: string[] = []
  for (let n = 0; n < 4; n++) files.push(await uploadTo(app, app.admin, people(n * 20_000, 20_000)))
  const small = await uploadTo(app, app.admin, people(0, 3))
  const ids: number[] = []
  for (const file of files) ids.push((await start(busy, file)).data.id)
  ids.push((await start(other, small)).data.id)
  let most = 0
  for (;;) {
    const { rows } = await sql<{ state: string; group: string }>`
      select state::text, group_id as group from pgboss.job where name = 'import.run' and state < 'completed'`.execute(
      db,
    )
    most = Math.max(most, rows.filter((row) => row.state === 'active' && row.group === `advertiser:${busy}`).length)
    if (rows.length === 0) break
    await pause(20)
  }
  const { rows: ended } = await sql<{ id: number }>`
    select (data->'data'->>'id')::int as id from pgboss.job where name = 'import.run' order by completed_on`.execute(db)
  const order = ended.map((row) => row.id)
  expect(most).toBe(1)
  expect(order.filter((id) => id !== ids[4])).toEqual(ids.slice(0, 4))
  expect(order.indexOf(ids[4] ?? 0)).toBeLessThan(4)
}, 60_000)

test('concurrent and repeated requests to import an upload make one import', async () => {
  const adv_id = await anAdvertiser(app)
  const upload_id = await uploadTo(app, app.admin, people(0, 10))
  const answers = await Promise.all([start(adv_id, upload_id), start(adv_id, upload_id), start(adv_id, upload_id)])
  expect(answers.map((answer) => answer.code)).toEqual([0, 0, 0])
  expect(new Set(answers.map((answer) => answer.data.id)).size).toBe(1)
  const otherwise = await start(await anAdvertiser(app), upload_id)
  expect([FAULTS.importBusy.code, FAULTS.notFound.code]).toContain(otherwise.code)
  await app.settled()
  expect((await start(adv_id, upload_id)).data.id).toBe(answers[0].data.id)
  expect(await app.admin.get(listImports, { query: { adv_id } })).toMatchObject({
    total: 1,
    list: [{ status: 'done', stage: '', report: { stored: 10 } }],
  })
  expect((await start(adv_id, upload_id, { ...USERS, skip: ['city'] })).code).toBe(FAULTS.notFound.code)
})

test('after an unexpected engine error an import soon fails with a sentence and can be retried', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const load = app.stores.warehouse.load.acrossShards
  const adv_id = await anAdvertiser(app)
  const upload_id = await uploadTo(app, app.admin, people(0, 10))
  await load.command('RENAME TABLE identifier TO identifier_away')
  const began = Date.now()
  const { id } = (await start(adv_id, upload_id)).data
  try {
    await vi.waitFor(async () => expect((await find(id)).status).toBe('failed'), { timeout: 20_000, interval: 50 })
  } finally {
    await load.command('RENAME TABLE identifier_away TO identifier')
  }
  expect(Date.now() - began).toBeLessThan(15_000)
  expect(await find(id)).toMatchObject({ stage: '', error: expect.stringMatching(/^导入时出现意外错误，没有完成/) })
  const task = await taskOf(id)
  expect(task).toMatchObject({ status: 'failed', stage: '', retryable: true })

  await app.admin.get(retryTask, { params: { id: task.id } })
  expect(['waiting', 'running', 'done']).toContain((await find(id)).status)
  await app.settled()
  expect(await find(id)).toMatchObject({ status: 'done', stage: '', error: null, report: { stored: 10 } })
})

test('an import whose upload was removed says so', async () => {
  const adv_id = await anAdvertiser(app)
  const whole = gzipSync(people(0, 50_000))
  const upload_id = await uploadTo(app, app.admin, whole.subarray(0, whole.length - 100), 'people.csv.gz')
  const { id } = (await start(adv_id, upload_id)).data
  await app.settled()
  expect(await find(id)).toMatchObject({ status: 'failed', error: '文件无法读取：压缩文件不完整或已损坏' })
  rmSync(join(app.stores.settings.dataDir, 'uploads', upload_id))
  await app.admin.get(retryTask, { params: { id: (await taskOf(id)).id } })
  await app.settled()
  expect(await find(id)).toMatchObject({
    status: 'failed',
    error: '文件无法读取：文件不存在或已被移走',
    error_outcome: outcome('fault', { fault: 'importUnreadable', words: {}, cause: outcome('file_missing') }),
  })
})

test('an import that failed after its rows were stored is finished at the next start', async () => {
  const { db } = app.stores.postgres
  const adv_id = await anAdvertiser(app)
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'no tags today'; end $$`.execute(
    db,
  )
  await sql`create trigger refuse before insert on tag_category for each row execute function refuse()`.execute(db)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { id } = (await start(adv_id, await uploadTo(app, app.admin, people(0, 20)))).data
  await app.settled()
  await sql`drop function refuse cascade`.execute(db)
  expect(await find(id)).toMatchObject({ status: 'failed' })
  await app.services.importJobs.catchUp()
  await app.settled()
  expect(await find(id)).toMatchObject({ status: 'done', error: null, report: { stored: 20 } })
  expect(await taskOf(id)).toMatchObject({ status: 'done' })
  const everyone = db.selectFrom('tag').select('count').where('adv_id', '=', adv_id).where('is_built_in', '=', true)
  expect(await everyone.executeTakeFirst()).toEqual({ count: 20 })
})

test('an import that the next one finished is over: its task is done, and once undone it stays undone', async () => {
  const { db } = app.stores.postgres
  const adv_id = await anAdvertiser(app)
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'no tags today'; end $$`.execute(
    db,
  )
  await sql`create trigger refuse before insert on tag_category for each row execute function refuse()`.execute(db)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { id } = (await start(adv_id, await uploadTo(app, app.admin, people(0, 20)))).data
  await app.settled()
  await sql`drop function refuse cascade`.execute(db)
  const task = await taskOf(id)
  expect(task).toMatchObject({ status: 'failed', retryable: true })
  await start(adv_id, await uploadTo(app, app.admin, people(20, 5)))
  await app.settled()
  expect(await find(id)).toMatchObject({ status: 'done' })
  expect(await taskOf(id)).toMatchObject({ status: 'done', error: null, retryable: false })

  await app.admin.get(undoImport, { params: { id } })
  await app.settled()
  expect(await find(id)).toMatchObject({ status: 'undone' })
  // Earlier versions left such a task failed.
  await db.updateTable('task').set({ status: 'failed' }).where('id', '=', task.id).execute()
  await app.admin.get(retryTask, { params: { id: task.id } })
  expect(await find(id)).toMatchObject({ status: 'undone' })
  await app.settled()
  expect(await find(id)).toMatchObject({ status: 'undone', error: null })
})

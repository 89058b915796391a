import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getImport } from '#contract/import.ts'
import { listLinkUsers } from '#contract/link-user.ts'
import { StartError } from '../../start-error.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { forget, importFile, oneIdOf, receiptOf, USERS, userLine, usersFile } from '../../testing/forget-world.ts'
import { testApp } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

const app = await testApp()
afterAll(() => app.close())

let adv_id: number
const { db } = app.stores.postgres
const engine = app.stores.warehouse.load.acrossShards
const people = async () => (await app.admin.get(listLinkUsers, { query: { adv_id } })).total
const PEOPLE_TABLES = ['person_key', 'person_row', 'identifier', 'tag_member']

/** Starts as a process does: before its jobs run, and after. */
async function start() {
  await app.services.forgetting.replay()
  await app.services.forgetting.sendReplays()
  await app.settled()
}

beforeAll(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  await importFile(app, adv_id, usersFile([1, 2, 3].map((no) => userLine(no))), USERS)
})

test('a warehouse restored from before a person was forgotten loses them again, with the same receipt', async () => {
  for (const table of PEOPLE_TABLES) {
    await engine.command(`CREATE TABLE backup_${table} ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM ${table}`)
  }
  const { id } = await forget(app, adv_id)
  await app.settled()
  await start()
  expect((await receiptOf(app, id)).replays).toBe(0)
  expect(await people()).toBe(2)

  for (const table of PEOPLE_TABLES) {
    await engine.command(`TRUNCATE TABLE ${table}`)
    await engine.command(`INSERT INTO ${table} SELECT * FROM backup_${table}`)
  }
  for (const table of ['tombstone', 'forgotten']) await engine.command(`TRUNCATE TABLE ${table}`)
  expect(await people()).toBe(3)
  await start()
  expect(await people()).toBe(2)
  expect(await receiptOf(app, id)).toMatchObject({ status: 'done', replays: 1 })
  const again = await importFile(app, adv_id, usersFile([userLine(1)]), USERS)
  expect((await app.admin.get(getImport, { params: { id: again } })).report).toMatchObject({ stored: 0, refused: 1 })
})

test('records restored from before it get their tombstones back, and the person stays refused', async () => {
  await db.deleteFrom('tombstone').execute()
  await db.deleteFrom('forget').execute()
  await start()
  expect((await db.selectFrom('tombstone').selectAll().execute()).length).toBeGreaterThan(3)
  const again = await importFile(app, adv_id, usersFile([userLine(1)]), USERS)
  expect((await app.admin.get(getImport, { params: { id: again } })).report).toMatchObject({ stored: 0, refused: 1 })
})

test('with both stores restored from before it, the file in DATA_DIR brings both up to date', async () => {
  await db.deleteFrom('tombstone').execute()
  for (const table of ['tombstone', 'forgotten']) await engine.command(`TRUNCATE TABLE ${table}`)
  await engine.command(`TRUNCATE TABLE person_key`)
  await engine.command('INSERT INTO person_key SELECT * FROM backup_person_key')
  await start()
  expect(await people()).toBe(2)
  const { data } = await app.admin.get(listLinkUsers, { query: { adv_id, oneID: oneIdOf(1) } })
  expect(data).toEqual([])
  for (const table of PEOPLE_TABLES) await engine.command(`DROP TABLE backup_${table}`)
})

test('a start with another secret is refused while there are tombstones of this one', async () => {
  await db
    .insertInto('tombstone')
    .values({ adv_id, token: 'x', what: 'one_id', owner: 'x', key: 'of another secret', at: 0 })
    .execute()
  await expect(app.services.forgetting.replay()).rejects.toBeInstanceOf(StartError)
})

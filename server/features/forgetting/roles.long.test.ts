import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { forgetPerson, getForgetting, listForgettings } from '#contract/forgetting.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import type { Caller } from '../../testing/caller.ts'
import {
  forget,
  importFile,
  oneIdOf,
  phoneOf,
  receiptOf,
  USERS,
  userLine,
  usersFile,
} from '../../testing/forget-world.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

const app = await testApp()
afterAll(() => app.close())
const { db } = app.stores.postgres

let adv_id: number
let receipt: number
beforeAll(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  await importFile(app, adv_id, usersFile([1, 2, 3, 4, 5, 6].map((no) => userLine(no))), USERS)
  receipt = (await forget(app, adv_id, 1)).id
  await app.settled()
})
beforeEach(() => {
  vi.restoreAllMocks()
})

let names = 0
async function member(of: readonly number[], { sees_phones = false, is_read_only = false } = {}): Promise<Caller> {
  const name = `成员${++names}`
  const caller = await app.viewer(name, of)
  const { id } = await db.selectFrom('viewer').select('id').where('username', '=', name).executeTakeFirstOrThrow()
  await db.updateTable('viewer').set({ see_phones: sees_phones }).where('id', '=', id).execute()
  await db.updateTable('viewer_advertiser').set({ is_read_only }).where('viewer_id', '=', id).execute()
  return caller
}
const ask = (caller: Caller, no: number) =>
  caller.call(forgetPerson, { body: { adv_id, oneID: oneIdOf(no), confirm: oneIdOf(no) } })
const list = (caller: Caller, oneID?: string) =>
  caller.call(listForgettings, { query: { adv_id, page: 1, page_size: 20, ...(oneID === undefined ? {} : { oneID }) } })

test('a member who sees phones may forget a person, one who does not, or may only read, may not', async () => {
  expect(await ask(await member([adv_id], { sees_phones: true }), 2)).toMatchObject({ status: 200 })
  const refused = [
    await ask(await member([adv_id]), 3),
    await ask(await member([adv_id], { sees_phones: true, is_read_only: true }), 3),
    await ask(await member([], { sees_phones: true }), 3),
    await ask(app.nobody, 3),
  ]
  expect(refused.map(({ code }) => code)).toEqual([
    FAULTS.forgetNotAllowed.code,
    FAULTS.readOnly.code,
    FAULTS.notMember.code,
    FAULTS.signedOut.code,
  ])
  await app.settled()
  expect(await db.selectFrom('forget').select('id').execute()).toHaveLength(2)
})

test('every member reads the receipts, which name nobody; others do not learn that there are any', async () => {
  const reader = await member([adv_id], { is_read_only: true })
  const shown = await reader.call(getForgetting, { params: { id: receipt } })
  expect(shown).toMatchObject({ status: 200, data: { id: receipt, status: 'done' } })
  expect(JSON.stringify(shown)).not.toContain(oneIdOf(1))
  expect(JSON.stringify(shown)).not.toContain(phoneOf(1))
  expect(await list(reader)).toMatchObject({ data: { total: 2 } })
  expect(await list(reader, oneIdOf(1))).toMatchObject({ data: { total: 1 } })
  // Found or not would tell whether somebody had a guessed phone.
  expect(await list(reader, phoneOf(1))).toMatchObject({ code: FAULTS.phonesHidden.code })

  const stranger = await member([await anAdvertiser(app)], { sees_phones: true })
  expect(await stranger.call(getForgetting, { params: { id: receipt } })).toMatchObject({ code: FAULTS.notFound.code })
  expect(await stranger.call(getForgetting, { params: { id: 999 } })).toMatchObject({ code: FAULTS.notFound.code })
  expect((await list(stranger)).code).toBe(FAULTS.notMember.code)
})

/** Moves the clock of this process. */
const shiftClock = (seconds: number) => {
  vi.restoreAllMocks()
  const real = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => real() + seconds * 1000)
}
const HOUR = 3600
const storeOf = async (id: number, name: string) =>
  (await receiptOf(app, id)).stores.find(({ store }) => store === name)?.status
const row = (id: number) => db.selectFrom('forget').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('with a clock that is set back, an upload from before it still keeps the receipt open, and no search is put off', async () => {
  shiftClock(3 * HOUR)
  const upload_id = await uploadTo(app, app.admin, usersFile([userLine(4)]))
  const { id: earlier } = await forget(app, adv_id, 5)
  await app.settled()
  vi.restoreAllMocks()

  const { id } = await forget(app, adv_id, 4)
  await app.settled()
  await app.services.forgetting.tidy()
  expect(await storeOf(id, 'uploads')).toBe('waiting')
  await db.deleteFrom('upload').where('id', '=', upload_id).execute()
  await app.services.forgetting.tidy()
  expect(await storeOf(id, 'uploads')).toBe('done')

  // Asked for in what is the future now: both searches are made at once instead of hours later.
  for (let look = 0; look < 3; look++) {
    await app.services.forgetting.tidy()
    await app.settled()
  }
  expect(await row(earlier)).toMatchObject({ status: 'done', looks_left: 0, sealed: null })
})

test('with a clock that is set forward nothing is lost but the wait', async () => {
  shiftClock(5 * 24 * HOUR)
  const { id } = await forget(app, adv_id, 6)
  await app.settled()
  vi.restoreAllMocks()
  expect(await row(id)).toMatchObject({ status: 'done' })
  expect(await db.selectFrom('tombstone').selectAll().where('at', '>', 0).execute()).not.toEqual([])
  await app.services.forgetting.tidy()
  await app.settled()
  expect((await row(id)).looks_left).toBeLessThan(2)
})

import { beforeAll, expect, test, vi } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { forgetPerson, listForgettings } from '#contract/forgetting.ts'
import { getImport } from '#contract/import.ts'
import { listLinkUsers } from '#contract/link-user.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import {
  EVENTS,
  type ForgetWorld,
  forget,
  forgetWorld,
  importFile,
  malformedLines,
  oneIdOf,
  onPlatforms,
  phoneOf,
  receiptOf,
  refusedRows,
  traces,
  USERS,
  userLine,
  usersFile,
} from '../../testing/forget-world.ts'
import { md5, sha256 } from '../../testing/push.ts'
import { suppressFor } from '../../testing/suppression.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

const { app, sandbox } = await testAppWithSandbox()
let world: ForgetWorld

const uidOf = async (no: number) => {
  const { data } = await app.admin.get(listLinkUsers, { query: { adv_id: world.adv_id, oneID: oneIdOf(no) } })
  return data[0]?.person ?? -1
}
const hashed = (name: string, numbers: readonly number[]) =>
  numbers.map((no) => (name.startsWith('1') ? md5 : sha256)(phoneOf(no))).toSorted()
const others = (but: readonly number[]) =>
  Array.from({ length: world.people }, (_, no) => no).filter((no) => !but.includes(no))

beforeAll(async () => {
  await app.reset()
  world = await forgetWorld(app, sandbox)
})

test('a forgotten person is gone from every store and from every audience, with a receipt for each', async () => {
  const { adv_id } = world
  await suppressFor(app, { adv_id, type: 'HASH_MOBILE_PHONE', lines: [phoneOf(1)], note: '' })
  const uid = await uidOf(1)
  expect(await traces(app, adv_id, 1, uid)).not.toEqual([])
  expect(Object.values(await onPlatforms(app, sandbox)).map((values) => values.length)).toEqual([12, 12, 12, 12])
  expect(refusedRows(app, 3)).toContain(oneIdOf(1))

  const { id } = await forget(app, adv_id)
  await app.settled()

  const receipt = await receiptOf(app, id)
  expect(receipt).toMatchObject({ status: 'done', person: uid, accounts: 4, accepted: 4 })
  expect(Object.fromEntries(receipt.stores.map(({ store, found }) => [store, found]))).toMatchObject({
    people: 3,
    refused: 1,
    malformed: 2,
    uploaded: 2,
    suppression: 2,
  })
  expect(receipt.stores.filter(({ status }) => status !== 'done')).toEqual([])
  expect(receipt.platforms.map(({ status, count }) => [status, count])).toEqual(Array(4).fill(['accepted', 1]))

  const held = await onPlatforms(app, sandbox)
  expect(held).toEqual(Object.fromEntries(Object.keys(held).map((name) => [name, hashed(name, others([1]))])))
  expect(await traces(app, adv_id, 1, uid)).toEqual([])
  expect(refusedRows(app, 3)).not.toContain(oneIdOf(1))
  expect(malformedLines(app, 1)).not.toContain(phoneOf(1))
  expect((await app.admin.get(listLinkUsers, { query: { adv_id } })).total).toBe(11)
})

test('a later import of the person is refused by id, by phone and by device, and the report closes', async () => {
  const before = await uidOf(2)
  const lines = [
    userLine(1),
    userLine(2, '上海'),
    `new-1,${phoneOf(1)},,北京`,
    `new-2,,860000000000001,北京`,
    'new-3,,,北京',
  ]
  const users = await importFile(app, world.adv_id, usersFile(lines), USERS)
  const { report } = await app.admin.get(getImport, { params: { id: users } })
  expect(report).toMatchObject({ rows: 5, stored: 2, refused: 3 })
  expect(report?.reasons).toMatchObject([{ reason: '已删除的用户', rows: 3 }])
  expect(refusedRows(app, users)).not.toContain(phoneOf(1))
  const events = await importFile(
    app,
    world.adv_id,
    `id,event,time,page\n${oneIdOf(1)},browse,2025-11-09T12:00:00+08:00,1\n`,
    EVENTS,
  )
  expect((await app.admin.get(getImport, { params: { id: events } })).report).toMatchObject({ stored: 0, refused: 1 })
  expect(await uidOf(1)).toBe(-1)
  expect(await uidOf(2)).toBe(before)
})

test('asked twice, also at once, a person is forgotten once; a stranger and a wrong confirmation are refused', async () => {
  const { adv_id } = world
  const [one, other] = await Promise.all([forget(app, adv_id, 3), forget(app, adv_id, 3)])
  expect(one).toEqual(other)
  await app.settled()
  expect(await forget(app, adv_id, 3)).toEqual(one)
  const ask = (oneID: string, confirm = oneID) => app.admin.call(forgetPerson, { body: { adv_id, oneID, confirm } })
  expect(await ask('nobody')).toMatchObject({ code: FAULTS.notFound.code })
  expect(await ask(oneIdOf(4), oneIdOf(5))).toMatchObject({ code: FAULTS.badInput.code })
  const { list, total } = await app.admin.get(listForgettings, { query: { adv_id, page: 1, page_size: 20 } })
  expect(total).toBe(2)
  expect(list[0]).toMatchObject({ id: one.id, status: 'done' })
  const found = await app.admin.get(listForgettings, { query: { adv_id, oneID: oneIdOf(3), page: 1, page_size: 20 } })
  expect(found.list.map(({ id }) => id)).toEqual([one.id])
})

test('ids that became the person are forgotten with them, but not a device that somebody else used too', async () => {
  const { adv_id } = world
  const link = (from_id: string, to_id: string, since: number) => ({ adv_id, from_id, since, to_id, version: 1 })
  const engine = app.stores.warehouse.load.oneNode
  await engine.insert('person_link', [
    link('anon:own', oneIdOf(5), 1),
    link('anon:shared', oneIdOf(5), 1),
    link('anon:shared', oneIdOf(6), 2),
  ])
  await forget(app, adv_id, 5)
  await app.settled()
  const links = await engine.query<{ from_id: string; to_id: string }>('SELECT from_id, to_id FROM person_link FINAL')
  expect(links).toEqual([{ from_id: 'anon:shared', to_id: oneIdOf(6) }])
  const at = '2025-11-10T12:00:00+08:00'
  const events = await importFile(
    app,
    adv_id,
    `id,event,time,page\nanon:own,browse,${at},1\nanon:shared,browse,${at},1\n`,
    EVENTS,
  )
  expect((await app.admin.get(getImport, { params: { id: events } })).report).toMatchObject({ stored: 1, refused: 1 })
})

test('whoever may not see phones may not forget anybody', async () => {
  const caller = await app.viewer('看客', [world.adv_id])
  const body = { adv_id: world.adv_id, oneID: oneIdOf(4), confirm: oneIdOf(4) }
  expect(await caller.call(forgetPerson, { body })).toMatchObject({ code: FAULTS.forgetNotAllowed.code })
})

import { afterAll, beforeEach, expect, test } from 'vitest'
import { deleteActivity } from '#contract/activity.ts'
import { FAULTS } from '#contract/errors.ts'
import * as contract from '#contract/report-link.ts'
import { deleteViewer, listViewers, updateViewer } from '#contract/viewer.ts'
import { anActivity, aPlan, aReading } from '../../testing/activities.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import type { Caller } from '../../testing/caller.ts'
import { COMMERCE } from '../../testing/platforms.ts'
import { aPackage, aTargetingAccount, externalIdOf } from '../../testing/targeting.ts'
import { testApp } from '../../testing/test-app.ts'

const app = await testApp()
const { db } = app.stores.postgres
afterAll(() => app.close())

const MARCH = `${Date.UTC(2026, 1, 28, 16) / 1000},${Date.UTC(2026, 2, 2, 16) / 1000 - 1}`
let adv_id: number
let activity: number
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  const account_id = await aTargetingAccount(app, adv_id, COMMERCE)
  const package_id = await aPackage(app, account_id)
  const external_id = await externalIdOf(app, account_id)
  activity = await anActivity(app, adv_id, {
    name: '双11',
    plans: [aPlan({ platform: COMMERCE, account_id, package_id, plan_id: '1' })],
  })
  await aReading(app, adv_id, external_id, '2026-03-01', [
    { plan_id: '1', metrics: { cost: 1_230_000n, liuzi_pv: 4n } },
  ])
})

const make = async (caller: Caller = app.admin, days = 7) => {
  const made = await caller.get(contract.makeReportLink, { body: { campaign_id: activity, days } })
  return { ...made, token: made.url.split('#')[1] ?? '' }
}
const open = (token: string) =>
  app.nobody.call(contract.openReportLink, { body: { token, time_range: MARCH as never } })
const list = async () =>
  (await app.admin.get(contract.listReportLinks, { query: { campaign_id: activity } as never })).list
const revoke = (id: number, caller: Caller = app.admin) =>
  caller.call(contract.revokeReportLink, { query: { id } as never })
const gone = { code: FAULTS.reportLinkGone.code, status: 404 }

test('a link shows the report to somebody without an account, until it is revoked', async () => {
  const { id, url, token } = await make()
  expect(url).toMatch(/^\/shared\/day-report#rql_[\w-]{43}$/)
  const { data } = await open(token)
  expect(data).toMatchObject({ name: '双11', sums: { cost: 123 } })
  expect(data.list.map(({ date, cost }) => [date, cost])).toEqual([
    ['2026-03-01', 123],
    ['2026-03-02', null],
  ])
  expect(data.columns[0]?.key).toBe('budget')
  expect(await list()).toMatchObject([{ id, opened: 1, last_opened_at: expect.any(Number) }])
  expect(await open('rql_wrong')).toMatchObject(gone)
  expect((await revoke(id)).code).toBe(0)
  expect(await open(token)).toMatchObject(gone)
  expect(await list()).toEqual([])
  expect(await revoke(id)).toMatchObject({ status: 404 })
})

test('it ends with its time and with its activity, and the token is stored nowhere', async () => {
  const { id, token } = await make()
  const stored = await db.selectFrom('report_link').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(token)
  await db.updateTable('report_link').set({ expires_at: 1 }).where('id', '=', id).execute()
  expect(await open(token)).toMatchObject(gone)
  const other = await make()
  await app.admin.get(deleteActivity, { query: { campaign_id: activity, leave_running: '1' } as never })
  expect(await open(other.token)).toMatchObject(gone)
})

test('it shows what its maker may see now, and nothing once they are no member', async () => {
  const member = await app.viewer('member', [adv_id])
  const { token } = await make(member)
  const few = (await open(token)).data
  expect([few.sums.liuzi_pv, 'cost' in few.sums]).toEqual([4, false])
  expect(few.columns.some(({ key }) => key === 'cost')).toBe(false)
  const id = (await app.admin.get(listViewers)).list.find(({ username }) => username === 'member')?.id ?? 0
  const change = (body: object) => app.admin.get(updateViewer, { params: { id }, body })
  await change({ see_restricted: true })
  expect((await open(token)).data.sums.cost).toBe(123)
  await change({ adv_ids: [] })
  expect(await open(token)).toMatchObject(gone)
})

test('it is revoked once its maker is disabled or deleted, and takes no place then', async () => {
  const idOf = async (name: string) =>
    (await app.admin.get(listViewers)).list.find(({ username }) => username === name)?.id ?? 0
  const disabled = await make(await app.viewer('disabled', [adv_id]))
  const deleted = await make(await app.viewer('deleted', [adv_id]))
  const own = await make()
  const change = async (body: object) => app.admin.get(updateViewer, { params: { id: await idOf('disabled') }, body })
  await change({ is_disabled: true })
  await app.admin.get(deleteViewer, { params: { id: await idOf('deleted') } })
  expect((await list()).map(({ id }) => id)).toEqual([own.id])
  await change({ is_disabled: false })
  expect(await open(disabled.token)).toMatchObject(gone)
  expect(await open(deleted.token)).toMatchObject(gone)
  const audits = await db.selectFrom('audit').select(['action', 'detail']).where('action', 'like', 'viewer.%').execute()
  expect(audits.filter(({ detail }) => 'links' in detail)).toMatchObject([
    { action: 'viewer.update', detail: { links: 1 } },
    { action: 'viewer.delete', detail: { links: 1 } },
  ])
})

test('openings are audited once an hour with the address', async () => {
  const { id, token } = await make()
  await open(token)
  await open(token)
  const opened = () => db.selectFrom('audit').selectAll().where('action', '=', 'report_link.open').execute()
  expect(await opened()).toMatchObject([{ viewer_id: null, detail: { id, activity, address: expect.any(String) } }])
  await db.updateTable('report_link').set({ last_opened_at: 1 }).execute()
  await open(token)
  expect(await opened()).toHaveLength(2)
})

test('an activity has a bounded number of links, however many ask at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: contract.REPORT_LINKS_MAX + 2 }, () =>
      app.admin.call(contract.makeReportLink, { body: { campaign_id: activity, days: 1 } }),
    ),
  )
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(contract.REPORT_LINKS_MAX)
  expect(answers.filter(({ code }) => code === FAULTS.reportLinksFull.code)).toHaveLength(2)
})

test('strangers neither make, list nor revoke links', async () => {
  const { id } = await make()
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  const body = { campaign_id: activity, days: 7 }
  expect(await stranger.call(contract.makeReportLink, { body })).toMatchObject({ status: 404 })
  const query = { campaign_id: activity } as never
  expect(await stranger.call(contract.listReportLinks, { query })).toMatchObject({ status: 404 })
  expect(await revoke(id, stranger)).toMatchObject({ status: 404 })
})

import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Handles } from '../../clickhouse/handles.ts'
import { transaction } from '../../postgres/transaction.ts'
import { reportSums } from '../../reports/sums.ts'
import { anActivity, aPlan } from '../../testing/activities.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { killed } from '../../testing/killed-handles.ts'
import { SOCIAL } from '../../testing/platforms.ts'
import { aTargetingAccount } from '../../testing/targeting.ts'
import { testApp } from '../../testing/test-app.ts'
import { dayKeeping } from './keep-day.ts'

const app = await testApp()
const { db } = app.stores.postgres
const { load } = app.stores.warehouse
afterAll(() => app.close())

const DATE = '2026-03-01'
const NOON = Date.parse('2026-03-01T12:00:00+08:00') / 1000
const DAY = 86_400
let adv_id: number
let account: { id: number; adv_id: number; external_id: string }
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  const id = await aTargetingAccount(app, adv_id, SOCIAL)
  account = await db
    .selectFrom('platform_account')
    .select(['id', 'adv_id', 'external_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const plans = ['p', 'q'].map((plan_id) => aPlan({ platform: SOCIAL, account_id: id, plan_id }))
  await anActivity(app, adv_id, { submit: false, plans })
  await db.insertInto('report_account').values({ account_id: id, state: 'waiting' }).execute()
  await db.insertInto('report_read').values({ account_id: id, date: DATE, is_due: true }).execute()
})

const BEFORE = [
  { plan_id: 'p', cells: { cost: 10_000_000n, imp_pv: 100n } },
  { plan_id: 'q', cells: { cost: 5_000_000n, imp_pv: 50n } },
  { plan_id: 'not linked', cells: { cost: 1n } },
]
const AFTER = [
  { plan_id: 'p', cells: { cost: 9_000_000n, imp_pv: 100n } },
  { plan_id: 'q', cells: { cost: 5_000_001n, imp_pv: 50n } },
  { plan_id: 'not linked', cells: { cost: 2_000_000n } },
]
/** A whole reading of the day, as the job makes it. */
async function read(plans: typeof BEFORE, taken_at: number, on: Handles = load) {
  const days = dayKeeping({ db, load: on })
  const version = await transaction(db, (tx) => days.newVersion(tx, account.id))
  const known = await db
    .selectFrom('report_read')
    .select(['date', 'version', 'read_at'])
    .where('date', '=', DATE)
    .executeTakeFirst()
  const inRecords = await days.keep(account, { date: DATE, plans, rest: [], fault: null }, { version, taken_at, known })
  await transaction(db, inRecords)
}
const cost = async () =>
  (await reportSums(load.acrossShards, { adv_id, from: DATE, to: DATE }, []))[0]?.sums.cost ?? null
const corrections = () =>
  db.selectFrom('report_correction').select(['plan_id', 'metric', 'before', 'after']).orderBy('plan_id').execute()
const sum = (plans: typeof BEFORE) => plans.reduce((all, { cells }) => all + cells.cost, 0n)
const CORRECTED = [{ plan_id: 'p', metric: 'cost', before: 10_000_000, after: 9_000_000 }]

test('a day that was over and is read differently later is a correction, and one that was not over is none', async () => {
  await read(BEFORE, NOON)
  await read(AFTER, NOON + DAY)
  expect(await corrections()).toEqual([])
  await read(BEFORE, NOON + 2 * DAY)
  expect(await corrections()).toEqual([{ ...CORRECTED[0], before: 9_000_000, after: 10_000_000 }])
  expect(await cost()).toBe(sum(BEFORE))
})

test.each(['before', 'after'] as const)(
  'a kill %s any statement leaves the day as it was or as it is, and due; the next reading repairs the rest',
  async (when) => {
    let statements = 0
    for (let wasKilled = true; wasKilled; statements++) {
      await db.deleteFrom('report_correction').execute()
      await db.updateTable('report_read').set({ version: null, read_at: null, is_due: true }).execute()
      await read(BEFORE, NOON + DAY)
      await db.updateTable('report_read').set({ is_due: true }).execute()
      wasKilled = await read(AFTER, NOON + 2 * DAY, killed(when, statements, load)).then(
        () => false,
        () => true,
      )
      expect([sum(BEFORE), sum(AFTER)]).toContain(await cost())
      const { is_due } = await db.selectFrom('report_read').select('is_due').executeTakeFirstOrThrow()
      expect(is_due).toBe(wasKilled)
      await read(AFTER, NOON + 3 * DAY)
      expect(await cost()).toBe(sum(AFTER))
      expect(await corrections()).toEqual(CORRECTED)
    }
    // What it said before, whether the version is there, and the insert.
    expect(statements).toBe(4)
  },
)

import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openJobs } from '../jobs/open.ts'
import { transaction } from '../postgres/transaction.ts'
import { testPostgres, truncateAll } from '../testing/postgres.ts'
import { now } from '../time/clock.ts'
import { registerInstance } from './instance.ts'

const postgres = await testPostgres()
const { db } = postgres
/** Like a database that several processes use. */
const shared = { ...postgres, embedded: false }
const [mine, other] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'renqun-instance-'))) as [string, string]
beforeEach(() => truncateAll(db))
afterAll(async () => {
  await postgres.close()
  for (const dir of [mine, other]) rmSync(dir, { recursive: true })
})

const HOURS_AHEAD = 10_800

/** Jobs and logins held by these instances for hours to come, as after the clock was set back. */
async function holdJobsAs(...instances: (string | null)[]) {
  const jobs = openJobs(postgres)
  jobs.handle('work', {}, async () => {})
  await jobs.start({ work: false })
  for (const [platform, instance] of instances.entries()) {
    const { job_id } = await transaction(db, (tx) => jobs.send(tx, 'work', {}))
    await sql`
      update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() + interval '3 hours',
        data = data || jsonb_build_object('instance', ${instance}::text)
      where id = ${job_id}::uuid`.execute(db)
    await db
      .insertInto('platform_login')
      .values({
        platform: platform + 1,
        external_id: 'login',
        name: 'login',
        authorised_at: 0,
        hold: 'hold',
        hold_until: now() + HOURS_AHEAD,
        hold_instance: instance,
      })
      .execute()
  }
  await jobs.stop()
}

async function stillHeld() {
  const { rows: jobs } = await sql<{ state: string }>`
    select state::text from pgboss.job where name = 'work' order by created_on`.execute(db)
  const logins = await db.selectFrom('platform_login').select(['hold', 'hold_until']).orderBy('platform').execute()
  // A released hold stays recorded.
  expect(logins.map((login) => login.hold)).toEqual(logins.map(() => 'hold'))
  return {
    jobs: jobs.map((job) => job.state === 'active'),
    logins: logins.map((login) => (login.hold_until ?? 0) > now()),
  }
}

test('a start releases only holds of earlier starts on its DATA_DIR, whatever the clock says', async () => {
  const [first, neighbour] = [await registerInstance(shared, mine), await registerInstance(shared, other)]
  await holdJobsAs(first, neighbour, null)
  const second = await registerInstance(shared, mine)
  expect(await stillHeld()).toEqual({ jobs: [false, true, true], logins: [false, true, true] })
  expect((await db.selectFrom('instance').select('id').execute()).map((row) => row.id).toSorted()).toEqual(
    [second, neighbour].toSorted(),
  )
})

test('with an embedded database a start releases every hold on a login', async () => {
  await holdJobsAs(randomUUID(), null)
  await registerInstance({ ...postgres, embedded: true }, mine)
  expect((await stillHeld()).logins).toEqual([false, false])
})

test('a DATA_DIR keeps its id in a file that only its owner can read, and replaces an incomplete one', async () => {
  const path = join(mine, 'data-dir.id')
  await registerInstance(shared, mine)
  const id = readFileSync(path, 'utf8')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  await registerInstance(shared, mine)
  expect(readFileSync(path, 'utf8')).toBe(id)
  writeFileSync(path, id.slice(0, 10))
  await registerInstance(shared, mine)
  expect(readFileSync(path, 'utf8')).toMatch(/^[0-9a-f-]{36}\n$/)
})

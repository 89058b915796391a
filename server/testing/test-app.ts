import type { FastifyInstance } from 'fastify'
import type { Selectable } from 'kysely'
import { openApp } from '../app.ts'
import { secretsOf } from '../config/secrets.ts'
import { readSettings } from '../config/settings.ts'
import type { BrokenAnswer } from '../http/server.ts'
import { startSession } from '../http/viewer.ts'
import { openJobs } from '../jobs/open.ts'
import type { Database } from '../postgres/schema.ts'
import { registerInstance } from '../process/instance.ts'
import { openServices, type Services } from '../services.ts'
import type { Stores } from '../stores/stores.ts'
import { type Caller, callerOver } from './caller.ts'
import { sharedPostgres, truncateAll } from './postgres.ts'
import { type TestWarehouse, testWarehouse } from './warehouse.ts'

export interface TestApp {
  stores: Stores
  services: Services
  app: FastifyInstance
  /** Signed in as the first admin. */
  admin: Caller
  /** Makes a viewer who is a member of the advertisers, signed in. */
  viewer(name: string, adv_ids: readonly number[]): Promise<Caller>
  nobody: Caller
  /** Its address; it starts to listen at the first call. */
  origin(): Promise<string>
  /** Until the next reset, collects rows that break their answer's schema instead of failing the call. */
  collectBrokenAnswers(): readonly BrokenAnswer[]
  /** Waits until no job is waiting or running. */
  settled(): Promise<void>
  /** Empties every store; the admin is made and signed in again. */
  reset(): Promise<void>
  close(): Promise<void>
}

const PASSWORD = 'right-password'

/** The whole server over empty stores of its own: PGlite (or RENQUN_TEST_POSTGRES) and chDB (or RENQUN_TEST_CLICKHOUSE). */
export async function testApp(
  env: Record<string, string> = {},
  openDatabase = sharedPostgres,
  openWarehouse: () => Promise<TestWarehouse> = () => testWarehouse(),
): Promise<TestApp> {
  const [postgres, warehouse] = await Promise.all([openDatabase(), openWarehouse()])
  const settings = readSettings({
    DATA_DIR: postgres.dataDir,
    BITMAP_MEMORY: '64M',
    ...(warehouse.clickhouseUrl && { CLICKHOUSE_URL: warehouse.clickhouseUrl }),
    ...env,
  })
  const instance = await registerInstance(postgres, postgres.dataDir)
  const jobs = openJobs(postgres, { poll: 200, instance })
  const secrets = secretsOf('a secret for tests, long enough')
  const stores: Stores = { settings, postgres, warehouse, jobs, secrets, instance }
  const services = openServices(stores)
  let collected: BrokenAnswer[] | null = null
  const app = await openApp(stores, services, {
    webRoot: undefined,
    logLevel: 'error',
    callsPerMinute: 1_000_000,
    onBrokenAnswer(broken) {
      if (!collected) throw new Error(`an answer broke its schema: ${JSON.stringify(broken)}`)
      collected.push(broken)
    },
  })
  await jobs.start()

  const caller = (cookie: string) =>
    callerOver(cookie, async ({ body, ...asked }) => {
      const answer = await app.inject({ ...asked, ...(body === undefined ? {} : { payload: body }) })
      return { status: answer.statusCode, ...answer.json() }
    })

  const viewers = () => postgres.db.selectFrom('viewer').selectAll()

  /** A session without the password, whose hash is slow on purpose. */
  async function sessionOf(username: string): Promise<Caller> {
    const { id } = await viewers().where('username', '=', username).executeTakeFirstOrThrow()
    return caller(`renqun_session=${await startSession(postgres.db, id, { address: 'test', agent: 'vitest' })}`)
  }

  let first: Selectable<Database['viewer']> | undefined
  async function begin() {
    if (first) {
      // Its id comes from the sequence again.
      const { id, ...row } = first
      await postgres.db.insertInto('viewer').values(row).execute()
    } else {
      await services.viewers.makeFirst(PASSWORD)
      first = await viewers().executeTakeFirstOrThrow()
    }
    test.admin = await sessionOf(first.username)
  }

  const test: TestApp = {
    stores,
    services,
    app,
    admin: caller(''),
    nobody: caller(''),
    async origin() {
      const address = app.server.address()
      return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : await app.listen({ port: 0 })
    },
    async viewer(username, adv_ids) {
      const flags = { is_admin: false, see_phones: false, see_restricted: false, realname: username }
      const { list } = await services.viewers.list()
      const maker = list[0]
      if (!maker) throw new Error('there is no admin')
      await services.viewers.create(
        {
          ...maker,
          session_id: null,
          token_id: null,
          framed: null,
          adv_ids: [],
          read_only_adv_ids: [],
          isMember: () => true,
          mustBeMember: () => {},
        },
        { ...flags, username, password: PASSWORD, adv_ids: [...adv_ids], read_only_adv_ids: [] },
      )
      return sessionOf(username)
    },
    collectBrokenAnswers() {
      collected = []
      return collected
    },
    async settled() {
      for (;;) {
        // Jobs that gather more work, or wait before they try again, run at once.
        const { rows } = await postgres.pool.query(
          `with open as (
            select id, name, state, start_after from pgboss.job
            where state in ('created', 'retry', 'active') and start_after <= now() + interval '1 minute'
          ), hurried as (
            update pgboss.job set start_after = now() from open
            where job.id = open.id and job.name = open.name and job.state in ('created', 'retry') and open.start_after > now()
          ) select 1 from open limit 1`,
        )
        if (rows.length === 0) return
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async reset() {
      collected = null
      await test.settled()
      await truncateAll(postgres.db)
      await warehouse.truncate()
      services.evaluator.forget()
      await begin()
    },
    async close() {
      await app.close()
      await jobs.stop({ graceMs: 2000 })
      await services.close()
      await warehouse.close()
      await postgres.close()
    },
  }
  await begin()
  return test
}

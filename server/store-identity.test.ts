import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { StartError } from './start-error.ts'
import { mustBelongTogether } from './store-identity.ts'
import { type Launched, launch, MAIN } from './testing/launch.ts'
import { testPostgres, truncateAll } from './testing/postgres.ts'
import { testWarehouse } from './testing/warehouse.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const OTHER = '数据仓库与 DATABASE_URL 的记录不是一对'
const EMPTY = '数据仓库中没有 DATABASE_URL 的记录所指的人'

const [postgres, warehouse] = await Promise.all([testPostgres(), testWarehouse()])
const { db } = postgres
afterAll(() => Promise.all([postgres.close(), warehouse.close()]))
beforeEach(async () => {
  await truncateAll(db)
  await warehouse.truncate()
})

const start = (adoptWarehouse?: string) =>
  mustBelongTogether(db, warehouse.load, {
    dataDir: '/data',
    databaseUrl: 'postgres://here/renqun',
    clickhouseUrl: undefined,
    adoptWarehouse,
  })
const refusal = async (given?: string) => {
  const error = await start(given).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StartError)
  return (error as StartError).message
}
const codeIn = (sentence: string) => /ADOPT_WAREHOUSE=([0-9a-f]{8}) /.exec(sentence)?.[1] ?? ''
const marks = () => warehouse.load.query<{ id: string }>('SELECT id FROM warehouse_identity')
const markAs = (id: string, records: string) => warehouse.load.insert('warehouse_identity', [{ id, records }])
const forgetMarks = () => warehouse.load.command('TRUNCATE TABLE warehouse_identity')
const aPerson = () => warehouse.load.command("INSERT INTO person_key (adv_id, one_id, uid) VALUES (1, 'a', 0)")
/** A tag whose people were counted in some warehouse. */
const aCountedTag = () =>
  postgres.pool.query(
    `insert into advertiser (id, name, created_at) values (1, '品牌', 0);
     insert into tag_category (id, adv_id, tag_type, name, icon) values (1, 1, 1, '城市', 'other');
     insert into tag (adv_id, name, tag_type, category_id, definition, is_automatic, is_built_in, created_at, is_dirty, count)
     values (1, '北京', 1, 1, '{"kind":"everyone"}', true, false, 0, false, 5)`,
  )

test('a first start makes them a pair, and later ones find it', async () => {
  await start()
  await start()
  expect(await marks()).toHaveLength(1)
})

test('a pair of the version before, people included, is adopted once', async () => {
  await aCountedTag()
  await aPerson()
  await start()
  await forgetMarks()
  expect(await refusal()).toContain(EMPTY)
})

test('records that know people are not given an empty warehouse, marked or not', async () => {
  await aCountedTag()
  expect(await refusal()).toContain(EMPTY)
})

test('a warehouse that holds people is not given to new records, marked or not', async () => {
  await aPerson()
  expect(await refusal()).toContain(OTHER)
  await markAs('w', 'other records')
  expect(await refusal()).toContain(OTHER)
})

test('the warehouse of other records is refused, and what it says stays', async () => {
  await start()
  await forgetMarks()
  await markAs('w', 'other records')
  expect(await refusal()).toContain(OTHER)
  expect(await marks()).toEqual([{ id: 'w' }])
})

test('a start killed between its two marks is finished by the next', async () => {
  await start()
  await db.deleteFrom('setting').where('name', '=', 'warehouse_id').execute()
  await start()
  await start()
  expect(await marks()).toHaveLength(1)
})

test('two first starts at once with one warehouse both go on', async () => {
  await Promise.all([start(), start()])
  await start()
})

test('the sentence names a code that adopts this pair, and nothing else', async () => {
  await start()
  await forgetMarks()
  const lost = codeIn(await refusal())
  expect(await refusal('00000000')).toContain(EMPTY)
  await start(lost)
  // Left behind, the setting means nothing any more.
  await start(lost)
  await forgetMarks()
  await markAs('w', 'other records')
  const sentence = await refusal(lost)
  expect(sentence).toContain(OTHER)
  await start(codeIn(sentence))
  await start()
})

test('tags are built again in a warehouse that was adopted', async () => {
  await start()
  await aCountedTag()
  await forgetMarks()
  await start(codeIn(await refusal()))
  const tag = await db.selectFrom('tag').select(['is_dirty', 'generation']).executeTakeFirstOrThrow()
  expect(tag.is_dirty).toBe(true)
})

describe('the program', () => {
  const root = mkdtempSync(join(tmpdir(), 'renqun-pair-'))
  const running: Launched[] = []
  afterAll(async () => {
    for (const one of running) one.child.kill('SIGKILL')
    await Promise.all(running.map((one) => one.ended))
    rmSync(root, { recursive: true, force: true })
  })
  const serverIn = (name: string, env: Record<string, string> = {}) => {
    const launched = launch(MAIN, [], {
      DATA_DIR: join(root, name),
      PORT: '0',
      ADMIN_PASSWORD: 'right-password',
      ...env,
    })
    running.push(launched)
    return launched
  }
  /** What it printed once it serves, or ended. */
  async function outcome(launched: Launched): Promise<'serves' | 'refused'> {
    await vi.waitUntil(() => launched.printed().includes('人群已启动') || launched.child.exitCode !== null, {
      timeout: 90_000,
      interval: 50,
    })
    return launched.child.exitCode === null ? 'serves' : 'refused'
  }
  async function end(launched: Launched) {
    launched.child.kill('SIGKILL')
    await launched.ended
  }

  test('does not start beside a warehouse that is lost, says what to do, and does what it said', async () => {
    const first = serverIn('lost')
    expect(await outcome(first)).toBe('serves')
    await end(first)
    rmSync(join(root, 'lost', 'warehouse'), { recursive: true })
    const { code, out, err } = await serverIn('lost').ended
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err.trim().split('\n')).toHaveLength(1)
    const told = /ADOPT_WAREHOUSE=(\w{8}) 启动一次/.exec(err)?.[1] ?? ''
    const adopted = serverIn('lost', { ADOPT_WAREHOUSE: told })
    expect(await outcome(adopted)).toBe('serves')
    await end(adopted)
  })

  test.skipIf(!process.env.RENQUN_TEST_POSTGRES)(
    'is one of two that start on one database with a warehouse each',
    async () => {
      const postgres = await testPostgres()
      try {
        const env = {
          DATABASE_URL: postgres.databaseUrl ?? '',
          SECRET_KEY: 'a secret of at least thirty-two characters',
        }
        const both = [serverIn('one', env), serverIn('two', env)]
        const outcomes = await Promise.all(both.map(outcome))
        expect(outcomes.toSorted()).toEqual(['refused', 'serves'])
        const refused = both[outcomes.indexOf('refused')]
        expect(refused?.printed()).toContain('ADOPT_WAREHOUSE=')
        for (const one of both) await end(one)
      } finally {
        await postgres.close()
      }
    },
  )
})

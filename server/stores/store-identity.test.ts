import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import { openPostgres } from '../postgres/open.ts'
import { StartError } from '../start-error.ts'
import { type Launched, launch, MAIN } from '../testing/launch.ts'
import { testPostgres, truncateAll } from '../testing/postgres.ts'
import { testWarehouse } from '../testing/warehouse.ts'
import { mustBelongTogether } from './store-identity.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const OTHER = '数据仓库与 DATABASE_URL 的记录不是一对'
const EMPTY = '数据仓库是空的，不是 DATABASE_URL 的记录原来所用的'

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
const marks = () => warehouse.load.acrossShards.query<{ id: string }>('SELECT id FROM warehouse_identity')
const markAs = (id: string, records: string) =>
  warehouse.load.acrossShards.insert('warehouse_identity', [{ id, records }])
const forgetMarks = () => warehouse.load.acrossShards.command('TRUNCATE TABLE warehouse_identity')
const aPerson = () =>
  warehouse.load.acrossShards.command("INSERT INTO person_key (adv_id, one_id, uid) VALUES (1, 'a', 0)")
/** A tag whose people were counted in some warehouse. */
const aCountedTag = () =>
  postgres.pool.query(
    `insert into advertiser (id, name, created_at) values (1, '品牌', 0);
     insert into tag_category (id, adv_id, tag_type, name, icon) values (1, 1, 1, '城市', 'other');
     insert into tag (adv_id, name, tag_type, category_id, definition, is_automatic, is_built_in, created_at, is_dirty, count)
     values (1, '北京', 1, 1, '{"kind":"everyone"}', true, false, 0, false, 5)`,
  )

test('the first start marks the pair, and later starts accept it', async () => {
  await start()
  await start()
  expect(await marks()).toHaveLength(1)
})

test('a pair from the earlier version, with people, is adopted once', async () => {
  await aCountedTag()
  await aPerson()
  await start()
  await start()
  await forgetMarks()
  expect(await refusal()).toContain(OTHER)
})

test('records with counted people refuse an empty warehouse, marked or not', async () => {
  await aCountedTag()
  expect(await refusal()).toContain(EMPTY)
})

test('a warehouse with people is refused to other records, marked or not, and no code adopts it', async () => {
  await aPerson()
  expect(await refusal()).toContain(OTHER)
  await markAs('w', 'other records')
  const sentence = await refusal()
  expect(sentence).toContain(OTHER)
  expect(codeIn(sentence)).toBe('')
  expect(await marks()).toEqual([{ id: 'w' }])
})

test('an empty warehouse of other records is refused to records that had another one, and accepted by new ones', async () => {
  await markAs('w', 'other records')
  await start()
  await forgetMarks()
  await markAs('w', 'other records')
  expect(await refusal()).toContain(EMPTY)
})

test('a start killed between its two marks is completed by the next start', async () => {
  await start()
  await db.deleteFrom('setting').where('name', '=', 'warehouse_id').execute()
  await start()
  await start()
  expect(await marks()).toHaveLength(1)
})

test('two first starts at once with the same warehouse both succeed', async () => {
  await Promise.all([start(), start()])
  await start()
})

test('the sentence names a code that adopts this empty warehouse, and no other', async () => {
  await start()
  await forgetMarks()
  const lost = codeIn(await refusal())
  expect(await refusal('00000000')).toContain(EMPTY)
  await start(lost)
  // The setting that stays in place has no effect any more.
  await start(lost)
  await forgetMarks()
  expect(await refusal(lost)).toContain(EMPTY)
  await aPerson()
  expect(await refusal(lost)).toContain(OTHER)
})

test('with an empty warehouse tags are built again, and uploaded crowds say that they must be uploaded again', async () => {
  await start()
  await aCountedTag()
  await postgres.pool.query(
    `insert into attribute (adv_id, name, slot, type, display_name) values (1, '城市', 3, 'text', '');
     insert into viewer (id, username, realname, password_hash, is_admin, see_phones, see_restricted, created_at)
     values (1, 'a', 'a', 'x', true, true, true, 0);
     insert into custom_crowd (adv_id, dir_id, name, user_id_type, creator_id, created_at, version, size)
     values (1, 1, '人群', 'HASH_IMEI', 1, 0, 2, 3000)`,
  )
  await forgetMarks()
  await start(codeIn(await refusal()))
  const tag = await db.selectFrom('tag').select(['is_dirty', 'generation']).executeTakeFirstOrThrow()
  expect(tag).toMatchObject({ is_dirty: true })
  expect(await warehouse.load.acrossShards.query('SELECT a3 FROM person_row')).toEqual([])
  const crowd = await db.selectFrom('custom_crowd').select(['version', 'size', 'fail_reason']).executeTakeFirstOrThrow()
  expect(crowd).toEqual({ version: 0, size: null, fail_reason: outcome('warehouse_lost') })
  expect(sentenceOf(outcome('warehouse_lost'))).toContain('请重新上传')
})

test.skipIf(!process.env.RENQUN_TEST_POSTGRES)(
  'an empty warehouse is not adopted while another server runs',
  async () => {
    await start()
    await forgetMarks()
    const code = codeIn(await refusal())
    const other = await openPostgres({ databaseUrl: postgres.databaseUrl, dataDir: postgres.dataDir })
    await sql`select 1`.execute(other.db)
    expect(await refusal(code)).toContain('正被另一个人群服务使用')
    await other.close()
    await start(code)
  },
)

test.skipIf(!process.env.RENQUN_TEST_POSTGRES)(
  'of two servers that start at once on one database, each with its own warehouse, one serves',
  async () => {
    const shared = await testPostgres()
    const root = mkdtempSync(join(tmpdir(), 'renqun-pair-'))
    const both = ['one', 'two'].map((name) =>
      launch(MAIN, [], {
        DATA_DIR: join(root, name),
        DATABASE_URL: shared.databaseUrl ?? '',
        SECRET_KEY: 'a secret of at least thirty-two characters',
        PORT: '0',
      }),
    )
    const serves = ({ printed }: Launched) => printed().includes('人群已启动')
    try {
      await vi.waitUntil(() => both.every((one) => serves(one) || one.child.exitCode !== null), {
        timeout: 90_000,
        interval: 50,
      })
      expect(both.filter(serves)).toHaveLength(1)
      expect(both.find((one) => !serves(one))?.printed()).toContain('ADOPT_WAREHOUSE=')
    } finally {
      for (const { child } of both) child.kill('SIGKILL')
      await Promise.all(both.map((one) => one.ended))
      await shared.close()
      rmSync(root, { recursive: true, force: true })
    }
  },
)

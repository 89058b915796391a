import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import { getTagTree, listTags } from '#contract/tag.ts'
import { openClickHouse } from '../clickhouse/open.ts'
import { openPostgres } from '../postgres/open.ts'
import { template } from '../testing/postgres.ts'
import { realServer } from '../testing/real-server.ts'
import { testClickHouseDatabase } from '../testing/warehouse.ts'

const PEOPLE = 40
const LONG_CHARS = 12_000_000

// The records of this test come from a DATA_DIR.
const isEmbedded = !process.env.RENQUN_TEST_POSTGRES
const dataDir = mkdtempSync(join(tmpdir(), 'renqun-heal-'))
const clickhouse = process.env.RENQUN_TEST_CLICKHOUSE
const database = clickhouse ? await testClickHouseDatabase(clickhouse) : undefined
const server = realServer({ DATA_DIR: dataDir, ...(database && { CLICKHOUSE_URL: database.url }) })
afterAll(async () => {
  await server.close()
  await database?.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The rows left by an import of 40 equal cells of 12 MB, and by a good file after it that was never counted. */
async function writeGiantRecords(): Promise<void> {
  cpSync(await template(), join(dataDir, 'postgres'), { recursive: true })
  const postgres = await openPostgres({ dataDir })
  const { db } = postgres
  // The schema before that migration.
  await sql`alter table attribute drop column if exists left_out`.execute(db)
  await sql`delete from schema_migration where name = '0006-left-out-values'`.execute(db)
  await sql`insert into advertiser (id, name, created_at) values (1, '甲', 0)`.execute(db)
  await sql`insert into tag_category (id, adv_id, name, icon, tag_type, source, position)
    values (1, 1, '全部用户', 'all', 1, null, -1), (2, 1, 'bio', 'other', 1, 'bio', 0), (3, 1, 'city', 'other', 1, 'city', 1)`.execute(
    db,
  )
  await sql`insert into attribute (adv_id, name, slot, type, display_name, distinct_values, values_due, values)
    values (1, 'bio', 0, 'text', 'bio', 1, true, jsonb_build_array(repeat('ab', ${LONG_CHARS / 2}::int))),
      (1, 'city', 1, 'text', 'city', 1, true, '["上海"]')`.execute(db)
  const condition = sql`jsonb_build_object('is', 'equals', 'value', repeat('ab', ${LONG_CHARS / 2}::int))`
  const error = JSON.stringify(outcome('legacy', { text: '计算失败，请稍后重试；若仍然失败，请联系管理员' }))
  await sql`insert into tag (id, adv_id, name, tag_type, category_id, definition, is_automatic, is_built_in, created_at, error, version, count)
    values (1, 1, '全部用户', 1, 1, '{"kind":"everyone"}', true, true, 0, ${error}, 1, 0),
      (2, 1, 'ab…', 1, 2, jsonb_build_object('kind', 'attribute', 'attribute', 'bio', 'condition', ${condition}), true, false, 0, ${error}, 0, null),
      (3, 1, '上海', 1, 3, '{"kind":"attribute","attribute":"city","condition":{"is":"equals","value":"上海"}}', true, false, 0, ${error}, 0, null)`.execute(
    db,
  )
  await sql`select setval('tag_id', 3)`.execute(db)
  await sql`alter table tag_category alter column id restart with 4`.execute(db)
  await postgres.close()
}

async function writeGiantValues(): Promise<void> {
  const { load, close } = await openClickHouse({ dataDir, clickhouseUrl: database?.url })
  await load.acrossShards.command('ALTER TABLE person_row ADD COLUMN a0 String, ADD COLUMN a1 String')
  await load.acrossShards.command(
    `INSERT INTO person_key (adv_id, one_id, uid) SELECT 1, toString(number), number + 1 FROM numbers(${PEOPLE + 5})`,
  )
  await load.acrossShards.command(
    `INSERT INTO person_row (adv_id, uid, bucket, ts, line, a0)
     SELECT 1, number + 1, 0, toDateTime64(1, 3), number, repeat(repeat('ab', ${LONG_CHARS / 2000}), 1000) FROM numbers(${PEOPLE})`,
  )
  await load.acrossShards.command(
    `INSERT INTO person_row (adv_id, uid, bucket, ts, line, a1)
     SELECT 1, number + ${PEOPLE + 1}, 0, toDateTime64(2, 3), number, '上海' FROM numbers(5)`,
  )
  await close()
}

test.runIf(isEmbedded)(
  'tags stuck on old values of 12 MB are counted again after the next start',
  { timeout: 180_000 },
  async () => {
    await writeGiantRecords()
    await writeGiantValues()
    await server.start()
    const counted = async () => {
      const { list } = await server.admin.get(listTags, { query: { adv_id: 1 } })
      return list.map(({ name, count, error, refreshing }) => [name, count, error, refreshing])
    }
    await vi.waitFor(
      async () =>
        expect(await counted()).toEqual([
          ['全部用户', PEOPLE + 5, null, false],
          ['有值', PEOPLE, null, false],
          ['上海', 5, null, false],
        ]),
      { timeout: 90_000, interval: 200 },
    )
    const tree = await server.admin.get(getTagTree, { query: { adv_id: 1 } })
    expect(tree.data.map(({ tag }) => tag)).toEqual(['全部用户', 'bio', 'city'])
  },
)

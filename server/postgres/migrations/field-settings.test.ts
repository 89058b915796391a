import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPostgres } from '../../testing/postgres.ts'
import { MIGRATIONS, migrate } from '../migrate.ts'

const LONG = '长'.repeat(90)

let postgres: Awaited<ReturnType<typeof testPostgres>>
beforeAll(async () => {
  postgres = await testPostgres()
  await sql.raw('drop schema public cascade; create schema public').execute(postgres.db)
  const before = MIGRATIONS.findIndex(({ name }) => name === '0021-field-settings')
  await migrate(postgres.db, MIGRATIONS.slice(0, before))
  await fill()
  await migrate(postgres.db)
})
afterAll(() => postgres.close())

const run = (text: string) => sql.raw(text).execute(postgres.db)
const quoted = (value: object | string) =>
  `'${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll("'", "''")}'`

async function fill() {
  await run(`insert into advertiser (id, name, created_at) values (1, '店', 1)`)
  await run(`insert into attribute (adv_id, name, slot, type, display_name, values) values
    (1, 'sex', 0, 'text', 'sex', '[]'), (1, 'city', 1, 'text', '城市', '[]')`)
  await run(`insert into event_name (adv_id, name, display_name, properties) values (1, 'pay', '支付', '[]')`)
  await run(`insert into tag_category (id, adv_id, name, icon, tag_type, source) values
    (1, 1, '性别', 'other', 1, 'sex'), (2, 1, '城市', 'other', 1, 'city'), (3, 1, '支付', 'other', 2, 'pay')`)
  const value = (name: string, is: string) =>
    tag(name, 1, { kind: 'attribute', attribute: 'sex', condition: { is: 'equals', value: is } })
  await value('0', '0')
  await value('1 (2)', '1')
  await value('先生', '2')
  await value(`${LONG.slice(0, 54)}…`, LONG)
  await value('（空白）', ' ')
  const event = { kind: 'event', event: 'pay', window_days: null, at_least: 1, properties: [], negated: false }
  await tag('做过支付', 3, event)
  await tag('买过', 3, event)
}
const tag = (name: string, category: number, definition: object) =>
  run(`insert into tag (adv_id, name, tag_type, category_id, definition, is_automatic, is_built_in, created_at)
    values (1, ${quoted(name)}, ${category === 3 ? 2 : 1}, ${category}, ${quoted(definition)}, true, false, 1)`)

test('automatic names that a viewer changed are known as such', async () => {
  const { rows } = await sql<{ name: string; is_renamed: boolean }>`select name, is_renamed from tag`.execute(
    postgres.db,
  )
  expect(rows.filter((row) => row.is_renamed).map((row) => row.name)).toEqual(['先生', '买过'])
  const categories = await sql<{ name: string }>`select name from tag_category where is_renamed`.execute(postgres.db)
  expect(categories.rows.map(({ name }) => name)).toEqual(['性别'])
})

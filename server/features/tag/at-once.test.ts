import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renameAdvertiser } from '#contract/advertiser.ts'
import { FAULTS } from '#contract/errors.ts'
import * as contract from '#contract/tag.ts'
import { ATTRIBUTE_TAG } from '#contract/tag.ts'
import { anAdvertiser, aTag } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'

const app = await testApp()
const { db } = app.stores.postgres
let adv = 0
afterAll(() => app.close())
afterEach(() => vi.restoreAllMocks())
beforeEach(async () => {
  await app.reset()
  adv = await anAdvertiser(app)
  await app.settled()
})

const definition = { kind: 'attribute', attribute: '城市', condition: { is: 'exists' } } as const
const wanted = (name: string) => ({ adv_id: adv, name, icon: 'other', tag_type: ATTRIBUTE_TAG }) as const
const category = async (name: string) => (await app.admin.get(contract.createCategory, { body: wanted(name) })).id
async function anAttribute() {
  await app.stores.warehouse.load.acrossShards.command('ALTER TABLE person_row ADD COLUMN IF NOT EXISTS a0 String')
  await db
    .insertInto('attribute')
    .values({ adv_id: adv, name: '城市', slot: 0, type: 'text', display_name: '', values: '[]' })
    .execute()
}

/** Inserts another row with the name between the check and the change, as a concurrent call would. */
async function takenMeanwhile(table: 'tag_category' | 'tag' | 'advertiser', columns: string, values: string) {
  await sql
    .raw(
      `create function take_name() returns trigger language plpgsql as $$ begin
         if new.name <> old.name then insert into ${table} (${columns}) values (${values}); end if;
         return new;
       end $$;
       create trigger take_name before update on ${table} for each row execute function take_name()`,
    )
    .execute(db)
  return () => sql.raw(`drop function take_name cascade`).execute(db)
}

test('a category name taken by a concurrent call is refused with a sentence', async () => {
  const id = await category('甲')
  const columns = 'adv_id, tag_type, icon, name'
  const end = await takenMeanwhile('tag_category', columns, 'old.adv_id, old.tag_type, old.icon, new.name')
  const answer = await app.admin.call(contract.updateCategory, { params: { id }, body: { name: '乙' } }).finally(end)
  expect(answer).toMatchObject({ status: 409, msg: FAULTS.nameTaken.msg })
})

test('a tag name taken by a concurrent call is refused with a sentence', async () => {
  const id = await aTag(app, adv, [1])
  const columns = 'adv_id, tag_type, category_id, definition, is_automatic, is_built_in, created_at, name'
  const end = await takenMeanwhile(
    'tag',
    columns,
    columns.replace('name', 'new.name').replace(/(^|, )(?!new)(\w)/g, '$1old.$2'),
  )
  const answer = await app.admin.call(contract.updateTag, { params: { id }, body: { name: '乙' } }).finally(end)
  expect(answer).toMatchObject({ status: 409, msg: FAULTS.tagNameTaken.msg })
})

test('an advertiser name taken by a concurrent call is refused with a sentence', async () => {
  const end = await takenMeanwhile('advertiser', 'name, created_at', 'new.name, old.created_at')
  const answer = await app.admin.call(renameAdvertiser, { params: { id: adv }, body: { name: '乙' } }).finally(end)
  expect(answer).toMatchObject({ status: 409, msg: FAULTS.advertiserNameTaken.msg })
})

test('of concurrent requests for the same category one succeeds, the others are refused with a sentence', async () => {
  const calls = Array.from({ length: 6 }, () => app.admin.call(contract.createCategory, { body: wanted('甲') }))
  const codes = (await Promise.all(calls)).map(({ code }) => code)
  expect(codes.toSorted((a, b) => a - b)).toEqual([0, ...Array(5).fill(FAULTS.nameTaken.code)])
})

test('of concurrent renames to the same category name one succeeds, the others are refused with a sentence', async () => {
  const ids = await Promise.all(['一', '二', '三', '四'].map(category))
  const calls = ids.map((id) => app.admin.call(contract.updateCategory, { params: { id }, body: { name: '甲' } }))
  const codes = (await Promise.all(calls)).map(({ code }) => code)
  expect(codes.toSorted((a, b) => a - b)).toEqual([0, ...Array(3).fill(FAULTS.nameTaken.code)])
})

test('the limit of categories holds for concurrent requests; those made by imports do not count', async () => {
  // One exists already: the category of 全部用户.
  await sql`insert into tag_category (adv_id, name, icon, tag_type, source)
    select ${adv}::int, 'c' || i, 'other', 1, case when i > ${contract.CATEGORIES_MAX}::int - 3 then 'column' end
    from generate_series(1, ${contract.CATEGORIES_MAX}::int + 50) i`.execute(db)
  const calls = ['甲', '乙', '丙', '丁'].map((name) => app.admin.call(contract.createCategory, { body: wanted(name) }))
  const answers = await Promise.all(calls)
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(2)
  expect(answers.find(({ code }) => code !== 0)).toMatchObject({
    status: 409,
    msg: '该广告主自建的分类已达上限（500 个），请删除空分类后再试',
  })
})

test('the limit of tags holds for concurrent requests; those made by imports do not count', async () => {
  await anAttribute()
  const id = await category('甲')
  await sql`insert into tag (adv_id, name, tag_type, category_id, definition, is_automatic, is_built_in, created_at, creator_id, is_dirty)
    select ${adv}::int, 't' || i, 1, ${id}::int, ${JSON.stringify(definition)}::jsonb, false, false, ${now()}::int,
      case when i <= ${contract.TAGS_MAX}::int - 2 then (select min(id) from viewer) end, false
    from generate_series(1, ${contract.TAGS_MAX}::int + 50) i`.execute(db)
  const make = (name: string) =>
    app.admin.call(contract.createTag, { body: { adv_id: adv, name, category_id: id, definition } })
  const answers = await Promise.all(['甲', '乙', '丙', '丁'].map(make))
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(2)
  expect(answers.find(({ code }) => code !== 0)).toMatchObject({
    status: 409,
    msg: '该广告主自建的标签已达上限（5000 个），请删除不用的标签后再试',
  })
})

test('a deletion locks the crowds before a tag or a category, as builds and undos do', async () => {
  const id = await category('甲')
  const tag = await aTag(app, adv, [1])
  const query = vi.spyOn(pg.Query.prototype, 'submit')
  for (const remove of [
    () => app.admin.get(contract.deleteTag, { params: { id: tag } }),
    () => app.admin.get(contract.deleteCategory, { params: { id } }),
  ]) {
    query.mockClear()
    await remove()
    const asked = query.mock.contexts.map((one) => (one as unknown as { text: string }).text)
    const locks = asked.flatMap((text) => /pg_advisory_xact_lock|from "tag.* for update/.exec(text)?.[0] ?? [])
    expect(locks.length).toBeGreaterThan(1)
    expect(locks[0]).toBe('pg_advisory_xact_lock')
  }
})

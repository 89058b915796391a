import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { getImport, type ImportMapping, startImport } from '#contract/import.ts'
import { ATTRIBUTE_TAG, deleteTag, listCategories, listTags, TAG_VALUE_MAX, updateTag } from '#contract/tag.ts'
import { listFields } from '#contract/tag-field.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import { anAdvertiser, aTag } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'
import { countValues } from './attribute-statistics.ts'

const app = await testApp()
const { db } = app.stores.postgres
let adv_id = 0
afterAll(() => app.close())
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  await app.settled()
})

async function importUsers(header: string, rows: readonly string[]) {
  const upload_id = await uploadTo(app, app.admin, `${header}\n${rows.join('\n')}\n`)
  const mapping: ImportMapping = { kind: 'users', id: 'id', identifiers: [], skip: [] }
  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
  expect(await app.admin.get(getImport, { params: { id } })).toMatchObject({ status: 'done', error: null })
}
const tagsOf = async (adv = adv_id) =>
  (await app.admin.get(listTags, { query: { adv_id: adv, tag_type: ATTRIBUTE_TAG, page_size: 500 } })).list
const counted = async () => (await tagsOf()).map(({ name, count }) => [name, count])
const field = async (name: string, adv = adv_id) => {
  const { attributes } = await app.admin.get(listFields, { query: { adv_id: adv } })
  const shown = attributes.find((one) => one.name === name)
  // The list shows only the first values.
  const rows = db.selectFrom('attribute').select('values').where('adv_id', '=', adv).where('name', '=', name)
  const all = await rows.executeTakeFirst()
  return shown && { ...shown, values: all?.values ?? [] }
}
const tooLong = (count: number) => ({ code: 'tooLong', params: { count, max: TAG_VALUE_MAX } })

test('a value of 200 characters gets a tag; longer ones count only as 有值, and the lists say so', async () => {
  const bios = ['甲'.repeat(200), '甲'.repeat(201), 'b'.repeat(1200), '😀'.repeat(200), '短']
  await importUsers(
    'id,bio',
    [...bios, bios[2]].map((bio, n) => `u${n},${bio}`),
  )
  const shown = await counted()
  expect([shown[0], shown.at(-1)]).toEqual([
    ['全部用户', 6],
    ['有值', 6],
  ])
  expect(new Set(shown.slice(1, -1))).toEqual(
    new Set([
      [`${'甲'.repeat(54)}…`, 1],
      [`${'😀'.repeat(54)}…`, 1],
      ['短', 1],
    ]),
  )
  expect(await field('bio')).toMatchObject({ type: 'text', distinct: 5, left_out: [tooLong(2)] })
  expect((await field('bio'))?.values.toSorted()).toEqual([bios[0], bios[3], bios[4]].toSorted())
  const { list } = await app.admin.get(listCategories, { query: { adv_id } })
  expect(list.map(({ name, left_out }) => [name, left_out])).toEqual([
    ['全部用户', []],
    ['bio', [tooLong(2)]],
  ])
})

test('有值 is made once: a removed one is not made again, and a later file is still counted', async () => {
  await importUsers('id,bio', [`u1,${'x'.repeat(300)}`])
  const tag = (await tagsOf()).find(({ name }) => name === '有值')
  await app.admin.get(deleteTag, { params: { id: tag?.id ?? 0 } })
  await importUsers('id,bio', [`u2,${'y'.repeat(300)}`, 'u3,短'])
  expect(await counted()).toEqual([
    ['全部用户', 3],
    ['短', 1],
  ])
  expect(await field('bio')).toMatchObject({ distinct: 3, left_out: [tooLong(2)] })
})

test('long values are counted even if an attribute has too many values for tags', async () => {
  await importUsers(
    'id,bio',
    Array.from({ length: 300 }, (_, n) => `u${n},${n < 3 ? 'x'.repeat(1000 + n) : `v${n}`}`),
  )
  expect(await counted()).toEqual([
    ['全部用户', 300],
    ['有值', 300],
  ])
  expect(await field('bio')).toMatchObject({ type: 'text', distinct: 300, left_out: [tooLong(3)] })
})

test('long values imported by an older version get 有值 once they are counted', async () => {
  const adv = await anAdvertiser(app)
  await writeRows(adv, [[Buffer.from('x'.repeat(300)), Buffer.from('短'), Buffer.from('短')]])
  await app.services.tagJobs.onData(adv, { attributes: [], events: [], days: [] })
  await app.settled()
  await db.updateTable('attribute').set({ values_due: true }).where('adv_id', '=', adv).execute()
  await app.services.tagJobs.catchUp()
  await app.settled()
  expect((await tagsOf(adv)).map(({ name, count }) => [name, count])).toEqual([
    ['全部用户', 1],
    ['有值', 1],
  ])
  // The next count does not make it again.
  await db.updateTable('attribute').set({ values_due: true }).where('adv_id', '=', adv).execute()
  await app.services.tagJobs.catchUp()
  await app.settled()
  expect(await tagsOf(adv)).toHaveLength(2)
})

const MANY: Record<string, (n: number) => string> = {
  'numbers of 19 digits': (n) => `17${String(n).padStart(17, '3')}`,
  'of which many have the least': (n) => (n < 100 ? '100000000000000000' : `17${String(n).padStart(17, '3')}`),
  'numbers as great as there are': (n) => `${n % 2 ? '-' : ''}1.7${String(n).padStart(3, '0')}e308`,
  'numbers of every size': (n) => `${n % 2 ? '-' : ''}1.${n}e${n + 8}`,
  'numbers beside what is none': (n) => `${['nan', 'inf', '-inf', '1e400'][n] ?? n}`,
  'dates up to the last': (n) => `2299-12-${31 - (n % 22)} ${String(n % 24).padStart(2, '0')}:59`,
  'days before and after the calendar': (n) => ['0000-00-00', '9999-12-31', '1899-12-31'][n] ?? `${1900 + n}-01-01`,
}

test('more than 200 values of any size do not stop a build: ranges count everybody exactly once', async () => {
  const names = Object.keys(MANY)
  const cells = (n: number) => Object.values(MANY).map((value) => value(n))
  await importUsers(
    ['id', ...names].join(),
    Array.from({ length: 300 }, (_, n) => [`u${n}`, ...cells(n)].join()),
  )
  const [everyone, ...ranges] = await tagsOf()
  expect(everyone?.count).toBe(300)
  expect(ranges.map(({ name }) => name).join()).not.toMatch(/Infinity|NaN/)
  const held = (name: string) =>
    ranges.reduce(
      (sum, { definition: of, count }) => sum + (of.kind === 'attribute' && of.attribute === name ? (count ?? 0) : 0),
      0,
    )
  expect(names.map((name) => [name, held(name)])).toEqual([
    ['numbers of 19 digits', 300],
    ['of which many have the least', 300],
    ['numbers as great as there are', 300],
    ['numbers of every size', 300],
    // A text with more values than there may be tags: one tag 有值.
    ['numbers beside what is none', 300],
    ['dates up to the last', 300],
    ['days before and after the calendar', 300],
  ])
})

// Values as the warehouse holds them: bytes.
const BLANKS = ['', ' ', '　', '\u200f']
const NUMBERS = ['nan', '-inf', '1e308', '1e400', '7'.repeat(200), '7'.repeat(201), '7'.repeat(10_000)]
const DAYS = ['9999-12-31', '0000-00-00']
const ALIKE = ['ａ', 'a', 'A', 'a ', ' a', 'á', 'a\u0301', '有值', '有值 (2)']
const SPECIAL = ["'", '\\', '{x:String}', '\ufffd', '\u202eabc', 'a\0b', '\0', 'a\nb', '__proto__']
const LONG = ['长'.repeat(1001), `${'x'.repeat(200)}\0`, '😀'.repeat(200), '😀'.repeat(201)]
const NO_TEXT = ['ff', '61c3', 'eda080', 'c080', 'f8888080', `${'61'.repeat(300)}ff`, `${'61'.repeat(900)}ff`]
const UNUSUAL = [
  ...[BLANKS, NUMBERS, DAYS, ALIKE, SPECIAL, LONG].flat().map((text) => Buffer.from(text)),
  ...NO_TEXT.map((hex) => Buffer.from(hex, 'hex')),
]
const unusualValue = fc.oneof(
  fc.constantFrom(...UNUSUAL),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => Buffer.from(text)),
  fc.integer({ min: 1, max: 500 }).map((n) => Buffer.from('z'.repeat(n))),
)
const isFit = (value: Buffer) => {
  const text = value.toString()
  return value.equals(Buffer.from(text)) && !text.includes('\0') && [...text].length <= TAG_VALUE_MAX
}
const COLUMNS = ['constructor', '名'.repeat(200), 'has\'quote"`\\']

async function writeRows(adv: number, people: readonly (readonly Buffer[])[]) {
  const load = app.stores.warehouse.load.acrossShards
  for (const [slot, name] of COLUMNS.entries()) {
    await load.command(`ALTER TABLE person_row ADD COLUMN IF NOT EXISTS a${slot} String`)
    const row = { adv_id: adv, name, slot, type: 'text' as const, display_name: '', values: '[]' }
    await db.insertInto('attribute').values(row).execute()
  }
  const uids = people.map((_, index) => index + 1)
  await load.insert(
    'person_key',
    uids.map((uid) => ({ adv_id: adv, one_id: `p${uid}`, uid })),
  )
  const rows = people.map((cells, index) => {
    const texts = cells.map((cell) => `unhex('${cell.toString('hex')}')`)
    return `(${adv}, ${index + 1}, 0, now64(3), 1, ${texts.join(', ')})`
  })
  await load.command(`INSERT INTO person_row (adv_id, uid, bucket, ts, line, a0, a1, a2) VALUES ${rows.join(', ')}`)
}

test('for any content of rows the build ends and every tag is exact', async () => {
  const people = fc.array(fc.tuple(unusualValue, unusualValue, unusualValue), { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(people, async (once) => {
      // Values must repeat to get tags.
      const given = once.flatMap((cells) => Array(5).fill(cells) as (typeof once)[number][])
      const adv = await anAdvertiser(app)
      await writeRows(adv, given)
      await app.services.tagJobs.onData(adv, { attributes: COLUMNS.map((name) => ({ name })), events: [], days: [] })
      await app.settled()
      const tags = await tagsOf(adv)
      expect(tags.filter((tag) => tag.refreshing || tag.error)).toEqual([])
      expect(tags.filter(({ name }) => !/[^\p{C}\p{Z}]/u.test(name))).toEqual([])
      expect(tags.find((tag) => tag.is_built_in)?.count).toBe(given.length)
      for (const [slot, name] of COLUMNS.entries()) {
        const values = given.flatMap((cells) => (cells[slot]?.length ? [cells[slot]] : []))
        const fit = values.filter(isFit).map(String)
        const wanted = new Map<string | null, number>(
          Map.groupBy(fit, (value) => value)
            .entries()
            .map(([value, all]) => [value, all.length]),
        )
        if (fit.length < values.length) wanted.set(null, values.length)
        const made = tags.flatMap(({ definition: of, count }): [string | null, number | null][] =>
          of.kind === 'attribute' && of.attribute === name
            ? [[of.condition.is === 'equals' ? of.condition.value : null, count]]
            : [],
        )
        expect(new Map(made)).toEqual(wanted)
        const known = await field(name, adv)
        expect(known?.values.toSorted()).toEqual([...new Set(fit)].toSorted())
        const left = (known?.left_out ?? []).reduce((sum, { params }) => sum + params.count, 0)
        expect(left).toBe(new Set(values.filter((value) => !isFit(value)).map((value) => value.toString('hex'))).size)
      }
    }),
    // The first tag holds all people.
    { numRuns: 4, examples: [[UNUSUAL.map((value) => [value, value, value] as [Buffer, Buffer, Buffer])]] },
  )
})

test('a tag made by an older version for a long value keeps its people, and its form can be saved', async () => {
  await importUsers('id,bio', ['u1,a', 'u2,b'])
  const long = 'x'.repeat(3_000_000)
  const load = app.stores.warehouse.load.acrossShards
  await load.command(
    `ALTER TABLE person_row UPDATE a0 = repeat(repeat('x', 3000), 1000) WHERE a0 = 'b' SETTINGS mutations_sync = 1`,
  )
  const definition = { kind: 'attribute', attribute: 'bio', condition: { is: 'equals', value: long } }
  const { id } = await db
    .updateTable('tag')
    .set({ definition: JSON.stringify(definition), is_dirty: true })
    .where('name', '=', 'b')
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.services.tagJobs.catchUp()
  await app.settled()
  const shown = (await tagsOf()).find((tag) => tag.id === id)
  expect(shown).toMatchObject({ count: 1, error: null })
  expect(shown?.definition).toMatchObject({ condition: { value: 'x'.repeat(1000) } })
  await app.admin.get(updateTag, { params: { id }, body: { name: '长', definition: shown?.definition } })
  const kept = await db.selectFrom('tag').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(kept).toMatchObject({ name: '长', definition, is_automatic: true, is_dirty: false })
})

test('advertisers whose tags cannot be counted do not delay others', async () => {
  // As many as builds run at once, each with an attribute whose column is missing.
  for (const adv of [adv_id, await anAdvertiser(app)]) {
    const row = { adv_id: adv, name: '缺失', slot: 77, type: 'text' as const, display_name: '', values: '[]' }
    await db.insertInto('attribute').values(row).execute()
    const id = await aTag(app, adv, [])
    await db
      .updateTable('tag')
      .set({
        is_dirty: true,
        definition: JSON.stringify({ kind: 'attribute', attribute: '缺失', condition: { is: 'exists' } }),
      })
      .where('id', '=', id)
      .execute()
  }
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await app.services.tagJobs.catchUp()
  const other = await anAdvertiser(app)
  await vi.waitFor(async () => expect(await tagsOf(other)).toMatchObject([{ count: 0, error: null }]), {
    timeout: 10_000,
  })
  const waiting = db.selectFrom('tag').select('id').where('is_dirty', '=', true)
  expect(await waiting.execute()).toHaveLength(2)
  // Without this they would be retried for half a minute.
  await sql`delete from pgboss.job where name = 'tag.rebuild'`.execute(db)
  vi.restoreAllMocks()
})

test('values that do not fit into memory are counted by their hashes with the same result', async () => {
  const adv = await anAdvertiser(app)
  await writeRows(
    adv,
    UNUSUAL.map((value) => [value, value, value]),
  )
  const { load } = app.stores.warehouse
  const attribute = { slot: 0, distinct_values: 0 }
  const plain = await countValues(load, adv, attribute)
  const asked: string[] = []
  const tight: Handles = {
    ...load,
    acrossShards: {
      ...load.acrossShards,
      query(sql, params, options) {
        asked.push(sql)
        const given = options?.settings ?? {}
        const settings = 'max_memory_usage' in given ? { ...given, max_memory_usage: 1 } : given
        return load.acrossShards.query(sql, params, { ...options, settings })
      },
    },
  }
  expect(await countValues(tight, adv, attribute)).toEqual(plain)
  expect(asked.map((sql) => sql.includes('sipHash128'))).toEqual([false, true])
  expect(plain.leftOut.tooLong).toBeGreaterThan(0)
})

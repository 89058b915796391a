import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { forgetPerson, getForgetting } from '#contract/forgetting.ts'
import { type ImportMapping, startImport } from '#contract/import.ts'
import { startPush } from '#contract/push.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { aCrowd, anAdvertiser, leaf, tagged } from './builders.ts'
import { aCustomCrowd } from './custom-crowds.ts'
import { SOCIAL, VIDEO } from './platforms.ts'
import { anAuthorisedAccount, md5, SANDBOX_ACCOUNTS, sandboxValues, sha256 } from './push.ts'
import type { TestSandbox } from './sandbox.ts'
import type { TestApp } from './test-app.ts'
import { uploadTo } from './upload.ts'

export const phoneOf = (no: number) => String(13_900_000_000 + no)
const imeiOf = (no: number) => String(860_000_000_000_000 + no)
export const oneIdOf = (no: number) => `u${no}-person`

export const USERS: ImportMapping = {
  kind: 'users',
  id: 'id',
  phone: 'phone',
  identifiers: [{ column: 'imei', type: 'IMEI' }],
  skip: [],
}
export const EVENTS: ImportMapping = { kind: 'events', id: 'id', event: 'event', time: 'time', skip: [] }

export const userLine = (no: number, city = '北京') => `${oneIdOf(no)},${phoneOf(no)},${imeiOf(no)},${city}`
export const usersFile = (lines: readonly string[]) => `id,phone,imei,city\n${lines.join('\n')}\n`

export async function importFile(app: TestApp, adv_id: number, text: string, mapping: ImportMapping): Promise<number> {
  const upload_id = await uploadTo(app, app.admin, text)
  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
  return id
}

/** People, events, tags, a rule crowd and an uploaded crowd, both pushed to both platforms: person 1 is in all of them. */
export async function forgetWorld(app: TestApp, sandbox: TestSandbox, people = 12) {
  await sandbox.control('switches', { processing_seconds: 0.1 })
  const adv_id = await anAdvertiser(app)
  const accounts = {
    social: await anAuthorisedAccount(app, sandbox, adv_id, SOCIAL, SANDBOX_ACCOUNTS[1][1]),
    video: await anAuthorisedAccount(app, sandbox, adv_id, VIDEO, SANDBOX_ACCOUNTS[2][1]),
  }
  const numbers = Array.from({ length: people }, (_, at) => at)
  await importFile(app, adv_id, usersFile(numbers.map((no) => userLine(no))), USERS)
  const at = '2025-11-03T12:00:00+08:00'
  const events = numbers.map((no) => `${oneIdOf(no)},browse,${at},${no}`)
  // The second file repeats the first one's rows, and has a row that is refused.
  for (const more of [[], [`${oneIdOf(1)},browse,no time,1`]]) {
    await importFile(app, adv_id, `id,event,time,page\n${[...events, ...more].join('\n')}\n`, EVENTS)
  }
  await importFile(app, adv_id, usersFile(numbers.map((no) => userLine(no))), USERS)
  const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  const beijing = data.flatMap((category) => category.group ?? []).find(({ tag }) => tag === '北京')
  const rule = await aCrowd(app, adv_id, leaf('a', 'n', tagged(beijing?.id ?? 0)))
  // Each platform takes another hash of phones; the last line is malformed, and names a phone.
  const uploads = async (hash: typeof md5, user_id_type: 'HASH_MOBILE_PHONE' | 'SHA256_MOBILE_PHONE') =>
    aCustomCrowd(
      app,
      adv_id,
      [{ name: 'a.txt', content: [...numbers.map((no) => hash(phoneOf(no))), phoneOf(1)].join('\n') }],
      { user_id_type },
    )
  const uploaded = [await uploads(md5, 'HASH_MOBILE_PHONE'), await uploads(sha256, 'SHA256_MOBILE_PHONE')] as const
  await app.settled()
  for (const [cnt_type, advertiser_id, type, custom] of [
    [SOCIAL, accounts.social, 'HASH_MOBILE_PHONE', uploaded[0]],
    [VIDEO, accounts.video, 'SHA256_MOBILE_PHONE', uploaded[1]],
  ] as const) {
    const types = [type]
    await app.admin.get(startPush, {
      params: { cnt_type },
      body: { id: rule.id, advertiser_id, kind: 'rule', types, keeps_step: cnt_type === SOCIAL },
    })
    await app.admin.get(startPush, { params: { cnt_type }, body: { id: custom, advertiser_id, kind: 'custom', types } })
  }
  await app.settled()
  return { adv_id, accounts, rule: rule.id, uploaded, people }
}
export type ForgetWorld = Awaited<ReturnType<typeof forgetWorld>>

export const forget = (app: TestApp, adv_id: number, no = 1) =>
  app.admin.get(forgetPerson, { body: { adv_id, oneID: oneIdOf(no), confirm: oneIdOf(no) } })

export const receiptOf = (app: TestApp, id: number) => app.admin.get(getForgetting, { params: { id } })

/** What the sandboxes hold of each audience. */
export async function onPlatforms(app: TestApp, sandbox: TestSandbox): Promise<Record<string, string[]>> {
  const rows = await app.stores.postgres.db
    .selectFrom('audience')
    .select(['id', 'cnt_type', 'audience_id', 'source_id', 'custom_id'])
    .orderBy('id')
    .execute()
  const held: Record<string, string[]> = {}
  for (const row of rows) {
    held[`${row.cnt_type} ${row.custom_id === null ? 'rule' : 'custom'}`] = await sandboxValues(
      sandbox,
      row.cnt_type,
      row.audience_id ?? '',
    )
  }
  return held
}

/** Every place where something of a person is left, by searching all tables of both stores for what identifies them. */
export async function traces(app: TestApp, adv_id: number, no: number, uid: number): Promise<string[]> {
  const { postgres, warehouse } = app.stores
  const needles = [oneIdOf(no), phoneOf(no), md5(phoneOf(no)), sha256(phoneOf(no)), imeiOf(no), md5(imeiOf(no))]
  needles.push(sha256(md5(imeiOf(no))))
  const found: string[] = []
  const tables = await postgres.pool.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
  )
  for (const { name } of tables.rows) {
    const { rows } = await postgres.pool.query(`select 1 from ${name} t where t::text ~* $1 limit 1`, [
      needles.join('|'),
    ])
    if (rows.length > 0) found.push(name)
  }
  const engine = warehouse.load.acrossShards
  const own = await engine.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
  )
  for (const { name } of own) {
    const columns = await engine.query<{ name: string; type: string }>(
      'SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = {name:String}',
      { name },
    )
    const texts = columns.flatMap((column) =>
      /String/.test(column.type) ? [`toString(${column.name})`, `lower(hex(toString(${column.name})))`] : [],
    )
    const isOwn = columns.some((column) => column.name === 'uid') ? [`(adv_id = ${adv_id} AND uid = ${uid})`] : []
    const holds = columns.some((column) => column.name === 'bitmap') ? [`bitmapContains(bitmap, toUInt32(${uid}))`] : []
    const any = [
      ...texts.map((text) => `multiSearchAny(${text}, [${needles.map((needle) => `'${needle}'`).join(', ')}])`),
      ...isOwn,
      ...holds,
    ]
    if (any.length === 0) continue
    const rows = await engine.query(`SELECT 1 FROM ${name} WHERE ${any.join(' OR ')} LIMIT 1`)
    if (rows.length > 0) found.push(name)
  }
  return found.toSorted()
}

export const refusedRows = (app: TestApp, import_id: number) =>
  readFileSync(join(app.stores.settings.dataDir, 'import', `refused-${import_id}.csv`), 'utf8')
export const malformedLines = (app: TestApp, file_id: number) =>
  gunzipSync(readFileSync(join(app.stores.settings.dataDir, 'crowd-malformed', `${file_id}.csv.gz`))).toString()

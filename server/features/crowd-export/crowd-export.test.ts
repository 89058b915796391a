import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getCrowdColumns } from '#contract/crowd-export.ts'
import { FAULTS } from '#contract/errors.ts'
import { startImport } from '#contract/import.ts'
import { computeRuleCrowd } from '#contract/rule-crowd.ts'
import { updateAttribute } from '#contract/tag-field.ts'
import { loadViewer } from '../../http/viewer.ts'
import { aCrowd, anAdvertiser, aTag, leaf, setTag, tagged } from '../../testing/builders.ts'
import { aCustomCrowd } from '../../testing/custom-crowds.ts'
import { phonesLeft } from '../../testing/phones-left.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'

const app = await testApp()
const { db } = app.stores.postgres
afterAll(() => app.close())

const PHONE = '13800138000'
const IMEI = '490154203237518'
let adv_id: number
let crowd: number
let custom: number
let tag: number
const uid = new Map<string, number>()
const columnKeys = new Map<string, string>()

async function imported(kind: 'users' | 'events', text: string, mapping: object) {
  const upload_id = await uploadTo(app, app.admin, text)
  await app.admin.get(startImport, { body: { adv_id, upload_id, mapping: { kind, skip: [], ...mapping } as never } })
  await app.settled()
}

beforeAll(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app, '甲')
  const users = [
    'id,name,phone,imei,city,note',
    `u1,张三,${PHONE},${IMEI},上海,"a ""b"", c"`,
    'u2,李四,,,北京,',
    `=u3,"=1+1",,,,"两\n行"`,
    `${PHONE},王五,,,,电话 ${PHONE}`,
    'u5,+赵六,,,,-1',
  ]
  const identifiers = [{ column: 'imei', type: 'IMEI' }]
  await imported('users', `${users.join('\n')}\n`, { id: 'id', name: 'name', phone: 'phone', identifiers })
  const events = ['id,event,time', 'u1,pay,2025-11-01T12:00:00+08:00', 'u1,pay,2025-11-03T23:59:59+08:00']
  await imported('events', `${events.join('\n')}\n`, { id: 'id', event: 'event', time: 'time' })
  const rows = await app.stores.warehouse.live.acrossShards.query<{ one_id: string; uid: number }>(
    'SELECT one_id, uid FROM person_key WHERE adv_id = {adv_id:UInt32}',
    { adv_id },
  )
  for (const row of rows) uid.set(row.one_id, row.uid)
  tag = await aTag(app, adv_id, [...uid.values()], '所有人')
  await aTag(app, adv_id, [uid.get('u1') ?? 0], '=忠诚')
  crowd = (await aCrowd(app, adv_id, leaf('a', 'n', tagged(tag)), { name: '老客' })).id
  custom = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content: `${IMEI}\n` }], { user_id_type: 'IMEI' })
  await app.settled()
  const { groups } = await app.admin.get(getCrowdColumns, { params: { id: crowd } })
  for (const { kind, columns } of groups) {
    // The categories of automatic tags are named like the attributes.
    for (const { key, label } of columns) columnKeys.set(kind === 'tags' ? `标签：${label}` : label, key)
  }
})

const keyOf = (label: string) => columnKeys.get(label) ?? label
const download = async (id: number, labels: string[] = [], caller = app.admin) => {
  const columns = labels.length > 0 ? `?columns=${labels.map(keyOf).join(',')}` : ''
  const { statusCode, body, headers } = await app.app.inject({
    url: `/api/people/${id}/export${columns}`,
    headers: { cookie: caller.cookie },
  })
  const name = decodeURIComponent(/filename\*=UTF-8''(.*)/.exec(String(headers['content-disposition']))?.[1] ?? '')
  return { status: statusCode, body, name, type: headers['content-type'] }
}
const code = (body: string) => (JSON.parse(body) as { code: number }).code
const holds = () => db.selectFrom('member_hold').selectAll().execute()

test('every person of the crowd has a row, and no cell is run as a formula', async () => {
  const { status, body, name, type } = await download(crowd, ['One ID', '姓名', '手机号', 'city', 'note'])
  expect([status, type]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(body).toBe(
    [
      '\uFEFFOne ID,姓名,手机号,city,note',
      `u1,张三,${PHONE},上海,"a ""b"", c"`,
      'u2,李四,,北京,',
      `'=u3,'=1+1,,,"两\n行"`,
      `${PHONE},王五,,,电话 ${PHONE}`,
      `u5,'+赵六,,,'-1`,
      '',
    ].join('\n'),
  )
  expect(name).toMatch(/^老客-版本\d+-\d{8}-\d{6}\.csv$/)
  expect(await holds()).toEqual([])
})

test('identifiers, tags and events; columns are in the order of the offer, each once', async () => {
  const { groups } = await app.admin.get(getCrowdColumns, { params: { id: crowd } })
  const tags = groups.find(({ kind }) => kind === 'tags')?.columns ?? []
  expect(tags.length).toBeGreaterThanOrEqual(2)
  const own = await db.selectFrom('tag').select('category_id').where('name', '=', '=忠诚').executeTakeFirstOrThrow()
  const label = tags.find(({ key }) => key === `tags.${own.category_id}`)?.label
  const asked = [
    '事件数',
    `tags.${own.category_id}`,
    '首次事件时间',
    '最近事件时间',
    'identifier.IMEI',
    'One ID',
    'One ID',
  ]
  const { body } = await download(crowd, asked)
  const [head, first, second] = body.split('\n')
  expect(head?.split(',').length).toBe(6)
  expect(head?.startsWith('\uFEFFOne ID,')).toBe(true)
  expect(head).toContain(`,标签：${label},首次事件时间,最近事件时间,事件数`)
  expect(first).toBe(`u1,${IMEI},'=忠诚,2025-11-01 12:00:00,2025-11-03 23:59:59,2`)
  expect(second).toBe('u2,,,,,0')
})

test('of an uploaded crowd the matched people are exported', async () => {
  const { count } = await app.admin.get(getCrowdColumns, { params: { id: custom } })
  const { body, name } = await download(custom)
  expect([count, body]).toEqual([1, `\uFEFFOne ID,姓名,手机号\nu1,张三,${PHONE}\n`])
  expect(name).toContain('-版本1-')
})

test('viewers who may not see phones get phones and identifiers masked', async () => {
  const blind = await app.viewer('blind', [adv_id])
  const { hides_phones } = await blind.get(getCrowdColumns, { params: { id: crowd } })
  expect(hides_phones).toBe(true)
  const { body } = await download(
    crowd,
    ['One ID', '姓名', '手机号', 'note', 'identifier.IMEI', 'identifier.HASH_IMEI'],
    blind,
  )
  expect(body).not.toContain(PHONE)
  expect(body).not.toContain(IMEI)
  expect(body).toContain('138****8000')
  expect(body).toContain('490****518')
  expect(body).not.toMatch(/[0-9a-f]{32}/)
})

test('viewers who may not see phones learn nothing of their hashes: two ends of them would tell which of 10,000 fits', async () => {
  const blind = await app.viewer('masked', [adv_id])
  const columns = ['One ID', '手机号', 'identifier.HASH_MOBILE_PHONE', 'identifier.SHA256_MOBILE_PHONE']
  const { body } = await download(crowd, columns, blind)
  expect(body.split('\n')[1]).toBe('u1,138****8000,****,****')
})

test('a file with every column leaves all 10,000 numbers of a masked phone', async () => {
  const blind = await app.viewer('guesser', [adv_id])
  const { groups } = await blind.get(getCrowdColumns, { params: { id: crowd } })
  const labels = groups.flatMap(({ columns }) => columns.map(({ key }) => key))
  expect(labels).toEqual(expect.arrayContaining(['identifier.HASH_MOBILE_PHONE', 'identifier.SHA256_MOBILE_PHONE']))
  const { status, body } = await download(crowd, labels, blind)
  expect(status).toBe(200)
  expect(body).toContain('138****8000')
  expect(phonesLeft(body, PHONE)).toBe(10_000)
})

test('strangers are refused, and so is what there is not', async () => {
  const stranger = await app.viewer('stranger', [await anAdvertiser(app, '乙')])
  expect((await stranger.call(getCrowdColumns, { params: { id: crowd } })).status).toBe(404)
  for (const id of [crowd, custom]) expect((await download(id, [], stranger)).status).toBe(404)
  expect((await download(999_999)).status).toBe(404)
  expect((await download(crowd, ['attribute.999999'])).status).toBe(400)
  expect((await download(crowd, ['salary'])).body).toContain('没有可以导出的列「salary」，请重新选择列')
  expect(
    (
      await download(
        crowd,
        Array.from({ length: 201 }, (_, at) => `attribute.${at + 1}`),
      )
    ).status,
  ).toBe(400)
  expect((await app.app.inject({ url: `/api/people/${crowd}/export` })).statusCode).toBe(401)
  expect(await holds()).toEqual([])
})

test('a column of another advertiser does not exist', async () => {
  const other = await anAdvertiser(app, '丙')
  const { id } = await db
    .insertInto('attribute')
    .values({ adv_id: other, name: 'x', slot: 0, type: 'text', display_name: 'x', values: '[]' } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  expect((await download(crowd, [`attribute.${id}`])).status).toBe(400)
})

test('a choice stays when an attribute is given another name, and values are written by their names', async () => {
  const key = keyOf('city')
  await app.admin.get(updateAttribute, {
    body: { adv_id, name: 'city', display_name: '城市', dictionary: [{ value: '上海', label: '魔都' }] } as never,
  })
  await app.settled()
  const { body } = await download(crowd, ['one_id', key])
  expect(body.split('\n').slice(0, 2)).toEqual(['\uFEFFOne ID,城市', 'u1,魔都'])
})

test('an export is in the audit with its version, columns and rows', async () => {
  await download(crowd, ['one_id', 'name'])
  const { version } = await db.selectFrom('people').select('version').where('id', '=', crowd).executeTakeFirstOrThrow()
  const rows = await db.selectFrom('audit').selectAll().where('action', '=', 'export.crowd').orderBy('id').execute()
  expect(rows.at(-1)?.detail).toMatchObject({
    ...{ adv_id, crowd, kind: 'rule', name: '老客', version },
    ...{ columns: ['one_id', 'name'], rows: 5, phones: true },
  })
})

test('a crowd without a result, and one whose people were removed meanwhile, are refused', async () => {
  const { id } = await aCrowd(app, adv_id, leaf('a', 'n', tagged(tag)), { name: '没有结果' })
  await db.updateTable('people').set({ version: 0 }).where('id', '=', id).execute()
  expect(code((await download(id)).body)).toBe(FAULTS.crowdNoResult.code)
  await app.settled()
  const nobody = await aTag(app, adv_id, [7_000_000], '没有这样的人')
  const gone = await aCrowd(app, adv_id, leaf('a', 'n', tagged(nobody)), { name: '已撤销' })
  await app.settled()
  expect(code((await download(gone.id)).body)).toBe(FAULTS.crowdPeopleChanging.code)
  expect(await holds()).toEqual([])
})

test('a version that is replaced while it is read stays until the file is written', async () => {
  const viewer = await loadViewer(
    db,
    (await db.selectFrom('viewer').select('id').orderBy('id').executeTakeFirstOrThrow()).id,
  )
  if (!viewer) throw new Error('the first viewer is there')
  const mine = await aTag(app, adv_id, [uid.get('u1') ?? 0, uid.get('u2') ?? 0], '两人')
  const { id } = await aCrowd(app, adv_id, leaf('a', 'n', tagged(mine)), { name: '两人' })
  await app.settled()
  const file = await app.services.crowdExports.export(viewer, { id, columns: ['one_id'] })
  const lines = file.content[Symbol.asyncIterator]()
  expect((await lines.next()).value).toContain('One ID')
  const { version } = await db.selectFrom('people').select('version').where('id', '=', id).executeTakeFirstOrThrow()
  await setTag(app, adv_id, mine, [uid.get('u5') ?? 0], 2)
  await app.admin.get(computeRuleCrowd, { params: { id } })
  await app.settled()
  const replaced = await db.selectFrom('people').select('version').where('id', '=', id).executeTakeFirstOrThrow()
  expect(replaced.version).not.toBe(version)
  const stored = () => app.services.evaluator.membersOf(adv_id, [{ kind: 'crowd', id, version }])
  /** As if its 90 days and then the grace period had passed. */
  const drop = async () => {
    await db.updateTable('crowd_size').set({ replaced_at: 1 }).where('version', '=', version).execute()
    await app.services.oldMembers.clear()
    await sql`update pgboss.job set start_after = now() where name = 'rule-crowd.drop' and state = 'created'`.execute(
      db,
    )
    await app.settled()
  }
  await drop()
  expect(await stored()).toEqual([2])
  expect((await lines.next()).value).toBe('u1\nu2\n')
  expect((await lines.next()).done).toBe(true)
  expect(await holds()).toEqual([])
  await drop()
  expect(await stored()).toEqual([0])
})

test('a download that breaks off never looks like a whole file, and holds nothing any longer', async () => {
  const mine = await aTag(app, adv_id, [...uid.values()], '会中断')
  const { id } = await aCrowd(app, adv_id, leaf('a', 'n', tagged(mine)), { name: '会中断' })
  await app.settled()
  const { id: viewer_id } = await db.selectFrom('viewer').select('id').orderBy('id').executeTakeFirstOrThrow()
  const viewer = await loadViewer(db, viewer_id)
  if (!viewer) throw new Error('the first viewer is there')
  const begun = async () => {
    const { content } = await app.services.crowdExports.export(viewer, { id, columns: ['one_id'] })
    const parts = content[Symbol.asyncIterator]()
    await parts.next()
    return parts
  }
  const aborted = await begun()
  expect(await holds()).toHaveLength(1)
  await aborted.return?.()
  expect(await holds()).toEqual([])

  const failing = await begun()
  const { version } = await db.selectFrom('people').select('version').where('id', '=', id).executeTakeFirstOrThrow()
  await app.services.evaluator.dropVersions(adv_id, [{ kind: 'crowd', id, version }])
  await expect(failing.next()).rejects.toThrow('holds 0 people')
  expect(await holds()).toEqual([])
})

test('lists are exported with all pages of what the filters find, and the export is in the audit', async () => {
  const get = async (url: string, caller = app.admin) => {
    const { statusCode, body } = await app.app.inject({ url, headers: { cookie: caller.cookie } })
    return { status: statusCode, lines: body.split('\n') }
  }
  const all = await get(`/api/people/export?adv_id=${adv_id}&sort=created_at`)
  expect(all.lines[0]).toBe(
    '\uFEFF名称,ID,标签 ID,状态,失败原因,失效日期,平台人群,人数,人数截至,广告主,创建人,创建时间',
  )
  expect(all.lines[1]).toMatch(
    new RegExp(`^老客,${crowd},\\d+,已完成,,\\d{4}-\\d\\d-\\d\\d,,5,\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,甲,`),
  )
  const found = await get(`/api/people/export?name=${encodeURIComponent('老客')}`)
  expect(found.lines).toHaveLength(3)
  const uploaded = await get(`/api/v1/gdtcrowd/crowd/custom/export?adv_id=${adv_id}`)
  expect(uploaded.lines).toHaveLength(3)
  expect(uploaded.lines[1]).toContain(`,${custom},,,,可用,,IMEI,1,1,`)
  const stranger = await app.viewer('list-stranger', [await anAdvertiser(app, '丁')])
  expect((await get('/api/people/export', stranger)).lines).toHaveLength(2)
  expect((await get(`/api/people/export?adv_id=${adv_id}`, stranger)).status).toBe(403)
  expect((await get('/api/people/export?status=nonsense')).status).toBe(400)
  const rows = await db
    .selectFrom('audit')
    .select(['action', 'detail'])
    .where('action', 'like', 'export.%_crowds')
    .execute()
  expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(['export.rule_crowds', 'export.custom_crowds']))
  expect(rows[0]?.detail).toMatchObject({ adv_ids: [adv_id], rows: all.lines.length - 2 })
})

test('a connection on which a file breaks off ends without its last chunk', async () => {
  const mine = await aTag(app, adv_id, [...uid.values()], '断开')
  const { id } = await aCrowd(app, adv_id, leaf('a', 'n', tagged(mine)), { name: '断开' })
  await app.settled()
  await db.updateTable('attribute').set({ slot: 999 }).where('adv_id', '=', adv_id).where('name', '=', 'note').execute()
  const answer = await fetch(`${await app.origin()}/api/people/${id}/export?columns=one_id,${keyOf('note')}`, {
    headers: { cookie: app.admin.cookie },
  })
  expect(answer.status).toBe(200)
  await expect(answer.text()).rejects.toThrow()
  expect(await holds()).toEqual([])
})

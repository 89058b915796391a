import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import { FAULTS } from '#contract/errors.ts'
import { startImport } from '#contract/import.ts'
import {
  addSuppressedCrowd,
  addSuppression,
  getConsent,
  listSuppression,
  removeSuppression,
  removeSuppressionEntries,
  type SuppressionQuestion,
  setConsent,
} from '#contract/suppression.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { aCustomCrowd } from '../../testing/custom-crowds.ts'
import { md5, sha256 } from '../../testing/push.ts'
import { suppressFor } from '../../testing/suppression.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'

const PEOPLE = 300
const phone = (no: number) => String(13_800_000_000 + no)
const imei = (no: number) => String(860_000_000_000_000 + no)
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

const app = await testApp()
afterAll(() => app.close())

let adv_id: number
beforeAll(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app, '甲')
  const rows = range(0, PEOPLE).map((no) => `u${no},${phone(no)},${imei(no)}`)
  const upload_id = await uploadTo(app, app.admin, `id,phone,imei\n${rows.join('\n')}\n`)
  const identifiers = [{ column: 'imei', type: 'IMEI' as const }]
  const mapping = { kind: 'users' as const, id: 'id', phone: 'phone', identifiers, skip: [] }
  await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
})
beforeEach(async () => {
  const { total } = await list()
  if (total > 0) await app.admin.get(removeSuppressionEntries, { body: { adv_id, count: total } })
})

const list = (query: object = {}, caller = app.admin) => caller.get(listSuppression, { query: { adv_id, ...query } })
const add = (lines: readonly string[], more: object = {}) =>
  app.admin.call(addSuppression, { body: { adv_id, type: 'HASH_MOBILE_PHONE', lines: [...lines], ...more } })
const question = (data: unknown) => data as z.output<typeof SuppressionQuestion>
const exported = async (caller = app.admin, query = '') => {
  const answer = await app.app.inject({
    url: `/api/suppression/export?adv_id=${adv_id}${query}`,
    headers: { cookie: caller.cookie },
  })
  return {
    status: answer.statusCode,
    lines: answer.body
      .replace(/^\uFEFF/, '')
      .trim()
      .split('\n'),
  }
}

test('more than one in a hundred of the people are suppressed only after a confirmation of the number', async () => {
  expect(await add(range(0, 3).map(phone))).toMatchObject({ code: 0, data: { added: 3 } })
  // Two of the six are listed, one is written twice.
  const lines = [1, 2, 10, 11, 12, 13, 13].map(phone)
  const asked = await add(lines)
  expect(asked).toMatchObject({
    status: 409,
    code: FAULTS.suppressionAsks.code,
    msg: `将加入 4 个标识，屏蔽 4 个已有用户（共 ${PEOPLE} 个），以后的推送不再包含他们`,
    data: { identifiers: 4, people: 4, total: PEOPLE },
  })
  expect((await list()).total).toBe(3)
  const { confirm } = question(asked.data)
  // A confirmation is of these identifiers only.
  expect((await add([...lines, phone(20)], { confirm })).code).toBe(FAULTS.suppressionAsks.code)
  expect(await add(lines, { confirm })).toMatchObject({ code: 0, data: { added: 4, listed: 2, duplicate: 1 } })
  expect((await list()).total).toBe(7)
})

test('the device of a suppressed person is counted as nobody more; unknown identifiers count from 1,001', async () => {
  await suppressFor(app, { adv_id, type: 'HASH_MOBILE_PHONE', lines: range(0, 5).map(phone) })
  const devices = await app.admin.call(addSuppression, {
    body: { adv_id, type: 'IMEI', lines: range(0, 5).map(imei) },
  })
  expect(devices).toMatchObject({ code: 0, data: { added: 5 } })
  const unknown = (count: number) => range(5000, 5000 + count).map(phone)
  expect((await add(unknown(1000))).code).toBe(0)
  expect(await add(range(9000, 10_001).map(phone))).toMatchObject({
    code: FAULTS.suppressionAsks.code,
    data: { identifiers: 1001, people: 0 },
  })
})

test('one phone is one entry with its forms, masked for those who may not see phones', async () => {
  await add([phone(1)], { note: '投诉' })
  await add([md5(phone(2))])
  const { total, list: rows } = await list()
  expect(total).toBe(2)
  const forms = [
    { type: 'HASH_MOBILE_PHONE', value: md5(phone(1)) },
    { type: 'SHA256_MOBILE_PHONE', value: sha256(phone(1)) },
  ]
  expect(rows).toContainEqual(expect.objectContaining({ phone: phone(1), forms, note: '投诉' }))
  expect(rows).toContainEqual(
    expect.objectContaining({ phone: null, forms: [{ type: 'HASH_MOBILE_PHONE', value: md5(phone(2)) }] }),
  )
  const member = await app.viewer('mask', [adv_id])
  expect((await list({}, member)).list.map((row) => row.phone)).toContain('138****0001')
  // A phone of which only a hash was known joins its entry.
  expect(await add([phone(2)])).toMatchObject({ code: 0, data: { added: 1, listed: 0 } })
  expect((await list()).total).toBe(2)
})

test('an identifier is found in every form that the list can compare, and a phone by its mask', async () => {
  await suppressFor(app, { adv_id, type: 'HASH_MOBILE_PHONE', lines: [phone(1), phone(2), md5(phone(3))] })
  await app.admin.get(addSuppression, { body: { adv_id, type: 'IMEI', lines: [imei(1)] } })
  const found = async (keyword: string, more = {}) =>
    (await list({ keyword, ...more })).list.map((row) => row.phone ?? row.forms[0]?.value)
  expect(await found(phone(1))).toEqual([phone(1)])
  expect(await found(' +86 138-0000-0002 ')).toEqual([phone(2)])
  expect(await found(md5(phone(1)).toUpperCase())).toEqual([phone(1)])
  expect(await found(sha256(phone(2)))).toEqual([phone(2)])
  expect(await found(phone(3))).toEqual([md5(phone(3))])
  expect(await found(imei(1))).toEqual([imei(1)])
  expect(await found('138****0002')).toEqual([phone(2)])
  expect(await found('138****0009')).toEqual([])
  expect(await found("'; DROP TABLE suppression")).toEqual([])
  expect(await found(phone(1), { type: 'IMEI' })).toEqual([])
  expect((await list({ type: 'SHA256_MOBILE_PHONE' })).total).toBe(2)
})

test('chosen entries, or all that match, are removed if they are as many as was told', async () => {
  await suppressFor(app, { adv_id, type: 'HASH_MOBILE_PHONE', lines: range(0, 8).map(phone) })
  await suppressFor(app, { adv_id, type: 'IMEI', lines: range(20, 25).map(imei) })
  const remove = (body: object) =>
    app.admin.call(removeSuppressionEntries, {
      body: { adv_id, ...body } as z.input<typeof removeSuppressionEntries.body>,
    })
  const keys = (await list({ type: 'HASH_MOBILE_PHONE' })).list.slice(0, 2).map((row) => row.key)
  expect(await remove({ keys, count: 2 })).toMatchObject({ code: 0, data: { removed: 2 } })
  expect(await remove({ keys, count: 2 })).toMatchObject({ code: FAULTS.suppressionChanged.code })
  expect(await remove({ type: 'IMEI', count: 4 })).toMatchObject({
    code: FAULTS.suppressionChanged.code,
    msg: '名单已变化，现在符合条件的有 5 个，请重新确认',
  })
  expect(await remove({ type: 'IMEI', count: 5 })).toMatchObject({ data: { removed: 5 } })
  for (const filter of [{ type: 'IMEI' }, { keyword: phone(7) }])
    expect((await remove({ keys, count: 0, ...filter })).code).toBe(FAULTS.badInput.code)
  const left = await list()
  expect(left).toMatchObject({ total: 6, by_type: [{ count: 6 }, { count: 6 }] })
  expect(
    await app.admin.get(removeSuppression, {
      body: { adv_id, type: 'HASH_MOBILE_PHONE', values: left.list.slice(0, 1).map((row) => row.phone ?? '') },
    }),
  ).toEqual({ removed: 1 })
  expect((await list()).total).toBe(5)
})

test('the export is masked, harmless to spreadsheets, filtered and audited', async () => {
  await add([phone(1)], { note: '=HYPERLINK("x")' })
  await app.admin.get(addSuppression, { body: { adv_id, type: 'IMEI', lines: [imei(1)], note: '设备, 一' } })
  const all = await exported()
  expect(all.lines[0]).toBe('标识类型,标识,手机号,备注,加入时间')
  expect(all.lines).toHaveLength(4)
  expect(all.lines.find((line) => line.includes(sha256(phone(1))))).toContain(`${phone(1)},"'=HYPERLINK(""x"")"`)
  expect(all.lines.find((line) => line.startsWith('IMEI'))).toContain(`${imei(1)},,"设备, 一",`)
  const member = await app.viewer('exporter', [adv_id])
  const masked = await exported(member, '&type=HASH_MOBILE_PHONE')
  expect(masked.lines).toHaveLength(3)
  expect(masked.lines.join()).toContain('138****0001')
  expect(masked.lines.join()).not.toContain(phone(1))
  expect((await exported(app.admin, '&keyword=138****0001')).lines).toHaveLength(3)
  const audited = await app.stores.postgres.db
    .selectFrom('audit')
    .select('detail')
    .where('action', '=', 'export.suppression')
    .orderBy('id')
    .execute()
  expect(audited.map(({ detail }) => [detail.count, detail.phones])).toEqual([
    [2, true],
    [1, false],
    [1, true],
  ])
  expect((await exported(await app.viewer('foreign', []))).status).toBe(403)
  expect((await exported(app.admin, '&type=NONE')).status).toBe(400)
})

test('the audit shows no phone and no hash that an entry was looked for by', async () => {
  await add([phone(1)])
  await exported(app.admin, `&keyword=${phone(1)}`)
  await exported(app.admin, `&keyword=${sha256(phone(1))}`)
  const body = { adv_id, keyword: phone(1), count: 1 }
  await app.admin.get(removeSuppressionEntries, { body })
  const rows = await app.stores.postgres.db
    .selectFrom('audit')
    .select('detail')
    .orderBy('id', 'desc')
    .limit(3)
    .execute()
  const told = rows.toReversed().map(({ detail }) => detail.filter)
  expect(told).toEqual([{ keyword: '138****0001' }, { keyword: '*'.repeat(64) }, { keyword: '138****0001' }])
})

test('the identifiers of an uploaded crowd are added after the number was confirmed', async () => {
  const content = `${range(0, 40)
    .map((no) => md5(imei(no)))
    .join('\n')}\n不是\n`
  const crowd_id = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content }])
  await app.settled()
  await suppressFor(app, { adv_id, type: 'HASH_IMEI', lines: [md5(imei(0))] })
  const body = { adv_id, crowd_id, note: '名单文件' }
  const asked = await app.admin.call(addSuppressedCrowd, { body })
  expect(asked).toMatchObject({ code: FAULTS.suppressionAsks.code, data: { identifiers: 39, people: 39 } })
  const { confirm } = question(asked.data)
  expect(await app.admin.get(addSuppressedCrowd, { body: { ...body, confirm } })).toMatchObject({ identifiers: 39 })
  await app.settled()
  expect(await list({ keyword: md5(imei(39)) })).toMatchObject({ total: 1, list: [{ note: '名单文件' }] })
  expect((await list()).total).toBe(40)
  const other = await anAdvertiser(app, '乙')
  const stranger = await app.viewer('other', [other])
  expect((await stranger.call(addSuppressedCrowd, { body: { ...body, adv_id: other } })).status).toBe(404)
})

test('phones among the values of consent are masked, and stay what they are when they come back masked', async () => {
  const upload_id = await uploadTo(app, app.admin, 'id,联系\nu1,否\n', 'people.csv')
  await app.admin.get(startImport, {
    body: { adv_id, upload_id, mapping: { kind: 'users', id: 'id', identifiers: [], skip: [] } },
  })
  await app.settled()
  const refused_values = ['13800138000', '否']
  await app.admin.get(setConsent, { body: { adv_id, attribute: '联系', refused_values } })
  const member = await app.viewer('no phones', [adv_id])
  const shown = ['138****8000', '否']
  expect((await member.get(getConsent, { query: { adv_id } })).refused_values).toEqual(shown)
  await member.get(setConsent, { body: { adv_id, attribute: '联系', refused_values: [...shown, '不'] } })
  expect((await app.admin.get(getConsent, { query: { adv_id } })).refused_values).toEqual([...refused_values, '不'])
})

test('viewers who may not see phones get no hash of one, not in the list, in its keys or in the export', async () => {
  await add([phone(1)], { note: `致电 ${phone(4)}` })
  await add([md5(phone(2))])
  await app.admin.get(addSuppression, { body: { adv_id, type: 'IMEI', lines: [imei(1)] } })
  const secrets = [1, 2, 4].flatMap((no) => [phone(no), md5(phone(no)), sha256(phone(no))])
  const member = await app.viewer('no hashes', [adv_id])
  const shown = await list({}, member)
  const everything = JSON.stringify(shown) + (await exported(member)).lines.join()
  for (const secret of secrets) expect(everything.toLowerCase()).not.toContain(secret)
  expect(shown.list.map((row) => row.forms.map(({ value }) => value))).toEqual(
    expect.arrayContaining([[null, null], [null], [imei(1)]]),
  )
  // What the viewer already has still finds the entry.
  expect((await list({ keyword: sha256(phone(1)) }, member)).list.map((row) => row.phone)).toEqual(['138****0001'])
})

test('entries are removed by the keys that a viewer without the right was given, and by nothing that looks like one', async () => {
  await suppressFor(app, { adv_id, type: 'HASH_MOBILE_PHONE', lines: [phone(1), phone(2), md5(phone(3))] })
  const member = await app.viewer('remover', [adv_id])
  const keys = (await list({}, member)).list.map((row) => row.key)
  expect(keys).toEqual((await list()).list.map((row) => row.key))
  const remove = (given: string[], count: number) =>
    member.call(removeSuppressionEntries, { body: { adv_id, keys: given, count } })
  const guessed = [`phone:${md5(phone(1))}`, 'AAAA', '']
  expect(await remove(guessed, 0)).toMatchObject({ code: 0, data: { removed: 0 } })
  expect(await remove(keys.slice(0, 2), 2)).toMatchObject({ code: 0, data: { removed: 2 } })
  expect((await list()).list.map((row) => row.key)).toEqual(keys.slice(2))
})

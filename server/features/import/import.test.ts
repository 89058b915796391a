import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import {
  getImport,
  type ImportMapping,
  listImports,
  previewImport,
  refusedRowsPath,
  startImport,
  UPLOAD_PATH,
} from '#contract/import.ts'
import { outcome } from '#contract/outcome.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { listFields } from '#contract/tag-field.ts'
import { importUsers } from '../../commands/import.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import type { Caller } from '../../testing/caller.ts'
import { testApp } from '../../testing/test-app.ts'
import { beginUpload, uploadTo } from '../../testing/upload.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())

const USERS: ImportMapping = { kind: 'users', id: 'id', phone: 'phone', identifiers: [], skip: [] }
const FILE = 'id,phone,city\n1,13800000000,北京\n2,12,上海\n,13900000000,北京\n3,,北京\n'

const upload = (caller: Caller, content: string | Buffer, name?: string) => uploadTo(app, caller, content, name)
const uploaded = (id: string) => join(app.stores.settings.dataDir, 'uploads', id)

test('a file is uploaded, previewed, imported and counted by tags, and its report adds up', async () => {
  const adv_id = await anAdvertiser(app)
  const upload_id = await upload(app.admin, FILE)
  const preview = await app.admin.get(previewImport, { body: { upload_id, kind: 'users' } })
  expect(preview).toMatchObject({
    format: 'csv',
    columns: ['id', 'phone', 'city'],
    guess: { id: 'id', phone: 'phone' },
  })
  expect(preview.rows).toHaveLength(4)

  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping: USERS } })
  await app.settled()
  const row = await app.admin.get(getImport, { params: { id } })
  expect(row).toMatchObject({ status: 'done', progress: 1, file_name: 'people.csv', adv_id })
  expect(row.report).toMatchObject({
    rows: 4,
    stored: 3,
    duplicate: 0,
    refused: 1,
    new_people: 3,
    reasons: [{ reason: '用户 ID 为空', outcome: outcome('row_without_id'), rows: 1 }],
    warnings: [
      {
        reason: '手机号格式不正确，未作为标识保存',
        outcome: outcome('identifier_not_stored', { type: 'MOBILE_PHONE' }),
        rows: 1,
        data_rows: [2],
      },
    ],
  })
  expect(await app.admin.get(listImports, { query: { adv_id } })).toMatchObject({ total: 1, list: [{ id }] })

  const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  const counts = Object.fromEntries(data.flatMap((category) => category.group ?? []).map((tag) => [tag.tag, tag.count]))
  expect(counts).toMatchObject({ 全部用户: 3, 北京: 2, 上海: 1 })

  const refused = await app.app.inject({ url: refusedRowsPath(id), headers: { cookie: app.admin.cookie } })
  expect(refused.body).toBe('\ufeffid,phone,city,原文件行号,未导入原因\n,13900000000,北京,4,用户 ID 为空\n')
  expect(existsSync(uploaded(upload_id))).toBe(false)
})

test('a preview shows the first lines, bad ones with their line and reason, and counts values of the wrong type', async () => {
  const lines = ['1,13800000000,北京', '2,12345,上海', ',13900000000,北京', '', '3,139,a,b', '4,"x"y,z', '5,,"a', 'b"']
  const upload_id = await upload(app.admin, `id,phone,city\n${lines.join('\n')}\n`)
  const preview = await app.admin.get(previewImport, { body: { upload_id } })
  expect(preview.kind).toBe('users')
  expect(
    preview.lines.map(({ line, row, refused, warnings }) => [line, row, refused?.reason, warnings.length]),
  ).toEqual([
    [2, 0, undefined, 0],
    [3, 1, undefined, 1],
    [4, 2, '用户 ID 为空', 0],
    [6, null, '列数与首行不一致：有 4 列，应为 3 列', 0],
    [7, null, '引号位置不正确', 0],
    [8, 3, undefined, 0],
  ])
  expect(preview.rows[3]).toEqual(['5', '', 'a\nb'])
  expect(preview.lines[3]?.cells).toEqual(['3', '139', 'a', 'b'])
  expect(preview.lines[1]?.warnings).toMatchObject([{ column: 'phone', reason: '手机号格式不正确，未作为标识保存' }])
  expect(preview.problems).toMatchObject({
    refused: [{ rows: 1 }, { rows: 1 }, { rows: 1 }],
    warnings: [{ reason: '手机号格式不正确，未作为标识保存', rows: 1, lines: [3] }],
  })
})

test('a preview recognises events by their columns, and checks rows by the mapping that it is given', async () => {
  const text = 'user,event,when\nu1,buy,2026/1/2 3:04\nu2,buy,45293.5\nu3,buy,soon\n'
  const upload_id = await upload(app.admin, text.replace('when', 'ts').replace('user', 'user_id'), 'e.csv')
  const guessed = await app.admin.get(previewImport, { body: { upload_id } })
  expect(guessed).toMatchObject({ kind: 'events', guess: { id: 'user_id', event: 'event', time: 'ts' } })
  expect(guessed.lines.map(({ refused }) => refused?.outcome.code)).toEqual([
    undefined,
    undefined,
    'row_time_unreadable',
  ])
  const other = await upload(app.admin, text, 'f.csv')
  const mapping: ImportMapping = { kind: 'events', id: 'user', event: 'event', time: 'when', skip: [] }
  const checked = await app.admin.get(previewImport, { body: { upload_id: other, mapping } })
  expect(checked.problems.refused).toMatchObject([{ outcome: outcome('row_time_unreadable'), rows: 1 }])
})

test('a file is read in the encoding that its bytes show, or in the one that was chosen', async () => {
  const adv_id = await anAdvertiser(app)
  // 编号,城市 and 北京 in GBK.
  const text = Buffer.concat([
    Buffer.from('id,'),
    Buffer.from('b3c7cad0', 'hex'),
    Buffer.from('\n1,'),
    Buffer.from('b1b1bea9', 'hex'),
    Buffer.from('\n'),
  ])
  const upload_id = await upload(app.admin, text)
  const shown = await app.admin.get(previewImport, { body: { upload_id } })
  expect(shown).toMatchObject({ encoding: 'gb18030', columns: ['id', '城市'], rows: [['1', '北京']] })
  const refused = await app.admin.call(previewImport, { body: { upload_id, encoding: 'utf-8' } })
  expect(refused.code).toBe(FAULTS.importUnreadable.code)
  const mapping: ImportMapping = { kind: 'users', id: 'id', identifiers: [], skip: [], encoding: 'gb18030' }
  await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
  const { attributes } = await app.admin.get(listFields, { query: { adv_id } })
  expect(attributes).toMatchObject([{ name: '城市', values: ['北京'] }])
})

test('a preview masks phones for a viewer who may not see them', async () => {
  const adv_id = await anAdvertiser(app)
  const ops = await app.viewer('运营', [adv_id])
  const upload_id = await upload(ops, FILE)
  const { rows } = await ops.get(previewImport, { body: { upload_id, kind: 'users' } })
  expect(rows.map(([, phone]) => phone)).toEqual(['138****0000', '12', '139****0000', ''])
})

test('the report of an earlier version keeps its sentences', async () => {
  const adv_id = await anAdvertiser(app)
  const upload_id = await upload(app.admin, FILE)
  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping: USERS } })
  await app.settled()
  const counts = { rows: 4, stored: 3, duplicate: 0, refused: 1, new_people: 3, took_ms: 1 }
  await app.stores.postgres.db
    .updateTable('import')
    .set({ report: JSON.stringify({ ...counts, reasons: [{ reason: '用户 ID 为空', rows: 1 }] }) })
    .where('id', '=', id)
    .execute()
  expect((await app.admin.get(getImport, { params: { id } })).report).toEqual({
    ...counts,
    reasons: [{ reason: '用户 ID 为空', outcome: outcome('legacy', { text: '用户 ID 为空' }), rows: 1 }],
    warnings: [],
  })
})

test('rows with the same cells under different columns are different rows', async () => {
  const adv_id = await anAdvertiser(app)
  const reports = []
  for (const column of ['is_vip', 'is_subscribed', 'is_vip']) {
    const upload_id = await upload(app.admin, `id,${column}\n1,yes\n2,no\n`)
    const mapping: ImportMapping = { kind: 'users', id: 'id', identifiers: [], skip: [] }
    const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
    await app.settled()
    reports.push((await app.admin.get(getImport, { params: { id } })).report)
  }
  expect(reports).toMatchObject([{ stored: 2 }, { stored: 2 }, { stored: 0, duplicate: 2 }])
  const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  const shown = data.map(({ tag, group }) => [tag, group?.map((one) => [one.tag, one.count])])
  const each = expect.arrayContaining([
    ['yes', 1],
    ['no', 1],
  ])
  expect(shown).toEqual(
    expect.arrayContaining([
      ['is_vip', each],
      ['is_subscribed', each],
    ]),
  )
})

test('a viewer of another advertiser cannot reach an upload, its import or its refused rows', async () => {
  const adv_id = await anAdvertiser(app)
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  const upload_id = await upload(app.admin, FILE)
  const theirs = { body: { upload_id, kind: 'users' as const } }
  expect((await stranger.call(previewImport, theirs)).code).toBe(FAULTS.notFound.code)
  expect((await stranger.call(startImport, { body: { adv_id, upload_id, mapping: USERS } })).code).toBe(
    FAULTS.notMember.code,
  )
  expect((await app.admin.call(previewImport, { body: { upload_id: '../secret.key', kind: 'users' } })).code).toBe(
    FAULTS.notFound.code,
  )
  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping: USERS } })
  await app.settled()
  expect((await stranger.call(getImport, { params: { id } })).code).toBe(FAULTS.notFound.code)
  const refused = await app.app.inject({ url: refusedRowsPath(id), headers: { cookie: stranger.cookie } })
  expect(refused.statusCode).toBe(404)
  const head = await app.app.inject({
    method: 'HEAD',
    url: `${UPLOAD_PATH}/${upload_id}`,
    headers: { cookie: stranger.cookie },
  })
  expect(head.statusCode).toBe(404)
  const foreign = await app.app.inject({ method: 'POST', url: UPLOAD_PATH, headers: { cookie: app.admin.cookie } })
  expect(foreign.json().code).toBe(FAULTS.foreignOrigin.code)
})

test('refused rows mask phones for viewers who may not see phones, except in their own uploads', async () => {
  const adv_id = await anAdvertiser(app)
  const maker = await app.viewer('maker', [adv_id])
  const member = await app.viewer('member', [adv_id])
  const lines = ['id,phone,note', ',13800001234,+86 139-0000-5678', ',x,1700000000', ',138000012345,13912345678']
  const upload_id = await upload(maker, lines.join('\n'))
  const { id } = await maker.get(startImport, { body: { adv_id, upload_id, mapping: USERS } })
  await app.settled()
  const seenBy = async ({ cookie }: Caller) =>
    (await app.app.inject({ url: refusedRowsPath(id), headers: { cookie } })).body
  expect(await seenBy(member)).toBe(
    [
      '\ufeffid,phone,note,原文件行号,未导入原因',
      ",138****1234,'+86 139****5678,2,用户 ID 为空",
      ',x,1700000000,3,用户 ID 为空',
      ',138000012345,139****5678,4,用户 ID 为空',
      '',
    ].join('\n'),
  )
  expect(await seenBy(app.admin)).toContain('13800001234')
  expect(await seenBy(maker)).toContain('13800001234')
})

test('a file of refused rows is imported as it is once they are mended, and what is not whole is refused again', async () => {
  const adv_id = await anAdvertiser(app)
  const imported = async (text: string) => {
    const upload_id = await upload(app.admin, text)
    const preview = await app.admin.get(previewImport, { body: { upload_id, adv_id, mapping: USERS } })
    const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping: USERS } })
    await app.settled()
    const { report } = await app.admin.get(getImport, { params: { id } })
    return { id, report, preview }
  }
  const lines = [
    'u1,13800000000,北京',
    ',13800000001,=上海',
    ",13800000002,'=广州",
    ',,-',
    'u5,x,"y"z',
    'u6,1',
    'u7,1,2,3',
  ]
  const { id } = await imported(`id,phone,=城市\n${lines.join('\n')}\n`)
  const refused = await app.app.inject({ url: refusedRowsPath(id), headers: { cookie: app.admin.cookie } })
  const [head, ...rows] = refused.body.trimEnd().split('\n')
  expect(head).toBe("\ufeffid,phone,'=城市,原文件行号,未导入原因")
  expect(rows).toEqual([
    ",13800000001,'=上海,3,用户 ID 为空",
    ",13800000002,''=广州,4,用户 ID 为空",
    ",,'-,5,用户 ID 为空",
    '"u5,x,""y""z",,,6（不完整）,引号位置不正确',
    'u6,1,,7（不完整）,列数与首行不一致：有 2 列，应为 3 列',
    'u7,1,2,3,8（不完整）,列数与首行不一致：有 4 列，应为 3 列',
  ])

  const mended = [head, ...rows.slice(0, 3).map((row, at) => `m${at}${row}`), ...rows.slice(3)]
  const again = await imported(`${mended.join('\n')}\n`)
  expect(again.preview).toMatchObject({ columns: ['id', 'phone', '=城市'] })
  expect(again.preview.rows.map((cells) => cells.at(2))).toEqual(['=上海', "'=广州", '-'])
  expect(again.report).toMatchObject({ rows: 6, stored: 3, duplicate: 0, refused: 3 })
  expect(again.report?.reasons).toMatchObject([{ outcome: { code: 'row_still_incomplete' }, rows: 3 }])
  // The same rows, once whole, are the same however they came.
  const whole = rows.slice(4, 5).map((row) => row.replace('7（不完整）', '7').replace('1,,', '1,深圳,'))
  expect((await imported(`${[head, ...whole].join('\n')}\n`)).report).toMatchObject({ stored: 1, refused: 0 })
  expect((await imported('id,phone,=城市\nu6,1,深圳\nm0,13800000001,=上海\n')).report).toMatchObject({
    ...{ stored: 0, duplicate: 2 },
  })
  const { live } = app.stores.warehouse
  expect(
    await live.acrossShards.query('SELECT count() AS n FROM person_row WHERE adv_id = {adv_id:UInt32}', { adv_id }),
  ).toEqual([{ n: 5 }])
})

test('a mapping that does not match the file is refused at once', async () => {
  const adv_id = await anAdvertiser(app)
  const upload_id = await upload(app.admin, FILE)
  const answer = await app.admin.call(startImport, { body: { adv_id, upload_id, mapping: { ...USERS, id: 'uid' } } })
  expect(answer).toMatchObject({
    code: FAULTS.importMapping.code,
    msg: '列映射不正确：文件中没有列「uid」，有：id、phone、city',
    outcome: outcome('fault', {
      fault: 'importMapping',
      words: {},
      cause: outcome('import_column_missing', { name: 'uid', columns: ['id', 'phone', 'city'], more: false }),
    }),
  })
})

test('a file whose name is too long is refused before any byte is sent', async () => {
  const refused = await beginUpload(app, app.admin, 10, `${'a'.repeat(249)}.csv.gz`)
  expect([refused.status, await refused.json()]).toMatchObject([400, { msg: '文件名不能超过 255 个字符' }])
  expect((await beginUpload(app, app.admin, 10, `${'a'.repeat(248)}.csv.gz`)).status).toBe(201)
})

test('a file named .parquet that is not Parquet is refused', async () => {
  const adv_id = await anAdvertiser(app)
  const upload_id = await upload(app.admin, FILE, 'people.parquet')
  const refusal = {
    code: FAULTS.importUnreadable.code,
    msg: '文件无法读取：文件不是 Parquet 格式，或已损坏',
    outcome: { params: { cause: outcome('file_not_parquet') } },
  }
  expect(await app.admin.call(previewImport, { body: { upload_id, kind: 'users' } })).toMatchObject(refusal)
  expect(await app.admin.call(startImport, { body: { adv_id, upload_id, mapping: USERS } })).toMatchObject(refusal)
})

test('NDJSON keys that occur only in refused rows do not become attributes or properties', async () => {
  const adv_id = await anAdvertiser(app)
  const rows = [
    { id: '1', city: '北京', event: 'buy', time: '2026-01-01', price: 3 },
    { id: '', nobody: 'x', event: 'buy', time: '2026-01-01' },
    { id: '2', unkept: 'x', mark: '\u0000', event: 'buy', time: '2026-01-01' },
  ]
  const file = rows.map((row) => JSON.stringify(row)).join('\n')
  const mappings: ImportMapping[] = [
    { kind: 'users', id: 'id', identifiers: [], skip: ['event', 'time'] },
    { kind: 'events', id: 'id', event: 'event', time: 'time', skip: [] },
  ]
  for (const mapping of mappings) {
    const upload_id = await upload(app.admin, file, 'people.ndjson')
    const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
    await app.settled()
    expect((await app.admin.get(getImport, { params: { id } })).report).toMatchObject({ stored: 1, refused: 2 })
  }
  const { attributes, events } = await app.admin.get(listFields, { query: { adv_id } })
  expect(attributes.map(({ name }) => name)).toEqual(['city', 'price'])
  expect(events).toMatchObject([{ name: 'buy', properties: ['city', 'price'] }])
})

test('NDJSON keys that are not valid text are stored as valid text', async () => {
  const adv_id = await anAdvertiser(app)
  const upload_id = await upload(app.admin, '{"id":"1","\\ud800":"a"}\n{"id":"2","\\ud801":"b"}', 'people.ndjson')
  const mapping: ImportMapping = { kind: 'users', id: 'id', identifiers: [], skip: [] }
  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
  expect((await app.admin.get(getImport, { params: { id } })).report).toMatchObject({ stored: 2 })
  const { attributes } = await app.admin.get(listFields, { query: { adv_id } })
  expect(attributes).toMatchObject([{ name: '\ufffd', distinct: 2 }])
})

test('a truncated file fails with a sentence, and none of its rows count', async () => {
  const adv_id = await anAdvertiser(app)
  const lines = Array.from({ length: 50_000 }, (_, i) => `${i},,city ${i * 7919}`).join('\n')
  const whole = gzipSync(`id,phone,city\n${lines}`)
  const upload_id = await upload(app.admin, whole.subarray(0, whole.length - 100), 'people.csv.gz')
  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping: USERS } })
  await app.settled()
  const row = await app.admin.get(getImport, { params: { id } })
  expect(row).toMatchObject({ status: 'failed', error: '文件无法读取：压缩文件不完整或已损坏', report: null })
  const [left] = await app.stores.warehouse.load.acrossShards.query(
    `SELECT (SELECT count() FROM person_key) AS people, (SELECT count() FROM system.tables WHERE name LIKE 'import\\_%') AS tables`,
  )
  expect(left).toEqual({ people: 0, tables: 0 })
})

test('concurrent imports of one advertiser number people without gaps', async () => {
  const adv_id = await anAdvertiser(app)
  const ids: number[] = []
  for (let part = 0; part < 3; part++) {
    const lines = Array.from({ length: 1000 }, (_, i) => `${part * 500 + i},,city${part}`).join('\n')
    const upload_id = await upload(app.admin, `id,phone,city\n${lines}`)
    ids.push((await app.admin.get(startImport, { body: { adv_id, upload_id, mapping: USERS } })).id)
  }
  await app.settled()
  const reports = await Promise.all(ids.map((id) => app.admin.get(getImport, { params: { id } })))
  expect(reports.map((row) => row.status)).toEqual(['done', 'done', 'done'])
  expect(reports.reduce((sum, row) => sum + (row.report?.new_people ?? 0), 0)).toBe(2000)
  const [people] = await app.stores.warehouse.load.acrossShards.query(
    'SELECT count() AS n, uniqExact(one_id) AS ids, min(uid) AS first, max(uid) AS last FROM person_key',
  )
  expect(people).toEqual({ n: 2000, ids: 2000, first: 1, last: 2000 })
})

test('the command lists the advertisers when the given one is unknown, and prints the report', async () => {
  await anAdvertiser(app, '甲')
  const path = join(app.stores.settings.dataDir, 'people.csv')
  writeFileSync(path, FILE)
  const printed: string[] = []
  const run = (...argv: string[]) =>
    importUsers.run(
      app,
      { argv: [path, '--id', 'id', ...argv], cwd: '/', signal: new AbortController().signal },
      { progress: () => {}, print: (line) => printed.push(line) },
    )
  await expect(run('--advertiser', '乙')).rejects.toThrow('广告主「乙」不存在。已有广告主：甲')
  await expect(run('--advertiser', ' ', '--create-advertiser')).rejects.toThrow('请输入广告主名称')
  await expect(run('--advertiser', '长'.repeat(61), '--create-advertiser')).rejects.toThrow('最多 60 个字符')
  await run('--advertiser', ' 乙 ', '--create-advertiser', '--phone', 'phone')
  expect(printed[0]).toBe('共 4 行 = 入库 3 + 重复 0 + 拒绝 1')
  const refused = printed.at(-1)?.split('：')[1] ?? ''
  expect(readFileSync(refused, 'utf8')).toContain('4,用户 ID 为空')
  expect(existsSync(path)).toBe(true)
})

test('a viewer may have 20 unused files and 20 GB', async () => {
  const begin = (caller: Caller, bytes: number) =>
    app.app.inject({
      method: 'POST',
      url: UPLOAD_PATH,
      headers: {
        cookie: caller.cookie,
        'sec-fetch-site': 'same-origin',
        'tus-resumable': '1.0.0',
        'upload-length': String(bytes),
      },
    })
  const greedy = await app.viewer('greedy', [])
  const large = 5 * 1024 ** 3
  for (let n = 0; n < 4; n++) expect((await begin(greedy, large)).statusCode).toBe(201)
  const refused = await begin(greedy, 1)
  expect(refused.statusCode, refused.body).toBe(400)
  expect(refused.json().msg).toBe('未使用的上传（人群文件与导入文件合计）不能超过 20 GB，请先提交、导入或删除其中一些')
  const other = await app.viewer('other', [])
  for (let n = 0; n < 20; n++) expect((await begin(other, 10)).statusCode).toBe(201)
  const tooMany = await begin(other, 10)
  expect(tooMany.statusCode).toBe(400)
  expect(tooMany.json().msg).toBe('已上传而未导入的文件过多，请先导入或取消其中一些')
  expect((await begin(app.admin, 10)).statusCode).toBe(201)
})

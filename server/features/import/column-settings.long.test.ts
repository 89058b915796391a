import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { getImport, type ImportMapping, listImports, previewImport, startImport } from '#contract/import.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { getAttribute, getEvent, getPropertyValues, updateAttribute } from '#contract/tag-field.ts'
import { importEvents, importUsers } from '../../commands/import.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'

const app = await testApp()
afterAll(() => app.close())
let adv_id: number
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app, '新店')
  await app.settled()
})

const USERS = { kind: 'users' as const, id: 'id', identifiers: [], skip: [] }
const EVENTS = { kind: 'events' as const, id: 'id', event: 'event', time: 'time', skip: [] }
async function imported(text: string, mapping: ImportMapping) {
  const upload_id = await uploadTo(app, app.admin, text, 'file.csv')
  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
  const row = await app.admin.get(getImport, { params: { id } })
  expect(row).toMatchObject({ status: 'done', error: null })
  return row.report
}
async function previewed(text: string, mapping: ImportMapping) {
  const upload_id = await uploadTo(app, app.admin, text, 'file.csv')
  return app.admin.get(previewImport, { body: { upload_id, mapping, adv_id } })
}
const attribute = (name: string) => app.admin.get(getAttribute, { query: { adv_id, name } })
async function tree() {
  const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  return Object.fromEntries(
    data.map(({ tag, group = [] }) => [tag, group.map((one) => `${one.tag} ${one.count}`).toSorted()]),
  )
}
const rows = (count: number, line: (n: number) => string, head: string) =>
  `${head}\n${Array.from({ length: count }, (_, n) => line(n)).join('\n')}\n`

const SEX = {
  column: 's',
  name: 'sex',
  display_name: '性别',
  dictionary: [
    { value: '0', label: '男' },
    { value: '1', label: '女' },
  ],
}

test('columns are stored and shown under the names of the mapping, and another mapping is another row', async () => {
  const text = rows(30, (n) => `u${n},${n % 2},${n}`, 'id,s,code')
  const mapping = { ...USERS, fields: [SEX, { column: 'code', type: 'text' as const }] }
  expect(await imported(text, mapping)).toMatchObject({ stored: 30, warnings: [] })
  expect(await tree()).toMatchObject({ 性别: ['女 15', '男 15'], code: ['有值 30'] })
  expect(await attribute('sex')).toMatchObject({ display_name: '性别', named: 2, is_type_fixed: false })
  expect(await attribute('code')).toMatchObject({ type: 'text', is_type_fixed: true })
  expect(await imported(text, mapping)).toMatchObject({ stored: 0, duplicate: 30 })
  // Without the new name the column is another attribute.
  expect(await imported(text, USERS)).toMatchObject({ stored: 30 })
  expect(await tree()).toMatchObject({ s: ['0 15', '1 15'] })
})

test('two columns under one name, and settings of a column that the file lacks, are refused', async () => {
  const upload_id = await uploadTo(app, app.admin, 'id,a,b\n1,2,3\n', 'file.csv')
  const start = (fields: object[]) =>
    app.admin.call(startImport, { body: { adv_id, upload_id, mapping: { ...USERS, fields } as never } })
  expect(await start([{ column: 'a', name: 'b' }])).toMatchObject({
    msg: '列映射不正确：两列都存为属性「b」，请改用不同的名称',
  })
  expect(await start([{ column: 'c', name: 'd' }])).toMatchObject({ status: 400 })
  expect(await start([{ column: 'a', type: 'money' }])).toMatchObject({ status: 400 })
})

test('values that are not of their column’s type are counted before and after the import', async () => {
  const text = rows(
    40,
    (n) => `u${n},${n === 7 ? '不详' : n},${n < 2 ? '昨天' : `2026-01-${10 + (n % 10)}`},${n}`,
    'id,age,day,word',
  )
  const mapping = {
    ...USERS,
    fields: [
      { column: 'age', type: 'number' as const },
      { column: 'word', type: 'date' as const },
    ],
  }
  const age = { code: 'value_not_of_type', params: { column: 'age', type: 'number' } }
  const day = { code: 'value_unlike_others', params: { column: 'day', type: 'date' } }
  const word = { code: 'value_not_of_type', params: { column: 'word', type: 'date' } }
  const counted = [
    { outcome: word, rows: 40 },
    { outcome: day, rows: 2 },
    { outcome: age, rows: 1, reason: '「age」的值不是数字，只计入「有值」' },
  ]
  const { problems, lines } = await previewed(text, mapping)
  expect(problems.warnings).toMatchObject(counted)
  // The header is line 1.
  expect(problems.warnings.map((one) => one.lines)).toEqual([[2, 3, 4, 5, 6], [2, 3], [9]])
  expect(lines[7]?.warnings).toMatchObject([
    { column: 'age', outcome: age },
    { column: 'word', outcome: word },
  ])
  const report = await imported(text, mapping)
  const warned = report?.warnings.toSorted((a, b) => b.rows - a.rows)
  expect(warned).toMatchObject(counted)
  expect(warned?.map((one) => one.data_rows)).toEqual([[1, 2, 3, 4, 5], [1, 2], [8]])
  expect(await attribute('day')).toMatchObject({ type: 'text' })

  // The next file has the type that was settled, without being told again.
  expect((await previewed('id,age\nu900,未知\n', USERS)).problems.warnings).toMatchObject([{ outcome: age, rows: 1 }])
  expect((await imported('id,age\nu900,未知\n', USERS))?.warnings).toMatchObject([{ outcome: age, rows: 1 }])
  await app.admin.get(updateAttribute, { body: { adv_id, name: 'age', type: 'text' } })
  await app.settled()
  expect((await imported('id,age\nu901,未知\n', USERS))?.warnings).toEqual([])
})

test('a word among numbers that were guessed says before and after that the whole column becomes text', async () => {
  await imported(
    rows(40, (n) => `u${n},${n}`, 'id,age'),
    USERS,
  )
  const outcome = { code: 'value_unlike_others', params: { column: 'age', type: 'number' } }
  expect((await previewed('id,age\nu900,未知\n', USERS)).problems.warnings).toMatchObject([{ outcome, rows: 1 }])
  expect((await imported('id,age\nu900,未知\n', USERS))?.warnings).toMatchObject([{ outcome, rows: 1 }])
  expect(await attribute('age')).toMatchObject({ type: 'text' })
})

test('a file that only repeats stored rows settles its columns too', async () => {
  const text = rows(30, (n) => `u${n},${n % 2},${n * 1000}`, 'id,sex,spent')
  await imported(text, USERS)
  expect(await tree()).toMatchObject({ sex: ['0 15', '1 15'] })
  const mapping = { ...USERS, fields: [{ ...SEX, column: 'sex' }] }
  expect(await imported(text, mapping)).toMatchObject({ stored: 0, duplicate: 30 })
  expect(await attribute('sex')).toMatchObject({ display_name: '性别', named: 2 })
  expect(await tree()).toMatchObject({ 性别: ['女 15', '男 15'] })
})

test('another type of a column takes the ranges of the type before away', async () => {
  const text = rows(300, (n) => `u${n},${n * 1000}`, 'id,spent')
  await imported(text, USERS)
  expect((await tree()).spent?.length).toBeGreaterThan(2)
  const mapping = { ...USERS, fields: [{ column: 'spent', type: 'text' as const }] }
  await imported(`${text}u900,12\n`, mapping)
  expect(await attribute('spent')).toMatchObject({ type: 'text' })
  expect((await tree()).spent).toEqual(['有值 301'])
})

test('the same of properties of events', async () => {
  const dictionary = [{ value: '0', label: '不要钱' }]
  const text = rows(30, (n) => `u${n},pay,2026-01-02,${n === 3 ? '免费' : n},${n}`, 'id,event,time,p,n')
  const mapping = {
    ...EVENTS,
    fields: [{ column: 'p', name: 'price', display_name: '金额', type: 'number' as const, dictionary }],
  }
  const warning = { outcome: { code: 'value_not_of_type', params: { column: 'price', type: 'number' } }, rows: 1 }
  expect((await previewed(text, mapping)).problems.warnings).toMatchObject([warning])
  expect((await imported(text, mapping))?.warnings).toMatchObject([{ ...warning, data_rows: [] }])
  const { properties } = await app.admin.get(getEvent, { query: { adv_id, name: 'pay' } })
  expect(properties).toEqual([
    { name: 'price', display_name: '金额', type: 'number', is_type_fixed: true, named: 1 },
    { name: 'n', display_name: 'n', type: 'number', is_type_fixed: false, named: 0 },
  ])
  const of = { adv_id, name: 'pay', property: 'price' }
  expect((await app.admin.get(getPropertyValues, { query: of })).dictionary).toMatchObject(dictionary)
})

test('a preview by another advertiser’s types is refused', async () => {
  const caller = await app.viewer('other', [await anAdvertiser(app)])
  const upload_id = await uploadTo(app, caller, 'id,a\n1,2\n', 'file.csv')
  expect(await caller.call(previewImport, { body: { upload_id, adv_id } })).toMatchObject({ status: 403 })
})

test('the command line settles columns too', async () => {
  const report = { progress: () => {}, print: () => {} }
  const typed = async (command: typeof importUsers, content: string, ...words: string[]) => {
    writeFileSync(join(app.stores.settings.dataDir, 'typed.csv'), content)
    const argv = ['typed.csv', '--advertiser', '新店', '--id', 'id', ...words]
    await command.run(app, { argv, cwd: app.stores.settings.dataDir, signal: new AbortController().signal }, report)
    await app.settled()
  }
  const users = rows(20, (n) => `u${n},${n % 2}`, 'id,s')
  const labels = ['--label', 's=0=男', '--label', 's=1=女']
  await typed(importUsers, users, '--rename', 's=sex', '--display', 's=性别', '--type', 's=text', ...labels)
  expect(await tree()).toMatchObject({ 性别: ['女 10', '男 10'] })
  expect(await attribute('sex')).toMatchObject({ type: 'text', is_type_fixed: true, display_name: '性别' })
  await typed(
    importEvents,
    'id,event,time,p\nu1,pay,2026-01-02,3\n',
    '--event',
    'event',
    '--time',
    'time',
    '--display',
    'p=金额',
    '--label',
    'p=3=三元',
  )
  expect((await app.admin.get(getEvent, { query: { adv_id, name: 'pay' } })).properties).toMatchObject([
    { display_name: '金额', named: 1 },
  ])
  for (const wrong of [
    ['--rename', 's'],
    ['--type', 's=money'],
    ['--label', 's=0'],
    ['--display', 's='],
  ]) {
    await expect(typed(importUsers, users, ...wrong)).rejects.toThrow(/不正确/)
  }
})

test('phones in a dictionary of a mapping are masked for those who may not see phones', async () => {
  const dictionary = [{ value: '13800138000', label: '老张 13900139000' }]
  await imported(
    rows(3, (n) => `u${n},13800138000`, 'id,s'),
    { ...USERS, fields: [{ column: 's', dictionary }] },
  )
  const shownTo = async (caller: typeof app.admin) => {
    const { list } = await caller.get(listImports, { query: { adv_id } })
    const one = await caller.get(getImport, { params: { id: list[0]?.id ?? 0 } })
    expect(list[0]?.mapping).toEqual(one.mapping)
    return one.mapping
  }
  expect(await shownTo(app.admin)).toMatchObject({ fields: [{ column: 's', dictionary }] })
  expect(await shownTo(await app.viewer('no phones', [adv_id]))).toMatchObject({
    fields: [{ column: 's', dictionary: [{ value: '138****8000', label: '老张 139****9000' }] }],
  })
})

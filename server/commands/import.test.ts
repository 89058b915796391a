import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { listAdvertiserData, renameAdvertiser } from '#contract/advertiser.ts'
import { listImports } from '#contract/import.ts'
import { openRule } from '#contract/rule-crowd.ts'
import { listTasks } from '#contract/task.ts'
import { anAdvertiser } from '../testing/builders.ts'
import { testApp } from '../testing/test-app.ts'
import { importUsers } from './import.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())

const PEOPLE = `id,city\n${Array.from({ length: 50_000 }, (_, i) => `${i},city ${i * 7919}`).join('\n')}`

function file(name: string, content: string | Buffer): string {
  const path = join(app.stores.settings.dataDir, name)
  writeFileSync(path, content)
  return path
}
const good = () => file('good.csv', 'id,city\n1,北京\n2,上海\n')
/** Only the beginning is readable, so the import fails after it has started. */
const cutShort = () => file('short.csv.gz', gzipSync(PEOPLE).subarray(0, -100))

/** 北京 and 上海 in GB18030. */
const GB18030 = Buffer.concat([
  Buffer.from('id,city\n1,'),
  Buffer.from([0xb1, 0xb1, 0xbe, 0xa9]),
  Buffer.from('\n2,'),
  Buffer.from([0xc9, 0xcf, 0xba, 0xa3, 0x0a]),
])

const run = (path: string, ...more: string[]) =>
  importUsers.run(
    app,
    {
      argv: [path, '--id', 'id', '--advertiser', '新店', '--create-advertiser', ...more],
      cwd: '/',
      signal: new AbortController().signal,
    },
    { progress: () => {}, print: () => {} },
  )
const advertisers = async () => {
  await app.settled()
  return (await app.admin.get(listAdvertiserData)).list.map(({ name, people }) => [name, people])
}
const FAULT = '文件无法读取：压缩文件不完整或已损坏'

test('a failed import leaves nothing, not even the advertiser that it created', async () => {
  await expect(run(cutShort())).rejects.toThrow(FAULT)
  expect(await advertisers()).toEqual([])
  expect(await app.admin.get(listImports)).toMatchObject({ total: 0 })
  expect(await app.admin.get(listTasks)).toMatchObject({ list: [] })
  await run(good())
  expect(await advertisers()).toEqual([['新店', 2]])
})

test('an advertiser that existed before stays', async () => {
  await anAdvertiser(app, '新店')
  await expect(run(cutShort())).rejects.toThrow(FAULT)
  expect(await advertisers()).toEqual([['新店', 0]])
})

test('words that give no mapping are refused with one sentence', async () => {
  await expect(run(good(), '--skip', '')).rejects.toThrow(/^参数「skip.0」不能为空$/)
  expect(await advertisers()).toEqual([])
})

const cities = async () => {
  const { db } = app.stores.postgres
  const rows = await db.selectFrom('attribute').select('values').where('name', '=', 'city').execute()
  return rows.flatMap(({ values }) => values).toSorted()
}

test.each([
  ['gb18030', ['--encoding', 'gb18030'], ['上海', '北京']],
  ['auto', ['--encoding', 'auto'], ['上海', '北京']],
  ['nothing, which is auto', [], ['上海', '北京']],
  ['GB18030 in capitals', ['--encoding', 'GB18030'], ['上海', '北京']],
])('a file is read in the encoding that was typed: %s', async (_, words, expected) => {
  await run(file('gbk.csv', GB18030), ...words)
  await app.settled()
  expect(await cities()).toEqual(expected)
})

test('an encoding that was typed wins over what the bytes look like, and an unknown one is refused', async () => {
  await expect(run(file('gbk.csv', GB18030), '--encoding', 'utf-8')).rejects.toThrow(/文件不是 UTF-8 编码（第 2 行）/)
  await expect(run(good(), '--encoding', 'latin1')).rejects.toThrow(
    /^--encoding latin1 不正确：可以是 auto、utf-8、gb18030、/,
  )
})

test('when two simultaneous imports create one advertiser, the failure of one does not affect the other', async () => {
  const [short, whole] = await Promise.allSettled([run(cutShort()), run(good())])
  expect(short).toMatchObject({ status: 'rejected', reason: { message: FAULT } })
  expect(whole).toMatchObject({ status: 'fulfilled' })
  expect(await advertisers()).toEqual([['新店', 2]])
})

test.each([
  ['began a rule', (id: number) => app.admin.get(openRule, { body: { advId: id } })],
  ['renamed it', (id: number) => app.admin.get(renameAdvertiser, { params: { id }, body: { name: '旧店' } })],
  ['made a member of it', (id: number) => app.viewer('member', [id])],
])('the advertiser stays if somebody %s meanwhile', async (_, doSomething) => {
  const id = await anAdvertiser(app, '新店')
  await doSomething(id)
  expect(await app.services.advertisers.takeBack(id, null)).toBe(false)
  expect(await advertisers()).toHaveLength(1)
})

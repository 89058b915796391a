import { createHash } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { getCustomQuota } from '#contract/audience.ts'
import {
  addCustomCrowd,
  getCustomCrowd,
  listCrowdFiles,
  listCrowdLogs,
  listCustomCrowds,
  malformedPath,
  moveCustomCrowds,
  restoreCrowdVersion,
  updateCustomCrowd,
} from '#contract/custom-crowd.ts'
import { createCustomFolder } from '#contract/custom-folder.ts'
import { FAULTS } from '#contract/errors.ts'
import { canonicalLine, type IdentifierType } from '#contract/identifier.ts'
import { lineFault } from '#contract/line-fault.ts'
import { outcome } from '#contract/outcome.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { aChild, aCustomCrowd, anAccount, type GivenFile, uploaded } from '../../testing/custom-crowds.ts'
import { SOCIAL, VIDEO } from '../../testing/platforms.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())
const { db } = app.stores.postgres

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const imeis = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => md5(`imei ${from + i}`))
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

/** The expected report, computed line by line. */
function slowly(type: IdentifierType, files: readonly GivenFile[]) {
  const seen = new Set<string>()
  const reports = files.map(({ content }) => {
    const report = { line_count: 0, valid_count: 0, duplicate: 0, malformed: 0 }
    const lines = String(content).split('\n')
    if (lines.at(-1) === '') lines.pop()
    for (const line of lines) {
      report.line_count++
      const value = canonicalLine(type, line)
      if (lineFault(type, line)) report.malformed++
      else if (seen.has(value)) report.duplicate++
      else report.valid_count++
      if (!lineFault(type, line)) seen.add(value)
    }
    return report
  })
  return { reports, values: seen }
}

const update = (id: number, operation_type: 1 | 2, files: readonly GivenFile[]) =>
  uploaded(app, app.admin, files).then((given) =>
    app.admin.call(updateCustomCrowd, { body: { id, operation_type, files: given } }),
  )
const get = (id: number) => app.admin.get(getCustomCrowd, { query: { id } })
const filesOf = async (id: number) =>
  (await app.admin.get(listCrowdFiles, { query: { id, page_size: 50 } })).files.toSorted((a, b) => a.id - b.id)
const logsOf = async (id: number) => (await app.admin.get(listCrowdLogs, { query: { id, page_size: 50 } })).list
const code = (answer: { code: number }) => answer.code

const MIXED: GivenFile[] = [
  { name: 'a.txt', content: text([...imeis(0, 300), 'zzz', '', ...imeis(100, 120), md5('x').toUpperCase()]) },
  { name: 'b.csv', content: `\uFEFF${imeis(250, 400).join('\r\n')}\r\nshort\r\n"${md5('quoted')}"` },
]

describe('from the upload to the available crowd', () => {
  test('counts of each file and of the version equal a line-by-line count', async () => {
    const adv_id = await anAdvertiser(app)
    const id = await aCustomCrowd(app, adv_id, MIXED, { name: '双十一' })
    expect((await get(id)).crowd).toMatchObject({ status: 'computing', user_count: null, matched: null })
    await app.settled()
    const { reports, values } = slowly('HASH_IMEI', MIXED)
    const { crowd, funnel } = await get(id)
    expect(crowd).toMatchObject({
      status: 'available',
      user_count: values.size,
      matched: 0,
      cnt_type: [SOCIAL, VIDEO],
      reason: null,
    })
    expect(await filesOf(id)).toMatchObject(reports.map((report) => ({ ...report, status: 'done', error: null })))
    const sum = (key: 'line_count' | 'malformed' | 'duplicate' | 'valid_count') =>
      reports.reduce((total, report) => total + report[key], 0)
    expect(crowd.invalid_share).toBeCloseTo(sum('malformed') / sum('line_count'), 12)
    expect(funnel).toMatchObject({
      lines: sum('line_count'),
      malformed: sum('malformed'),
      duplicate: sum('duplicate'),
      valid: sum('valid_count'),
      repeated: 0,
      removed: 0,
      unique: values.size,
    })
    expect(await logsOf(id)).toMatchObject([
      {
        op_type: 1,
        original_files: [{ name: 'a.txt' }, { name: 'b.csv' }],
        version: { no: 1, status: 'done', is_current: true },
      },
    ])
    // The uploads are removed after the job has ended.
    await expect.poll(() => db.selectFrom('upload').selectAll().execute(), { timeout: 10_000 }).toEqual([])
  })

  test('an unreadable file fails alone; a version with no readable file fails', async () => {
    const adv_id = await anAdvertiser(app)
    const good = { name: 'good.txt', content: text(imeis(0, 5)) }
    const bad = { name: 'bad.zip', content: 'no archive at all' }
    const half = await aCustomCrowd(app, adv_id, [bad, good])
    const none = await aCustomCrowd(app, adv_id, [bad])
    await app.settled()
    expect((await get(half)).crowd).toMatchObject({ status: 'available', user_count: 5, unread_files: 1 })
    const [broken, whole] = await filesOf(half)
    expect(broken).toMatchObject({ status: 'failed', line_count: null })
    expect(broken?.error_outcome).toEqual(outcome('archive_broken'))
    expect(broken?.error).toBe('压缩包已损坏或不完整，请重新压缩后上传')
    expect(whole).toMatchObject({ status: 'done', valid_count: 5 })
    const { crowd } = await get(none)
    expect(crowd).toMatchObject({ status: 'failed', user_count: null })
    expect(crowd.reason).toBe('没有可以读取的文件：bad.zip：压缩包已损坏或不完整，请重新压缩后上传')
    expect(crowd.reason_outcome).toMatchObject({
      params: {
        fault: 'customUnreadable',
        cause: outcome('crowd_files_unreadable', {
          files: [{ name: 'bad.zip', cause: outcome('archive_broken') }],
          total: 1,
        }),
      },
    })
    expect(await app.admin.call(updateCustomCrowd, { body: { id: none, name: '改名' } })).toMatchObject({
      code: FAULTS.customNotEditable.code,
    })
    const files = await uploaded(app, app.admin, [good])
    await app.admin.get(updateCustomCrowd, { body: { id: half, operation_type: 1, files } })
    await app.settled()
    expect((await get(half)).crowd).toMatchObject({ status: 'available', unread_files: 0 })
  })

  test('only members can download malformed lines, under both spellings of the path', async () => {
    const adv_id = await anAdvertiser(app)
    const id = await aCustomCrowd(app, adv_id, MIXED)
    await app.settled()
    const [file] = await filesOf(id)
    const path = malformedPath(file?.id ?? 0)
    const download = (url: string, cookie: string) => app.app.inject({ method: 'GET', url, headers: { cookie } })
    for (const url of [path, path.replace('/api', '')]) {
      const answer = await download(url, app.admin.cookie)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-disposition']).toContain(encodeURIComponent('无效行'))
      expect(answer.body).toContain('zzz')
      expect(answer.body).toContain('301')
    }
    const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
    expect((await download(path, stranger.cookie)).statusCode).toBe(404)
    expect((await download(path, '')).statusCode).toBe(401)
  })
})

describe('versions', () => {
  test('append, remove and restore give the sizes, counts and funnel that set arithmetic gives', async () => {
    const adv_id = await anAdvertiser(app)
    const id = await aCustomCrowd(app, adv_id, [{ name: '1.txt', content: text(imeis(0, 100)) }])
    await app.settled()
    expect(code(await update(id, 1, [{ name: '2.txt', content: text(imeis(50, 180)) }]))).toBe(0)
    await app.settled()
    expect((await get(id)).crowd.user_count).toBe(180)
    expect(code(await update(id, 2, [{ name: '3.txt', content: text(imeis(170, 300)) }]))).toBe(0)
    await app.settled()
    const { crowd, funnel } = await get(id)
    expect(crowd.user_count).toBe(170)
    expect(funnel).toMatchObject({ lines: 230, valid: 230, repeated: 50, removed: 10, unique: 170 })
    expect(await app.admin.get(restoreCrowdVersion, { body: { id, version: 2 } })).toEqual({ version: 4 })
    await app.settled()
    expect((await get(id)).funnel).toMatchObject({ lines: 230, repeated: 50, removed: 0, unique: 180 })
    expect(code(await update(id, 1, [{ name: '5.txt', content: text(imeis(175, 200)) }]))).toBe(0)
    await app.settled()
    expect((await get(id)).funnel).toMatchObject({ lines: 255, repeated: 55, unique: 200 })
    expect(
      (await logsOf(id)).map((log) => [log.op_type, log.operation_type, log.version?.size, log.version?.can_restore]),
    ).toEqual([
      [2, 1, 200, false],
      [2, null, 180, true],
      [2, 2, 170, true],
      [2, 1, 180, true],
      [1, null, 100, true],
    ])
    for (const version of [5, 9, 2 ** 31]) {
      expect(await app.admin.call(restoreCrowdVersion, { body: { id, version } })).toMatchObject({
        code: FAULTS.customVersionGone.code,
      })
    }
  })

  test('of two concurrent updates one is refused because the other is being computed', async () => {
    const adv_id = await anAdvertiser(app)
    const id = await aCustomCrowd(app, adv_id, [{ name: '1.txt', content: text(imeis(0, 10)) }])
    await app.settled()
    const answers = await Promise.all(
      [1, 2, 3].map((n) => update(id, 1, [{ name: `${n}.txt`, content: text(imeis(n * 10, n * 10 + 10)) }])),
    )
    expect(answers.map(code).sort()).toEqual([0, FAULTS.customNotEditable.code, FAULTS.customNotEditable.code])
    await app.settled()
    expect((await get(id)).crowd.user_count).toBe(20)
  })

  test('a failed update leaves the version in force and can be retried', async () => {
    const adv_id = await anAdvertiser(app)
    const id = await aCustomCrowd(app, adv_id, [{ name: '1.txt', content: text(imeis(0, 10)) }])
    await app.settled()
    await update(id, 1, [{ name: 'bad.zip', content: 'no archive' }])
    await app.settled()
    const { crowd, funnel } = await get(id)
    expect(crowd).toMatchObject({ status: 'available', user_count: 10 })
    expect(crowd.reason).toBe('没有可以读取的文件：bad.zip：压缩包已损坏或不完整，请重新压缩后上传')
    expect(crowd.reason_outcome).toMatchObject({
      params: {
        fault: 'customUnreadable',
        cause: outcome('crowd_files_unreadable', {
          files: [{ name: 'bad.zip', cause: outcome('archive_broken') }],
          total: 1,
        }),
      },
    })
    expect(funnel.unique).toBe(10)
    expect((await logsOf(id))[0]?.version).toMatchObject({ no: 2, status: 'failed', can_restore: false })
    await update(id, 1, [{ name: '2.txt', content: text(imeis(5, 20)) }])
    await app.settled()
    expect((await get(id)).crowd).toMatchObject({ user_count: 20, reason: null })
  })

  test('a crowd cannot be edited while a child is being computed', async () => {
    const adv_id = await anAdvertiser(app)
    const id = await aCustomCrowd(app, adv_id, [{ name: '1.txt', content: text(imeis(0, 10)) }])
    await app.settled()
    await aChild(app, id, await anAccount(app, adv_id, SOCIAL, '旗舰店'), SOCIAL, { status: 'computing' })
    expect(await app.admin.call(updateCustomCrowd, { body: { id, name: '改名' } })).toMatchObject({
      code: FAULTS.customNotEditable.code,
      msg: '子人群「旗舰店」正在计算中，不可编辑',
    })
  })
})

describe('invalid requests', () => {
  const body = { user_id_type: 'HASH_IMEI', name: '人群', dir_id: 1, adv_id: 1, files: [] as object[] }
  const file = { name: 'a.txt', size: 1, uri: 'x' }
  test.each([
    [{ files: [] }, '请上传文件'],
    [{ files: [{ ...file, uri: '' }] }, '包含未上传文件，请上传或删除后提交'],
    [{ files: [{ name: file.name, size: file.size }] }, '包含未上传文件，请上传或删除后提交'],
    [{ files: Array.from({ length: 21 }, () => file) }, '最多上传 20 个文件'],
    [
      { files: [{ ...file, hashed: { from: 'IMEI 明文', lines: 3, already: 2, malformed: 2 } }] },
      '浏览器加密的行数对不上',
    ],
    [{ files: [file], name: '' }, '请输入人群名称'],
    [{ files: [file], name: 'a'.repeat(31) }, '名称长度在 1 到 30 个字符'],
    [{ files: [file], name: '有 空格' }, '名称只支持中英文，数字，横杠，下划线'],
    [{ files: [file], dir_id: null }, '请选择存储路径'],
    [{ files: [file], user_id_type: '' }, '请选择数据类型'],
  ])('%j: %s', async (given, msg) => {
    expect(await app.admin.call(addCustomCrowd, { body: { ...body, ...given } as never })).toMatchObject({
      code: 2,
      msg,
    })
  })

  test.each([{ dir_id: 1 }, { id: [], dir_id: 1 }, { id: 'x', dir_id: 1 }])(
    'a move without crowds is refused: %j',
    async (given) => {
      expect(await app.admin.call(moveCustomCrowds, { body: given as never })).toMatchObject({ msg: '请选择文件' })
    },
  )

  test('a file listed twice in one submission is refused by its name, and can be submitted once afterwards', async () => {
    const adv_id = await anAdvertiser(app)
    const files = await uploaded(app, app.admin, [{ name: '两次.txt', content: text(imeis(0, 3)) }])
    const twice = { ...body, user_id_type: 'HASH_IMEI' as const, adv_id, files: [...files, ...files] }
    expect(await app.admin.call(addCustomCrowd, { body: twice })).toMatchObject({
      code: FAULTS.uploadRefused.code,
      msg: '「两次.txt」已在列表中',
    })
    expect(await app.admin.call(addCustomCrowd, { body: { ...twice, files } })).toMatchObject({ code: 0 })
  })

  test('an update must say how it changes the crowd', async () => {
    const adv_id = await anAdvertiser(app)
    const id = await aCustomCrowd(app, adv_id, [{ name: '1.txt', content: text(imeis(0, 3)) }])
    await app.settled()
    const files = await uploaded(app, app.admin, [{ name: '2.txt', content: text(imeis(0, 3)) }])
    const call = (given: object) => app.admin.call(updateCustomCrowd, { body: { id, ...given } })
    expect(await call({ files })).toMatchObject({ code: 2, msg: '请选择更新类型' })
    expect(await call({ operation_type: 3, files })).toMatchObject({ code: 2, msg: '请选择更新类型' })
    expect(await call({ operation_type: 1 })).toMatchObject({ code: 2, msg: '请上传文件' })
    expect(await call({})).toMatchObject({ code: FAULTS.customNothing.code })
  })

  test('an upload can be used only once', async () => {
    const adv_id = await anAdvertiser(app)
    const files = await uploaded(app, app.admin, [{ name: '1.txt', content: text(imeis(0, 3)) }])
    const add = (name: string) =>
      app.admin.call(addCustomCrowd, { body: { user_id_type: 'HASH_IMEI', name, dir_id: 1, adv_id, files } })
    expect(code(await add('一'))).toBe(0)
    expect(code(await add('一'))).toBe(FAULTS.nameTaken.code)
    expect(code(await add('二'))).not.toBe(0)
  })
})

describe('the list', () => {
  test('rows are a tree; all filters apply together', async () => {
    const one = await anAdvertiser(app, '甲')
    const other = await anAdvertiser(app, '乙')
    const file = [{ name: '1.txt', content: text(imeis(0, 3)) }]
    const { id: dir_id } = await app.admin.get(createCustomFolder, { body: { name: '春季' } })
    const a = await aCustomCrowd(app, one, file, { name: '春季-高价值' })
    const b = await aCustomCrowd(app, one, file, { name: '夏季', dir_id, user_id_type: 'HASH_QQ' })
    const c = await aCustomCrowd(app, other, [{ name: 'x.zip', content: 'none' }], { name: '春季_低价值' })
    await app.settled()
    const account = await anAccount(app, one, SOCIAL, '账户甲')
    const child = await aChild(app, a, account, SOCIAL, { status: 'frozen', audience_id: '9007199254740993' })
    const list = async (query: object) => {
      const { list: rows, total } = await app.admin.get(listCustomCrowds, { query })
      expect(total).toBe(rows.length)
      return rows.map((row) => row.id)
    }
    expect(await list({})).toEqual([c, b, a])
    expect(await list({ sort: 'created_at' })).toEqual([a, b, c])
    expect(await list({ name: '春季' })).toEqual([c, a])
    expect(await list({ name: '_' })).toEqual([c])
    expect(await list({ adv_id: one, status: 'available' })).toEqual([b, a])
    expect(await list({ status: 'frozen,failed' })).toEqual([c, a])
    expect(await list({ tag_id: '9007199254740993' })).toEqual([a])
    expect(await list({ tag_id: String(b) })).toEqual([b])
    expect(await list({ tag_id: '99999999999999999999' })).toEqual([])
    expect(await list({ dir_id })).toEqual([b])
    expect(await list({ created_at: `${now() + 10},${now() + 20}` })).toEqual([])
    expect(await list({ creator: '管理', name: '夏' })).toEqual([b])
    // The sign-in name is not shown, so it is not found either.
    expect(await list({ creator: 'admin' })).toEqual([])
    const { list: rows, total } = await app.admin.get(listCustomCrowds, { query: { page: 3, page_size: 1 } })
    expect([total, rows.map((row) => row.id)]).toEqual([3, [a]])
    expect(rows[0]?.audiences).toMatchObject([
      {
        id: child,
        is_children: true,
        cnt_id: a,
        adv_id: account,
        adv_name: '账户甲',
        status: 'frozen',
        tag_id: '9007199254740993',
        user_count: 5000,
      },
    ])
    expect((await get(b)).crowd.cnt_type).toEqual([1])
  })

  test('files are found by name, by time and by a child', async () => {
    const adv_id = await anAdvertiser(app)
    const id = await aCustomCrowd(app, adv_id, MIXED)
    await app.settled()
    const child = await aChild(app, id, await anAccount(app, adv_id, VIDEO), VIDEO, {})
    const files = async (query: object) =>
      (await app.admin.get(listCrowdFiles, { query: { id, ...query } })).files.map((file) => file.name)
    expect(await files({ name: 'A.' })).toEqual(['a.txt'])
    expect(await files({ op_at: `${now() - 60},${now() + 60}` })).toEqual(['b.csv', 'a.txt'])
    expect(await files({ op_at: `0,${now() - 60}` })).toEqual([])
    expect(await files({ id: child, cnt_type: VIDEO, page_size: 1, page: 2 })).toEqual(['a.txt'])
    expect(code(await app.admin.call(listCrowdFiles, { query: { id: child, cnt_type: SOCIAL } }))).toBe(
      FAULTS.notFound.code,
    )
  })

  test("an account's children count against its quota", async () => {
    const adv_id = await anAdvertiser(app)
    const id = await aCustomCrowd(app, adv_id, MIXED)
    await app.settled()
    const account = await anAccount(app, adv_id, VIDEO)
    await aChild(app, id, account, VIDEO)
    expect(await app.admin.get(getCustomQuota, { query: { adv_id: account, cnt_type: VIDEO } })).toEqual({
      used: 1,
      total: 500,
    })
    expect(code(await app.admin.call(getCustomQuota, { query: { adv_id: account, cnt_type: SOCIAL } }))).toBe(
      FAULTS.notFound.code,
    )
  })
})

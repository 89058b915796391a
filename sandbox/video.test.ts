import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Bench,
  dmpData,
  dmpLine,
  idItem,
  md5,
  type Row,
  STRANGER,
  sandboxForTest,
  sha256,
  VIDEO_ACCOUNTS,
  videoCaller,
  zip,
} from './testing.ts'

const [ACCOUNT, OTHER] = VIDEO_ACCOUNTS
const IMEI_MD5 = 4
const MOBILE = 6
const DAY = 86_400
const id = (text: string) => BigInt(text)
const adv = { advertiser_id: id(ACCOUNT) }
const hashes = (...from: number[]) => from.map((no) => md5(`imei${no}`))
let bench: Bench
let token = ''
let made = 0

beforeAll(async () => {
  bench = await sandboxForTest()
})
beforeEach(async () => {
  await bench.control('switches/reset')
  await bench.control('switches', { processing_seconds: 0, video_advertiser_qps: 0, video_application_qps: 0 })
  token = await bench.token('video', [ACCOUNT, OTHER])
})
afterAll(() => bench.close())

const caller = () => videoCaller(bench, () => token)

async function uploaded(files: Record<string, string>, account: string = ACCOUNT): Promise<string> {
  const content = await zip(files)
  const { code, data, message } = await caller().upload(account, content, { file_signature: md5(content) })
  expect({ code, message }).toEqual({ code: 0, message: 'OK' })
  return data.file_path
}
const sourceBody = (file_paths: readonly string[], more: object = {}) => ({
  ...adv,
  data_source_name: `数据源${++made}`,
  description: '说明',
  data_format: 0,
  file_storage_type: 0,
  file_paths,
  ...more,
})
const create = (file_paths: readonly string[], more: object = {}) =>
  caller().post('dmp/data_source/create/', sourceBody(file_paths, more))

/** A source of these lines, parsed. */
async function aSource(lines: string, more: object = {}): Promise<string> {
  const { data, message } = await create([await uploaded({ 'a.txt': lines })], more)
  expect(message).toBe('OK')
  await bench.control('settle')
  return data.data_source_id
}
async function sourceRow(source: string): Promise<Row & { change_logs: Row[]; default_audience?: Row }> {
  const { data } = await caller().get('dmp/data_source/read/', { ...adv, data_source_id_list: [source] })
  return data.data_list[0] as never
}
async function audienceRow(audience: unknown): Promise<Row> {
  const { data } = await caller().get('dmp/custom_audience/read/', { ...adv, custom_audience_ids: [audience] })
  return data.custom_audience_list[0] ?? {}
}
const anAudience = async (...from: number[]) =>
  (await sourceRow(await aSource(dmpLine(IMEI_MD5, hashes(...from))))).default_audience?.custom_audience_id as bigint
const valuesOf = async (source: unknown) =>
  ((await bench.look(`values?platform=video&audience_id=${source}`)) as { values: string[] }).values
const act = async (what: string, audience: unknown, more: object = {}) => {
  const answer = await caller().post(`dmp/custom_audience/${what}/`, { ...adv, custom_audience_id: audience, ...more })
  await bench.control('settle')
  return answer
}
const toOther = { target_advertiser_ids: [id(OTHER)] }

describe('what stands before every call', () => {
  const get = (headers: Record<string, string>, path = 'user/info/') =>
    fetch(`${bench.box.videoUrl}/open_api/2/${path}`, { headers }).then((response) => response.json())

  test.each([
    ['without a token', {}, 40104],
    ['an empty token', { 'access-token': '' }, 40104],
    ['an unknown token', { 'access-token': 'x'.repeat(40) }, 40104],
  ])('%s', async (_, headers, code) => {
    expect(await get(headers)).toMatchObject({ code, request_id: expect.stringMatching(/^\w{20,}$/) })
  })

  test('an old token, a withdrawn one, and a scope that is missing', async () => {
    expect(await get({ 'access-token': token })).toMatchObject({ code: 0, message: 'OK' })
    await bench.control('tokens/expire', { platform: 'video', account_id: ACCOUNT })
    expect(await get({ 'access-token': token })).toMatchObject({ code: 40102 })
    await bench.control('tokens/revoke', { platform: 'video', account_id: ACCOUNT })
    expect(await get({ 'access-token': token })).toMatchObject({ code: 40104 })
    token = await bench.token('video', [ACCOUNT], ['14'])
    expect((await caller().get('dmp/custom_audience/select/', { ...adv, select_type: 0 })).code).toBe(40002)
    token = await bench.token('video', [ACCOUNT], ['30'])
    expect((await caller().get('dmp/custom_audience/select/', { ...adv, select_type: 0 })).code).toBe(0)
    expect((await create(['none'])).code).toBe(40002)
  })

  test('a path without its last slash, and a wrong method, are no interface', async () => {
    expect(await get({ 'access-token': token }, 'user/info')).toMatchObject({ code: 40000 })
    expect((await caller().post('user/info/', {})).message).toContain('接口不存在')
  })

  test('an account that was not granted', async () => {
    const { code } = await caller().get('dmp/custom_audience/select/', { advertiser_id: STRANGER, select_type: 0 })
    expect(code).toBe(40002)
  })

  test('too many calls of an advertiser in a second, then of the application', async () => {
    await bench.control('switches', { video_advertiser_qps: 1, video_application_qps: 2 })
    const select = (advertiser_id: string) =>
      caller().get('dmp/custom_audience/select/', { advertiser_id, select_type: 0 })
    const [first, second] = await Promise.all([select(ACCOUNT), select(ACCOUNT)])
    expect([first.code, second.code].sort()).toEqual([0, 40130])
    await select(OTHER)
    token = await bench.token('video', [STRANGER])
    expect((await select(STRANGER)).code).toBe(40110)
  })

  test('a developer who calls far too often is shut out for five minutes, and told so', async () => {
    await bench.control('switches', { video_application_qps: 1 })
    const codes = await Promise.all(
      Array.from({ length: 101 }, () =>
        caller()
          .get('user/info/', {})
          .then(({ code, headers }) => ({ code, headers })),
      ),
    )
    const shut = codes.at(-1)
    expect(shut?.code).toBe(40110)
    const names = ['dimension', 'limit', 'remaining', 'retryin'].map((name) => shut?.headers.get(`x-ratelimit-${name}`))
    expect(names).toEqual(['developer_qpm', '100', '0', '300'])
  })
})

describe('uploading', () => {
  const refused = async (content: Buffer, fields: Record<string, string> = {}, name?: string) => {
    const { code, message } = await caller().upload(ACCOUNT, content, fields, name)
    expect(code).toBe(40000)
    return message
  }
  test('only a zip, as its signature says', async () => {
    const content = await zip({ 'a.txt': dmpLine(IMEI_MD5, hashes(1)) })
    expect(await refused(Buffer.from('text'))).toContain('zip')
    expect(await refused(content, {}, 'a.txt')).toContain('zip')
    expect(await refused(content, { file_signature: md5('other') })).toContain('file_signature')
  })

  test('a JSON body is none', async () => {
    expect((await caller().post('dmp/data_source/file/upload/', adv)).message).toContain('multipart/form-data')
  })

  test('is good for a fortnight, and for its own account', async () => {
    const path = await uploaded({ 'a.txt': dmpLine(IMEI_MD5, hashes(1)) })
    expect((await create([path], { advertiser_id: id(OTHER) })).message).toContain('文件不存在')
    await bench.control('switches', { access_token_seconds: 100 * DAY })
    await bench.control('clock', { advance: 14 * DAY + 1 })
    token = await bench.token('video', [ACCOUNT, OTHER])
    expect((await create([path])).message).toContain('已过期')
  })
})

describe('making a data source', () => {
  test.each([
    ['no advertiser', { advertiser_id: undefined }, 'advertiser_id'],
    ['an advertiser as text', { advertiser_id: ACCOUNT }, 'advertiser_id'],
    ['no name', { data_source_name: undefined }, 'data_source_name'],
    ['a name of 31 characters', { data_source_name: '名'.repeat(31) }, 'data_source_name'],
    ['no description', { description: '' }, 'description'],
    ['a description of 257', { description: '说'.repeat(257) }, 'description'],
    ['a null', { description: null }, 'null'],
    ['another format', { data_format: 1 }, 'data_format'],
    ['a format as text', { data_format: '0' }, 'data_format'],
    ['another storage', { file_storage_type: 1 }, 'file_storage_type'],
    ['no file', { file_paths: [] }, 'file_paths'],
    ['an unknown file', { file_paths: ['x'] }, '文件不存在'],
    ['1001 files', { file_paths: Array.from({ length: 1001 }, () => 'x') }, 'file_paths'],
    ['an unknown kind', { data_source_type: 'CID' }, 'data_source_type'],
  ])('%s', async (_, more, word) => {
    const path = await uploaded({ 'a.txt': dmpLine(IMEI_MD5, hashes(1)) })
    const { code, message } = await create([path], more)
    expect(code).toBe(40000)
    expect(message).toContain(word)
  })

  test('an account that a double rounded is another one', async () => {
    expect((await create(['x'], { advertiser_id: Number(ACCOUNT) })).code).toBe(40002)
  })

  test('a body that says it is something else than JSON', async () => {
    const response = await fetch(`${bench.box.videoUrl}/open_api/2/dmp/data_source/create/`, {
      method: 'POST',
      headers: { 'access-token': token, 'content-type': 'text/plain' },
      body: '{}',
    })
    expect(await response.json()).toMatchObject({ code: 40000, message: expect.stringContaining('Content-Type') })
  })

  test('the limits of a day and of an account', async () => {
    const path = await uploaded({ 'a.txt': dmpLine(IMEI_MD5, hashes(1)) })
    await bench.control('switches', { video_sources_per_day: 0 })
    expect((await create([path])).message).toContain('每天')
    await bench.control('switches', { video_audiences: 0 })
    expect((await create([path])).message).toContain('上限')
  })

  test('a name is taken once, unless that is switched off', async () => {
    const path = await uploaded({ 'a.txt': dmpLine(IMEI_MD5, hashes(1)) })
    const named = { data_source_name: '重名' }
    expect((await create([path], named)).code).toBe(0)
    expect((await create([path], named)).message).toContain('已存在')
    await bench.control('switches', { video_unique_names: false })
    expect((await create([path], named)).code).toBe(0)
  })

  test('is created, parsed, and then has an audience', async () => {
    await bench.control('switches', { processing_seconds: 100 })
    const path = await uploaded({ 'a.txt': dmpLine(IMEI_MD5, hashes(1, 2, 2)), 'b.txt': dmpLine(IMEI_MD5, hashes(3)) })
    const { data } = await create([path])
    const source = data.data_source_id
    expect(await sourceRow(source)).toMatchObject({
      status: 0,
      lastest_published_change_log_id: -1,
      change_logs: [{ status: 0, action: 0 }],
    })
    await bench.control('clock', { advance: 30 })
    await bench.control('settle')
    const parsing = await sourceRow(source)
    expect(parsing).toMatchObject({ status: 1, change_logs: [{ status: 1 }] })
    expect(parsing).not.toHaveProperty('default_audience')
    await bench.control('clock', { advance: 80 })
    await bench.control('settle')
    const { default_audience, ...done } = await sourceRow(source)
    expect(done).toMatchObject({ status: 2, upload_num: 3, cover_num: 2, change_logs: [{ status: 2, message: '' }] })
    expect(default_audience).toMatchObject({
      status: 2,
      delivery_status: 'CUSTOM_AUDIENCE_DELIVERY_STATUS_NEED_PUBLISH',
      source: 4,
      custom_type: 11,
      upload_num: 3,
    })
    expect(Number.isSafeInteger(Number(default_audience?.custom_audience_id))).toBe(false)
    expect(await valuesOf(source)).toEqual(hashes(1, 2, 3).sort())
  })
})

describe('a file that cannot be parsed fails the whole change, with the reason', () => {
  const base64 = (bytes: Buffer) => `${bytes.toString('base64')}\n`
  const wrapped = (item: Buffer) => Buffer.concat([Buffer.from([10, item.length]), item])
  const many = hashes(...Array.from({ length: 10_001 }, (_, no) => no))
  const cases: [string, string, RegExp, object?][] = [
    ['plain lines', `${hashes(1)[0]}\n`, /不完整|不正确|字段|定义/],
    ['no base64', '!!!!\n', /base64/],
    ['an empty line', '\n', /空行/],
    ['no line break at the end', dmpLine(IMEI_MD5, hashes(1)).trimEnd(), /换行/],
    ['an empty file', '', /空文件/],
    ['an empty message', base64(Buffer.alloc(0)), /空行/],
    ['more than 10 000 ids in a line', dmpLine(IMEI_MD5, many), /10000/],
    ['a plain IMEI', dmpLine(0, ['355065053311001']), /IMEI/],
    ['a plain IDFA', dmpLine(1, ['AEBE52E7-03EE-455A-B3C4-E57283966239']), /IDFA/],
    ['a plain OAID', dmpLine(7, ['1fe9a970-efbb-29e0-0bdd-f5dbbf751ab5']), /OAID/],
    ['a number that is no type', dmpLine(3, hashes(1)), /dataType/],
    ['a hash of 31', dmpLine(IMEI_MD5, ['a'.repeat(31)]), /IMEI_MD5格式/],
    ['a phone with another hash', dmpLine(MOBILE, hashes(1)), /SHA256格式/],
    ['phones in a source of devices', dmpLine(MOBILE, [sha256('1')]), /UID/, { data_source_type: 'DID' }],
    ['an item without its type', base64(wrapped(idItem(IMEI_MD5, hashes(1)[0] ?? '').subarray(2))), /dataType/],
    ['an item without its id', base64(wrapped(Buffer.from([16, 4]))), /id/],
    ['an unknown field', base64(wrapped(Buffer.from([16, 4, 40, 1]))), /字段5/],
    ['a message cut short', base64(dmpData(IMEI_MD5, hashes(1)).subarray(0, 20)), /不完整/],
  ]
  test.each(cases)('%s', async (_, lines, reason, more = {}) => {
    const good = await uploaded({ 'good.txt': dmpLine(IMEI_MD5, hashes(1)) })
    const bad = await uploaded({ 'bad.txt': lines })
    const { data } = await create([good, bad], more)
    await bench.control('settle')
    const row = await sourceRow(data.data_source_id)
    expect(row).toMatchObject({ status: 2, change_logs: [{ status: 3, message: expect.stringMatching(reason) }] })
    expect(row).not.toHaveProperty('default_audience')
    expect(await valuesOf(data.data_source_id)).toEqual([])
  })
})

describe('changing a data source', () => {
  const update = async (source: string, operation_type: number, lines: string) => {
    const file_paths = [await uploaded({ 'a.txt': lines })]
    const body = { ...adv, data_source_id: source, operation_type, data_format: 0, file_storage_type: 0, file_paths }
    const answer = await caller().post('dmp/data_source/update/', body)
    await bench.control('settle')
    return answer
  }
  test('adds, deletes and begins anew', async () => {
    const source = await aSource(dmpLine(IMEI_MD5, hashes(1, 2)))
    const valuesAfter = async (operation: number, ...from: number[]) => {
      expect((await update(source, operation, dmpLine(IMEI_MD5, hashes(...from)))).code).toBe(0)
      return valuesOf(source)
    }
    expect(await valuesAfter(1, 2, 3)).toEqual(hashes(1, 2, 3).sort())
    expect(await valuesAfter(2, 1, 9)).toEqual(hashes(2, 3).sort())
    expect(await valuesAfter(3, 7)).toEqual(hashes(7))
    const { change_logs, default_audience } = await sourceRow(source)
    expect(change_logs.map(({ action }) => action)).toEqual([3, 2, 1, 0])
    expect(default_audience).toMatchObject({ upload_num: 1 })
  })
  test('changes take effect in their order, also after a slow one', async () => {
    const source = await aSource(dmpLine(IMEI_MD5, hashes(1)))
    await bench.control('switches', { processing_seconds: 10, slow_rate: 1 })
    await update(source, 1, dmpLine(IMEI_MD5, hashes(2, 3)))
    await bench.control('switches', { slow_rate: 0 })
    await update(source, 2, dmpLine(IMEI_MD5, hashes(2)))
    await bench.control('clock', { advance: 50 })
    await bench.control('settle')
    expect(await valuesOf(source)).toEqual(hashes(1))
    await bench.control('clock', { advance: 51 })
    await bench.control('settle')
    expect(await valuesOf(source)).toEqual(hashes(1, 3).sort())
  })
  test('an unknown operation, and an unknown source', async () => {
    const line = dmpLine(IMEI_MD5, hashes(1))
    expect((await update(await aSource(line), 4, line)).message).toContain('operation_type')
    expect((await update('none', 1, line)).message).toContain('不存在')
  })
  test('half accepted: failed after half of it, or good with half of it', async () => {
    const source = await aSource(dmpLine(IMEI_MD5, hashes(1)))
    await bench.control('switches', { half_accept_rate: 1 })
    await update(
      source,
      1,
      hashes(2, 3, 4, 5)
        .map((one) => dmpLine(IMEI_MD5, [one]))
        .join(''),
    )
    expect((await sourceRow(source)).change_logs[0]).toMatchObject({
      status: 3,
      message: expect.stringContaining('2行'),
    })
    expect(await valuesOf(source)).toHaveLength(3)
    await bench.control('switches', { half_accept_as: 'short' })
    await update(source, 3, dmpLine(IMEI_MD5, hashes(2, 3, 4, 5)))
    expect(await sourceRow(source)).toMatchObject({ upload_num: 2, change_logs: [{ status: 2 }, {}, {}] })
  })
})

describe('publishing and pushing', () => {
  const PREFIX = 'CUSTOM_AUDIENCE_DELIVERY_STATUS_'
  const delivery = async (audience: unknown) =>
    String((await audienceRow(audience)).delivery_status).replace(PREFIX, '')

  test('publish, push, and it is there in the other account', async () => {
    const audience = await anAudience(1, 2, 3)
    expect(await delivery(audience)).toBe('NEED_PUBLISH')
    expect((await act('push_v2', audience, toOther)).message).toContain('尚未发布')
    expect((await act('publish', audience)).code).toBe(0)
    expect(await delivery(audience)).toBe('NEED_PUSH')
    const mine = async (select_type: number) => {
      const { data } = await caller().get('dmp/custom_audience/select/', { advertiser_id: id(OTHER), select_type })
      return data.custom_audience_list.map(({ custom_audience_id }) => custom_audience_id)
    }
    expect(await mine(0)).not.toContain(audience)
    expect((await act('push_v2', audience, toOther)).code).toBe(0)
    expect(await delivery(audience)).toBe('AVAILABLE')
    expect(await audienceRow(audience)).toMatchObject({ status: 10, push_status: 2 })
    expect(await mine(0)).toContain(audience)
    expect(await mine(1)).toContain(audience)
  })

  test('once in 24 hours', async () => {
    await bench.control('switches', { access_token_seconds: 100 * DAY })
    token = await bench.token('video', [ACCOUNT, OTHER])
    const audience = await anAudience(1)
    await act('publish', audience)
    expect((await act('publish', audience)).message).toContain('24小时')
    await bench.control('clock', { advance: DAY + 1 })
    expect((await act('publish', audience)).code).toBe(0)
  })

  test('takes its time, and nothing else may be done meanwhile', async () => {
    const audience = await anAudience(1)
    await bench.control('switches', { processing_seconds: 100 })
    await act('publish', audience)
    expect((await act('publish', audience)).message).toContain('发布中')
    expect((await act('push_v2', audience, toOther)).message).toContain('发布中')
    await bench.control('clock', { advance: 101 })
    await bench.control('settle')
    await act('push_v2', audience, toOther)
    expect(await audienceRow(audience)).toMatchObject({ status: 14, push_status: 1 })
    await bench.control('clock', { advance: 101 })
    await bench.control('settle')
    expect(await audienceRow(audience)).toMatchObject({ status: 10, push_status: 2 })
  })

  test('after a change it must be published again, and is then available without another push', async () => {
    await bench.control('switches', { video_publish_every_seconds: 0 })
    const source = await aSource(dmpLine(IMEI_MD5, hashes(1)))
    const audience = (await sourceRow(source)).default_audience?.custom_audience_id
    await act('publish', audience)
    await act('push_v2', audience, toOther)
    const body = { ...adv, data_source_id: source, operation_type: 1, data_format: 0, file_storage_type: 0 }
    const file_paths = [await uploaded({ 'a.txt': dmpLine(IMEI_MD5, hashes(2)) })]
    await caller().post('dmp/data_source/update/', { ...body, file_paths })
    await bench.control('settle')
    expect(await delivery(audience)).toBe('NEED_PUBLISH')
    await act('publish', audience)
    expect(await delivery(audience)).toBe('AVAILABLE')
    const { change_logs, lastest_published_change_log_id } = await sourceRow(source)
    expect(lastest_published_change_log_id).toBe(change_logs[0]?.change_log_id)
  })

  test.each([
    ['another company', [id(STRANGER)], '同一主体'],
    ['nobody', [9n], '不存在'],
    ['none', [], '不能为空'],
    ['101 accounts', Array.from({ length: 101 }, () => id(OTHER)), '100'],
  ])('is not pushed to %s', async (_, target_advertiser_ids, word) => {
    const audience = await anAudience(1)
    await act('publish', audience)
    expect((await act('push_v2', audience, { target_advertiser_ids })).message).toContain(word)
  })

  test('an audience in use stays; a deleted one can still be read', async () => {
    const audience = await anAudience(1)
    await bench.control('audiences/set', { platform: 'video', audience_id: String(audience), used_by: 'ad' })
    expect(await act('delete', audience)).toMatchObject({
      code: 40000,
      message: expect.stringContaining('正在被计划使用'),
    })
    await bench.control('audiences/set', { platform: 'video', audience_id: String(audience), used_by: null })
    expect(await act('delete', audience)).toMatchObject({ code: 0, data: { custom_audience_id: audience } })
    expect(await audienceRow(audience)).toMatchObject({ isdel: 1, status: 22 })
    expect((await act('publish', audience)).message).toContain('不存在')
  })
})

test('everything is there after a restart, and what was under way goes on', async () => {
  await bench.control('switches', { processing_seconds: 100 })
  const { data } = await create([await uploaded({ 'a.txt': dmpLine(IMEI_MD5, hashes(1, 2)) })])
  await bench.restart()
  await bench.control('clock', { advance: 101 })
  await bench.control('settle')
  expect(await valuesOf(data.data_source_id)).toEqual(hashes(1, 2).sort())
})

describe('accounts', () => {
  test('advertiser/get takes the token in the query and names the accounts', async () => {
    const url = `${bench.box.videoUrl}/open_api/oauth2/advertiser/get/`
    expect(await (await fetch(`${url}?access_token=none`)).json()).toMatchObject({ code: 40104 })
    await bench.control('accounts/valid', { platform: 'video', account_id: OTHER, is_valid: false })
    const { data } = (await (await fetch(`${url}?access_token=${token}`)).json()) as { data: { list: Row[] } }
    expect(data.list).toMatchObject([
      { account_string_id: ACCOUNT, account_type: 'ADVERTISER', is_valid: true },
      { account_string_id: OTHER, is_valid: false },
    ])
    await bench.control('accounts/valid', { platform: 'video', account_id: OTHER, is_valid: true })
  })
  test('user/info and advertiser/info', async () => {
    expect((await caller().get('user/info/', {})).data).toMatchObject({
      id: 770001,
      token_scope_list: expect.arrayContaining([3, 30, 31]),
    })
    const info = (query: object) => caller().get('advertiser/info/', query)
    const { data } = await info({ advertiser_ids: [id(ACCOUNT)], fields: ['name', 'company'] })
    expect(data).toEqual([{ id: id(ACCOUNT), name: '云杉巨量账户1', company: '云杉科技有限公司' }])
    expect((await info({ advertiser_ids: ACCOUNT })).message).toContain('数组')
    expect((await info({ advertiser_ids: [id(STRANGER)] })).code).toBe(40002)
    expect((await info({ advertiser_ids: [id(ACCOUNT)], fields: ['owner'] })).message).toContain('owner')
  })
})

import { describe, expect, test } from 'vitest'
import { dmpData, dmpLine, idItem, sha256 } from '../testing.ts'
import { ACCOUNT, adv, hashes, IMEI_MD5, videoForTest } from './testing.ts'

const { bench, now, caller, uploaded, create, aSource, sourceRow, valuesOf } = await videoForTest()
const MOBILE = 6

describe('creating a data source', () => {
  test.each([
    ['no advertiser', { advertiser_id: undefined }, 'advertiser_id'],
    ['an advertiser as text', { advertiser_id: ACCOUNT }, 'advertiser_id'],
    ['no name', { data_source_name: undefined }, 'data_source_name'],
    ['a name of 31 characters', { data_source_name: '名'.repeat(31) }, 'data_source_name'],
    ['no description', { description: '' }, 'description'],
    ['a description of 257 characters', { description: '说'.repeat(257) }, 'description'],
    ['a null', { description: null }, 'null'],
    ['another format', { data_format: 1 }, 'data_format'],
    ['a format as text', { data_format: '0' }, 'data_format'],
    ['another storage', { file_storage_type: 1 }, 'file_storage_type'],
    ['no file', { file_paths: [] }, 'file_paths'],
    ['an unknown file', { file_paths: ['x'] }, '文件不存在'],
    ['1001 files', { file_paths: Array.from({ length: 1001 }, () => 'x') }, 'file_paths'],
    ['an unknown kind', { data_source_type: 'CID' }, 'data_source_type'],
  ])('%s is refused', async (_, more, word) => {
    const path = await uploaded({ 'a.txt': dmpLine(IMEI_MD5, hashes(1)) })
    const { code, message } = await create([path], more)
    expect(code).toBe(40000)
    expect(message).toContain(word)
  })

  test('an account id rounded by a double is refused', async () => {
    expect((await create(['x'], { advertiser_id: Number(ACCOUNT) })).code).toBe(40002)
  })

  test('a body with another Content-Type than JSON is refused', async () => {
    const response = await fetch(`${bench.box.videoUrl}/open_api/2/dmp/data_source/create/`, {
      method: 'POST',
      headers: { 'access-token': now.token, 'content-type': 'text/plain' },
      body: '{}',
    })
    expect(await response.json()).toMatchObject({ code: 40000, message: expect.stringContaining('Content-Type') })
  })

  test('the limits per day and per account are enforced', async () => {
    const path = await uploaded({ 'a.txt': dmpLine(IMEI_MD5, hashes(1)) })
    await bench.control('switches', { video_sources_per_day: 0 })
    expect((await create([path])).message).toContain('每天')
    await bench.control('switches', { video_audiences: 0 })
    expect((await create([path])).message).toContain('上限')
  })

  test('a name can be used once, unless that is switched off', async () => {
    const path = await uploaded({ 'a.txt': dmpLine(IMEI_MD5, hashes(1)) })
    const named = { data_source_name: '重名' }
    expect((await create([path], named)).code).toBe(0)
    expect((await create([path], named)).message).toContain('已存在')
    await bench.control('switches', { video_unique_names: false })
    expect((await create([path], named)).code).toBe(0)
  })

  test('a source is created, parsed, and then has an audience', async () => {
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
    ['text that is not base64', '!!!!\n', /base64/],
    ['an empty line', '\n', /空行/],
    ['no line break at the end', dmpLine(IMEI_MD5, hashes(1)).trimEnd(), /换行/],
    ['an empty file', '', /空文件/],
    ['an empty message', base64(Buffer.alloc(0)), /空行/],
    ['more than 10 000 ids in a line', dmpLine(IMEI_MD5, many), /10000/],
    ['a plain IMEI', dmpLine(0, ['355065053311001']), /IMEI/],
    ['a plain IDFA', dmpLine(1, ['AEBE52E7-03EE-455A-B3C4-E57283966239']), /IDFA/],
    ['a plain OAID', dmpLine(7, ['1fe9a970-efbb-29e0-0bdd-f5dbbf751ab5']), /OAID/],
    ['an unknown type number', dmpLine(3, hashes(1)), /dataType/],
    ['a hash of 31 characters', dmpLine(IMEI_MD5, ['a'.repeat(31)]), /IMEI_MD5格式/],
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
    const answer = await caller.post('dmp/data_source/update/', body)
    await bench.control('settle')
    return answer
  }
  test('adds, deletes and resets', async () => {
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
  test('changes take effect in order, even after a slow one', async () => {
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
  test('an unknown operation and an unknown source are refused', async () => {
    const line = dmpLine(IMEI_MD5, hashes(1))
    expect((await update(await aSource(line), 4, line)).message).toContain('operation_type')
    expect((await update('none', 1, line)).message).toContain('不存在')
  })
  test('half accepted changes fail after half of the lines, or succeed with half of them', async () => {
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

test('all state survives a restart, and unfinished work continues', async () => {
  await bench.control('switches', { processing_seconds: 100 })
  const { data } = await create([await uploaded({ 'a.txt': dmpLine(IMEI_MD5, hashes(1, 2)) })])
  await bench.restart()
  await bench.control('clock', { advance: 101 })
  await bench.control('settle')
  expect(await valuesOf(data.data_source_id)).toEqual(hashes(1, 2).sort())
})

import { describe, expect, test } from 'vitest'
import { dmpLine, FOREIGN_ACCOUNT, md5, type Row, zip } from '../testing.ts'
import { ACCOUNT, adv, DAY, hashes, IMEI_MD5, id, OTHER, videoForTest } from './testing.ts'

const { bench, now, caller, uploaded, create } = await videoForTest()

describe('the checks of every call', () => {
  const get = (headers: Record<string, string>, path = 'user/info/') =>
    fetch(`${bench.box.videoUrl}/open_api/2/${path}`, { headers }).then((response) => response.json())

  test.each([
    ['a call without a token', {}, 40104],
    ['an empty token', { 'access-token': '' }, 40104],
    ['an unknown token', { 'access-token': 'x'.repeat(40) }, 40104],
  ])('%s is refused', async (_, headers, code) => {
    expect(await get(headers)).toMatchObject({ code, request_id: expect.stringMatching(/^\w{20,}$/) })
  })

  test('an expired token, a withdrawn one and a missing scope are refused', async () => {
    expect(await get({ 'access-token': now.token })).toMatchObject({ code: 0, message: 'OK' })
    await bench.control('tokens/expire', { platform: 'video', account_id: ACCOUNT })
    expect(await get({ 'access-token': now.token })).toMatchObject({ code: 40102 })
    await bench.control('tokens/revoke', { platform: 'video', account_id: ACCOUNT })
    expect(await get({ 'access-token': now.token })).toMatchObject({ code: 40104 })
    now.token = await bench.token('video', [ACCOUNT], ['14'])
    expect((await caller.get('dmp/custom_audience/select/', { ...adv, select_type: 0 })).code).toBe(40002)
    now.token = await bench.token('video', [ACCOUNT], ['30'])
    expect((await caller.get('dmp/custom_audience/select/', { ...adv, select_type: 0 })).code).toBe(0)
    expect((await create(['none'])).code).toBe(40002)
  })

  test('a path without its last slash and a wrong method are refused as unknown', async () => {
    expect(await get({ 'access-token': now.token }, 'user/info')).toMatchObject({ code: 40000 })
    expect((await caller.post('user/info/', {})).message).toContain('接口不存在')
  })

  test('an account that was not granted is refused', async () => {
    const { code } = await caller.get('dmp/custom_audience/select/', { advertiser_id: FOREIGN_ACCOUNT, select_type: 0 })
    expect(code).toBe(40002)
  })

  test('too many calls per second are refused, of an advertiser and of the application', async () => {
    await bench.control('switches', { video_advertiser_qps: 1, video_application_qps: 2 })
    const select = (advertiser_id: string) =>
      caller.get('dmp/custom_audience/select/', { advertiser_id, select_type: 0 })
    const [first, second] = await Promise.all([select(ACCOUNT), select(ACCOUNT)])
    expect([first.code, second.code].sort()).toEqual([0, 40130])
    await select(OTHER)
    now.token = await bench.token('video', [FOREIGN_ACCOUNT])
    expect((await select(FOREIGN_ACCOUNT)).code).toBe(40110)
  })

  test('an application that calls far too often is refused for five minutes, with headers that say so', async () => {
    await bench.control('switches', { video_application_qps: 1 })
    const codes = await Promise.all(
      Array.from({ length: 101 }, () => caller.get('user/info/', {}).then(({ code, headers }) => ({ code, headers }))),
    )
    const shut = codes.at(-1)
    expect(shut?.code).toBe(40110)
    const names = ['dimension', 'limit', 'remaining', 'retryin'].map((name) => shut?.headers.get(`x-ratelimit-${name}`))
    expect(names).toEqual(['developer_qpm', '100', '0', '300'])
  })
})

describe('uploading', () => {
  const refused = async (content: Buffer, fields: Record<string, string> = {}, name?: string) => {
    const { code, message } = await caller.upload(ACCOUNT, content, fields, name)
    expect(code).toBe(40000)
    return message
  }
  test('accepts only a zip, by its signature', async () => {
    const content = await zip({ 'a.txt': dmpLine(IMEI_MD5, hashes(1)) })
    expect(await refused(Buffer.from('text'))).toContain('zip')
    expect(await refused(content, {}, 'a.txt')).toContain('zip')
    expect(await refused(content, { file_signature: md5('other') })).toContain('file_signature')
  })

  test('refuses a JSON body', async () => {
    expect((await caller.post('dmp/data_source/file/upload/', adv)).message).toContain('multipart/form-data')
  })

  test('gives a file path that is valid for 14 days and only for its own account', async () => {
    const path = await uploaded({ 'a.txt': dmpLine(IMEI_MD5, hashes(1)) })
    expect((await create([path], { advertiser_id: id(OTHER) })).message).toContain('文件不存在')
    await bench.control('switches', { access_token_seconds: 100 * DAY })
    await bench.control('clock', { advance: 14 * DAY + 1 })
    now.token = await bench.token('video', [ACCOUNT, OTHER])
    expect((await create([path])).message).toContain('已过期')
  })
})

describe('accounts', () => {
  test('advertiser/get takes the token in the query and lists the accounts', async () => {
    const url = `${bench.box.videoUrl}/open_api/oauth2/advertiser/get/`
    expect(await (await fetch(`${url}?access_token=none`)).json()).toMatchObject({ code: 40104 })
    await bench.control('accounts/valid', { platform: 'video', account_id: OTHER, is_valid: false })
    const { data } = (await (await fetch(`${url}?access_token=${now.token}`)).json()) as { data: { list: Row[] } }
    expect(data.list).toMatchObject([
      { account_string_id: ACCOUNT, account_type: 'ADVERTISER', is_valid: true },
      { account_string_id: OTHER, is_valid: false },
    ])
    await bench.control('accounts/valid', { platform: 'video', account_id: OTHER, is_valid: true })
  })
  test('user/info and advertiser/info return the details', async () => {
    expect((await caller.get('user/info/', {})).data).toMatchObject({
      id: 770001,
      token_scope_list: expect.arrayContaining([3, 30, 31]),
    })
    const info = (query: object) => caller.get('advertiser/info/', query)
    const { data } = await info({ advertiser_ids: [id(ACCOUNT)], fields: ['name', 'company'] })
    expect(data).toEqual([{ id: id(ACCOUNT), name: '云杉巨量账户1', company: '云杉科技有限公司' }])
    expect((await info({ advertiser_ids: ACCOUNT })).message).toContain('数组')
    expect((await info({ advertiser_ids: [id(FOREIGN_ACCOUNT)] })).code).toBe(40002)
    expect((await info({ advertiser_ids: [id(ACCOUNT)], fields: ['owner'] })).message).toContain('owner')
  })
})

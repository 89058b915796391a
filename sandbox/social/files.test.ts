import { describe, expect, test } from 'vitest'
import { md5, sha256, zip } from '../testing.ts'
import { ACCOUNT, id, imeis, socialForTest } from './testing.ts'

const { bench, caller, anAudience, send, valuesOf, rowOf, filesOf } = await socialForTest()

describe('files', () => {
  test('APPEND adds values, REDUCE removes them, and lines of another form are invalid', async () => {
    const audience = await anAudience()
    expect((await send(audience, [...imeis(1, 2, 2), 'not an imei', md5('imei3').toUpperCase()])).code).toBe(0)
    await bench.control('settle')
    expect(await valuesOf(audience)).toEqual(imeis(1, 2, 3).sort())
    expect(await rowOf(audience)).toMatchObject({ status: 'SUCCESS', online_status: 'ONLINE', user_count: 2 })
    expect(await filesOf(audience)).toMatchObject([
      { process_status: 'SUCCESS', process_code: 0, line_count: 5, valid_line_count: 4, operation_type: 'APPEND' },
    ])
    await send(audience, imeis(2, 9), { operation_type: 'REDUCE' })
    await bench.control('settle')
    expect(await valuesOf(audience)).toEqual(imeis(1, 3).sort())
  })

  test('a zip may contain several files', async () => {
    const audience = await anAudience()
    const [first = '', second = ''] = imeis(1, 2)
    const content = await zip({ 'a.txt': `${first}\r\n`, 'b.csv': second })
    const fields = { account_id: ACCOUNT, audience_id: String(audience), user_id_type: 'HASH_IMEI' }
    expect((await caller.file(fields, 'both.zip', content)).code).toBe(0)
    await bench.control('settle')
    expect(await valuesOf(audience)).toEqual([first, second].sort())
  })

  test.each([
    ['an unknown kind', { user_id_type: 'PHONE' }, 'a.txt', 50047],
    ['a kind that was removed', { user_id_type: 'HASH_MAC' }, 'a.txt', 50047],
    ['an open id without its application', { user_id_type: 'WX_OPENID' }, 'a.txt', 18001],
    ['an unknown operation', { operation_type: 'CREATE' }, 'a.txt', 18009],
    ['another extension', {}, 'a.xlsx', 50003],
    ['removing values from an empty audience', { operation_type: 'REDUCE' }, 'a.txt', 50014],
    ['an audience that does not exist', { audience_id: '9' }, 'a.txt', 50005],
  ])('%s is refused', async (_, more, name, code) => {
    const audience = await anAudience()
    const fields = { account_id: ACCOUNT, audience_id: String(audience), user_id_type: 'HASH_IMEI', ...more }
    expect((await caller.file(fields, name, imeis(1)[0] ?? '')).code).toBe(code)
  })

  test.each([
    ['HASH_IMEI', md5('1'), sha256('1')],
    ['MD5_SHA256_OAID', sha256('1'), sha256('1').toUpperCase()],
    ['SHA256_MOBILE_PHONE', sha256('1'), md5('1')],
    ['HASH_MOBILE_PHONE', md5('1'), '13800000000'],
    ['IDFA', 'AEBE52E7-03EE-455A-B3C4-E57283966239', 'aebe52e7-03ee-455a-b3c4-e57283966239'],
    ['IMEI', '355065053311001', '35506505331100'.slice(1)],
    ['OAID', '1fe9a970-efbb-29e0-0bdd-f5dbbf751ab5', 'two words'],
  ])('a line of %s', async (user_id_type, good, bad) => {
    const audience = await anAudience()
    await send(audience, [good, bad], { user_id_type })
    await bench.control('settle')
    expect(await valuesOf(audience)).toEqual([good])
  })

  test('a file without valid lines and a broken archive end as errors', async () => {
    const audience = await anAudience()
    await send(audience, ['nobody'])
    await bench.control('settle')
    expect(await rowOf(audience)).toMatchObject({ status: 'ERROR', error_code: 203 })
    const fields = { account_id: ACCOUNT, audience_id: String(audience), user_id_type: 'HASH_IMEI' }
    await caller.file(fields, 'broken.zip', 'PK\x03\x04 broken')
    await bench.control('settle')
    expect(await filesOf(audience)).toMatchObject([{ process_status: 'ERROR', process_code: 202 }, {}])
  })

  test('are processed one at a time: pending, processing, then done; another is refused meanwhile', async () => {
    await bench.control('switches', { processing_seconds: 100 })
    const audience = await anAudience()
    await send(audience, imeis(1))
    const stateNow = async () => [(await rowOf(audience)).status, (await filesOf(audience))[0]?.process_status]
    expect(await stateNow()).toEqual(['PROCESSING', 'PENDING'])
    expect((await send(audience, imeis(2))).code).toBe(54307)
    expect(
      (await caller.post('custom_audiences/delete', { account_id: id(ACCOUNT), audience_id: audience })).code,
    ).toBe(12700)
    await bench.control('clock', { advance: 30 })
    await bench.control('settle')
    expect(await stateNow()).toEqual(['PROCESSING', 'PROCESSING'])
    await bench.control('clock', { advance: 80 })
    await bench.control('settle')
    expect(await stateNow()).toEqual(['SUCCESS', 'SUCCESS'])
  })

  test('a request id takes a file once, whatever the form’s boundary', async () => {
    const audience = await anAudience()
    const fields = { account_id: ACCOUNT, audience_id: String(audience), user_id_type: 'HASH_IMEI' }
    const post = (content: string) => caller.file(fields, 'a.txt', content, { 'x-request-id': `file-${audience}` })
    const first = await post(imeis(1)[0] ?? '')
    expect((await post(imeis(1)[0] ?? '')).data).toEqual(first.data)
    expect((await post(imeis(2)[0] ?? '')).code).toBe(31060)
    expect(await filesOf(audience)).toHaveLength(1)
  })

  test('half accepted files fail after half of the lines, or succeed with half of them valid', async () => {
    await bench.control('switches', { half_accept_rate: 1 })
    const audience = await anAudience()
    await send(audience, imeis(1, 2, 3, 4))
    await bench.control('settle')
    expect(await filesOf(audience)).toMatchObject([{ process_status: 'ERROR', process_code: 1, valid_line_count: 2 }])
    expect(await valuesOf(audience)).toHaveLength(2)
    await bench.control('switches', { half_accept_as: 'short' })
    await send(audience, imeis(1, 2, 3, 4))
    await bench.control('settle')
    expect((await filesOf(audience))[0]).toMatchObject({
      process_status: 'SUCCESS',
      line_count: 4,
      valid_line_count: 2,
    })
  })
})

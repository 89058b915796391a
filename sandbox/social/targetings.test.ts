import { beforeEach, describe, expect, test } from 'vitest'
import { accountId } from '../platforms.ts'
import { ACCOUNT, id, OTHER, socialForTest } from './testing.ts'

const { bench, now, caller, older, anAudience } = await socialForTest()
const FOREIGN = accountId('social', 11)
beforeEach(() => bench.control('switches', { social_targeting_limits: false }))

let made = 0
const WOMEN = { gender: ['FEMALE'] }
const body = (more: object = {}) => ({
  account_id: id(ACCOUNT),
  targeting_name: `定向${++made}`,
  targeting: WOMEN,
  ...more,
})
const add = (more: object = {}, headers: Record<string, string> = {}) =>
  older.post('targetings/add', body(more), headers)
async function anId(more: object = {}): Promise<bigint> {
  const { code, data, message } = await add(more)
  expect({ code, message }).toEqual({ code: 0, message: '' })
  return data.targeting_id
}
const list = async (query: object = {}) => {
  const { code, data } = await older.get('targetings/get', { account_id: ACCOUNT, page_size: 100, ...query })
  expect(code).toBe(0)
  return data.list
}
const where = (field: string, operator: string, values: string[]) => ({ filtering: [{ field, operator, values }] })

describe('stored targetings', () => {
  test('are listed as they were added, with their words', async () => {
    const targeting = {
      gender: ['FEMALE'],
      geo_location: { location_types: ['LIVE_IN'], regions: [440300] },
      age: [{ min: 18, max: 30 }],
    }
    const targeting_id = await anId({ targeting_name: '深圳女性', description: '说明', targeting })
    const [row] = await list(where('targeting_id', 'EQUALS', [String(targeting_id)]))
    expect(row).toMatchObject({
      targeting_id,
      targeting_name: '深圳女性',
      description: '说明',
      targeting,
      targeting_translation: '性别：FEMALE；地理位置：深圳市；年龄：18-30岁',
      ad_lock_status: 'ADLOCKSTATUS_UNLOCKED',
      is_deleted: false,
      is_include_unsupported_targeting: false,
      targeting_source_type: 'TARGETING_SOURCE_TYPE_CREATE',
      created_time: expect.any(Number),
    })
    expect(targeting_id).toBeGreaterThan(2n ** 53n)
  })

  test('are changed and deleted, and what is left out of a change stays', async () => {
    const targeting_id = await anId({ description: '旧' })
    const target = { account_id: id(ACCOUNT), targeting_id }
    expect((await older.post('targetings/update', { ...target, targeting_name: `改名${made}` })).code).toBe(0)
    const read = () => list(where('targeting_id', 'IN', [String(targeting_id)]))
    expect(await read()).toMatchObject([{ targeting_name: `改名${made}`, description: '旧', targeting: WOMEN }])
    await older.post('targetings/update', { ...target, targeting: {} })
    expect(await read()).toMatchObject([{ targeting: {} }])
    expect((await older.post('targetings/delete', target)).data.targeting_id).toBe(targeting_id)
    expect(await read()).toEqual([])
    expect((await older.post('targetings/delete', target)).code).toBe(69005)
  })

  test('have names of their own within an account', async () => {
    await anId({ targeting_name: '同名' })
    expect((await add({ targeting_name: '同名' })).code).toBe(50007)
    const other = await anId()
    const rename = { account_id: id(ACCOUNT), targeting_id: other, targeting_name: '同名' }
    expect((await older.post('targetings/update', rename)).code).toBe(50007)
    now.token = await bench.token('social', [OTHER])
    expect((await add({ account_id: id(OTHER), targeting_name: '同名' })).code).toBe(0)
  })

  test('used by running ads are locked', async () => {
    const targeting_id = await anId()
    const adgroup = (configured_status: string) =>
      bench.control('adgroups', {
        ...{ account_id: ACCOUNT, name: '投放', targeting_id: String(targeting_id), configured_status },
      })
    await adgroup('AD_STATUS_NORMAL')
    const target = { account_id: id(ACCOUNT), targeting_id }
    expect((await older.post('targetings/update', { ...target, targeting: {} })).code).toBe(50023)
    expect((await older.post('targetings/delete', target)).code).toBe(50023)
    expect(await list(where('targeting_id', 'EQUALS', [String(targeting_id)]))).toMatchObject([
      { ad_lock_status: 'ADLOCKSTATUS_LOCKED' },
    ])
    const { data } = await older.get('adgroups/get', { account_id: ACCOUNT })
    expect(data.list).toMatchObject([{ adgroup_name: '投放', targeting_id, configured_status: 'AD_STATUS_NORMAL' }])
    expect((await older.get('adgroups/get', { account_id: ACCOUNT, fields: ['name'] })).code).toBe(12009)
    await adgroup('AD_STATUS_SUSPEND')
    expect((await older.post('targetings/delete', target)).code).toBe(0)
  })

  test('hold an audience, which then cannot be deleted', async () => {
    const audience = await anAudience()
    const targeting_id = await anId({ targeting: { excluded_custom_audience: [audience] } })
    const remove = () => caller.post('custom_audiences/delete', { account_id: id(ACCOUNT), audience_id: audience })
    expect((await remove()).code).toBe(50023)
    await older.post('targetings/delete', { account_id: id(ACCOUNT), targeting_id })
    expect((await remove()).code).toBe(0)
  })

  test('are filtered by id, name and time, two conditions at most', async () => {
    const targeting_id = await anId({ targeting_name: `找我${made}` })
    expect(await list(where('targeting_name', 'CONTAINS', ['找我']))).toMatchObject([{ targeting_id }])
    expect(await list(where('created_time', 'GREATER', ['4000000000']))).toEqual([])
    expect(await list(where('targeting_source_type', 'EQUALS', ['TARGETING_SOURCE_TYPE_SHARE']))).toEqual([])
    const code = async (filtering: unknown) =>
      (await older.get('targetings/get', { account_id: ACCOUNT, filtering })).code
    const one = { field: 'targeting_id', operator: 'EQUALS', values: ['1'] }
    expect(await code([one, one, one])).toBe(18003)
    expect(await code([{ ...one, operator: 'CONTAINS' }])).toBe(18009)
    expect(await code([{ ...one, field: 'name' }])).toBe(18009)
    expect(await code([{ ...one, values: ['a'] }])).toBe(31002)
    expect(await code([{ ...one, values: ['1', '2'] }])).toBe(18003)
    expect(await code([{ field: 'created_time', operator: 'LESS', values: ['1'] }])).toBe(31002)
    expect(await code({})).toBe(18002)
  })

  test('are read in pages, and by chosen fields', async () => {
    for (let no = 0; no < 12; no++) await anId()
    const { data } = await older.get('targetings/get', { account_id: ACCOUNT })
    expect(data.list).toHaveLength(10)
    expect(data.page_info).toMatchObject({ page: 1, page_size: 10 })
    const [row] = await list({ fields: ['targeting_id', 'targeting_name'] })
    expect(Object.keys(row ?? {})).toEqual(['targeting_id', 'targeting_name'])
    expect((await older.get('targetings/get', { account_id: ACCOUNT, fields: ['id'] })).code).toBe(12009)
    expect((await older.get('targetings/get', { account_id: ACCOUNT, page_size: 101 })).code).toBe(18003)
  })
})

test.each<[string, object, number]>([
  ['no account', { account_id: undefined }, 18001],
  ['no name', { targeting_name: undefined }, 18001],
  ['an empty name', { targeting_name: '' }, 18004],
  ['a name of 123 bytes', { targeting_name: '定'.repeat(41) }, 18003],
  ['a name with a forbidden character', { targeting_name: '男/女' }, 31002],
  ['a description of 251 bytes', { description: 'a'.repeat(251) }, 18003],
  ['an unknown parameter', { name: '甲' }, 31002],
  ['a targeting that is text', { targeting: '{}' }, 18002],
  ['a dimension that cannot be written', { targeting: { working_status: ['IT_WORKER'] } }, 31002],
  ['a price of homes', { targeting: { residential_community_price: [{ min: 1, max: 2 }] } }, 31002],
])('%s is refused', async (_, change, code) => {
  expect((await add(change)).code).toBe(code)
})

describe('the two generations', () => {
  test('the newer one only lists, by POST, and without what it no longer has', async () => {
    const targeting = { ...WOMEN, consumption_status: ['HIGH'] }
    const targeting_id = await anId({ targeting })
    const { data, code } = await caller.post('targetings/get', { account_id: id(ACCOUNT), page_size: 1 })
    expect(code).toBe(0)
    expect(data.list).toMatchObject([{ targeting_id, targeting: WOMEN, targeting_source_msg: '自建' }])
    expect(data.list[0]).not.toHaveProperty('ad_lock_status')
    expect((await caller.get('targetings/get', { account_id: ACCOUNT })).code).toBe(12007)
    expect((await older.post('targetings/get', { account_id: id(ACCOUNT) })).code).toBe(12007)
    for (const action of ['add', 'update', 'delete']) {
      expect((await caller.post(`targetings/${action}`, body({ targeting_id }))).code).toBe(12007)
    }
    expect((await caller.post('targetings_share/add', { account_id: id(ACCOUNT), targeting_id })).code).toBe(12007)
  })

  test('the scope of ads is needed', async () => {
    now.token = await bench.token('social', [ACCOUNT], ['audience_management'])
    expect((await add()).code).toBe(11014)
  })
})

describe('a request id', () => {
  test('makes adding idempotent, with the same content alone', async () => {
    const once = body()
    const [first, again] = [
      await older.post('targetings/add', once, { 'x-request-id': 'one' }),
      await older.post('targetings/add', once, { 'x-request-id': 'one' }),
    ]
    expect(first.code).toBe(0)
    expect(again.data.targeting_id).toBe(first.data.targeting_id)
    expect((await list(where('targeting_name', 'EQUALS', [once.targeting_name]))).length).toBe(1)
    expect((await add({}, { 'x-request-id': 'one' })).code).toBe(31060)
  })

  test('is not taken by other changes', async () => {
    const target = { account_id: id(ACCOUNT), targeting_id: await anId() }
    expect((await older.post('targetings/update', target, { 'x-request-id': 'two' })).code).toBe(12010)
    expect((await older.post('targetings/delete', target, { 'x-request-id': 'three' })).code).toBe(12010)
  })
})

test('changes of an account have a limit a minute, which other accounts do not share', async () => {
  await bench.control('switches', { social_targeting_limits: true })
  const targeting_id = await anId()
  const change = () => older.post('targetings/update', { account_id: id(ACCOUNT), targeting_id, description: '说明' })
  const codes = []
  for (let no = 0; no < 61; no++) codes.push((await change()).code)
  expect(codes.slice(0, 60).every((code) => code === 0)).toBe(true)
  expect(codes.at(-1)).toBe(11017)
})

describe('sharing', () => {
  const share = (targeting_id: bigint, to: string, more: object = {}) =>
    older.post('targetings_share/add', {
      ...{ account_id: id(ACCOUNT), targeting_id, share_to_account_id: id(to), share_type: 'SHARE_TYPE_SAME_MDM' },
      ...more,
    })

  test('makes a copy in an account of the same company', async () => {
    const targeting_id = await anId()
    const { code, data } = await share(targeting_id, OTHER)
    expect(code).toBe(0)
    const copies = await older.get('targetings_share/get', { account_id: ACCOUNT, targeting_id })
    expect(copies.data.list).toMatchObject([
      { targeting_id, share_to_account_id: id(OTHER), share_to_targeting_id: data.targeting_id },
    ])
    now.token = await bench.token('social', [OTHER])
    const there = await older.get('targetings/get', { account_id: OTHER, page_size: 1 })
    expect(there.data.list).toMatchObject([
      {
        targeting_id: data.targeting_id,
        targeting_source_type: 'TARGETING_SOURCE_TYPE_SHARE',
        share_from_account_id: id(ACCOUNT),
        share_from_targeting_id: targeting_id,
        targeting: WOMEN,
      },
    ])
  })

  test('is refused to another company, to itself, where the name is taken and without an account', async () => {
    const targeting_id = await anId()
    expect((await share(targeting_id, FOREIGN)).code).toBe(31033)
    expect((await share(targeting_id, ACCOUNT)).code).toBe(12201)
    expect((await share(targeting_id, OTHER, { share_type: 'ALL' })).code).toBe(18009)
    expect((await share(targeting_id, OTHER, { share_to_account_id: undefined })).code).toBe(18001)
    expect((await share(targeting_id, OTHER)).code).toBe(0)
    expect((await share(targeting_id, OTHER)).code).toBe(50007)
  })
})

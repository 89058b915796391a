import { describe, expect, test } from 'vitest'
import { ACCOUNT, id, OTHER, socialForTest } from './testing.ts'

const { bench, now, caller, older } = await socialForTest()

interface Item {
  id: number
  name: string
  parent_id: number
  parent_name: string
  city_level: string
  tag_class?: string
}
const MODE = 'TARGETING_TAG_QUERY_MODE_'
const spec = (mode: string, query_spec?: object, family = 'behavior') => ({
  [`${family}_spec`]: { query_mode: MODE + mode, ...(query_spec && { query_spec }) },
})
const ask = (query: object, from = caller) => from.get('targeting_tags/get', { account_id: id(ACCOUNT), ...query })
const listOf = async (query: object) => {
  const { code, message, data } = await ask(query)
  expect({ code, message }).toEqual({ code: 0, message: '' })
  return data.list as unknown as Item[]
}
const behaviours = (mode: string, query_spec?: object) => listOf({ type: 'BEHAVIOR', tag_spec: spec(mode, query_spec) })

describe('the lists', () => {
  test('regions are all provinces, cities and districts in one flat list, each after its parent', async () => {
    const list = await listOf({ type: 'REGION' })
    const byId = new Map(list.map((one) => [one.id, one]))
    expect(list.filter(({ parent_id }) => parent_id === 0)).toHaveLength(34)
    expect(list).toHaveLength(34 + 363 + 2833)
    const seen = new Set([0])
    for (const one of list) {
      expect(seen.has(one.parent_id)).toBe(true)
      expect(one.parent_name).toBe(byId.get(one.parent_id)?.name ?? '')
      seen.add(one.id)
    }
    expect(byId.get(440300)).toMatchObject({ name: '深圳市', parent_id: 440000, city_level: 'CITY_LEVEL_FIRST' })
  })

  test('商圈 stand below regions, several in each city', async () => {
    const regions = new Map((await listOf({ type: 'REGION' })).map((one) => [one.id, one]))
    const list = await listOf({ type: 'BUSINESS_DISTRICT' })
    expect(list.length).toBeGreaterThan(5000)
    for (const { parent_id, parent_name } of list) expect(regions.get(parent_id)?.name).toBe(parent_name)
  })

  test('behaviours and interests have thousands of categories, intentions and devices hundreds', async () => {
    const common = await behaviours('COMMON')
    expect(common.length).toBeGreaterThan(2000)
    expect(new Set(common.map(({ tag_class }) => tag_class))).toEqual(new Set(['CATEGORY']))
    const interests = await listOf({ type: 'INTEREST', tag_spec: spec('COMMON', undefined, 'interest') })
    expect(interests.length).toBeGreaterThan(2000)
    for (const type of ['INTENTION', 'DEVICE_BRAND_MODEL']) {
      const list = await listOf({ type })
      expect(list.length).toBeGreaterThan(200)
      expect(list.some((one) => 'tag_class' in one)).toBe(false)
    }
  })
})

describe('asking for tags', () => {
  test('a search finds categories and keywords, as many as asked for and never over fifty', async () => {
    const found = await behaviours('SEARCH', { query: '手机' })
    expect(found).toHaveLength(50)
    expect(found.every(({ name }) => name.includes('手机'))).toBe(true)
    expect(new Set(found.map(({ tag_class }) => tag_class))).toEqual(new Set(['CATEGORY', 'KEYWORD']))
    expect(await behaviours('SEARCH', { query: '手机', max_result_number: 3 })).toEqual(found.slice(0, 3))
    const excluding_targeting_tags = found.slice(0, 2).map(({ name }) => name)
    const rest = await behaviours('SEARCH', { query: '手机', excluding_targeting_tags })
    expect(rest.some(({ name }) => excluding_targeting_tags.includes(name))).toBe(false)
    expect(await behaviours('SEARCH', { query: '没有这样的词' })).toEqual([])
  })

  test('recommendations are keywords, the same for the same word', async () => {
    const [one] = (await behaviours('SEARCH', { query: '咖啡' })).filter(({ tag_class }) => tag_class === 'KEYWORD')
    const near = await behaviours('RECOMMEND', { query: one?.name })
    expect(near.length).toBeGreaterThan(10)
    expect(near.map(({ id: no }) => no)).not.toContain(one?.id)
    expect(await behaviours('RECOMMEND', { query: one?.name })).toEqual(near)
    for (const kind of ['SYSTEMATIC', 'INDUSTRY_HOT']) {
      const advanced_recommend_type = `ADVANCED_RECOMMEND_TYPE_${kind}`
      expect((await behaviours('ADVANCED_RECOMMEND', { advanced_recommend_type })).length).toBeGreaterThan(10)
    }
  })

  test('of a list of texts only those that are keywords now come back', async () => {
    const names = (await behaviours('SEARCH', { query: '女装' }))
      .filter(({ tag_class }) => tag_class === 'KEYWORD')
      .map(({ name }) => name)
    const query_list = [...names, '没有这样的词']
    expect((await behaviours('VERIFY_QUERY_LIST', { query_list })).map(({ name }) => name)).toEqual(names)
  })

  const many = (count: number) => Array.from({ length: count }, (_, no) => `词${no}`)
  test.each<[string, object, number]>([
    ['no account', { account_id: undefined }, 18001],
    ['another account', { account_id: id(OTHER) }, 12203],
    ['no type', { type: undefined }, 18001],
    ['an unknown type', { type: 'CITY' }, 18009],
    ['a tag_spec for regions', { type: 'REGION', tag_spec: spec('COMMON') }, 31002],
    ['no tag_spec for behaviours', { tag_spec: undefined }, 18001],
    ['a tag_spec that is no object', { tag_spec: '[]' }, 18002],
    ['the tag_spec of interests', { tag_spec: spec('COMMON', undefined, 'interest') }, 31002],
    ['no query_mode', { tag_spec: { behavior_spec: {} } }, 18001],
    ['an unknown query_mode', { tag_spec: spec('FIND') }, 18009],
    ['a search without a word', { tag_spec: spec('SEARCH') }, 18001],
    ['an empty word', { tag_spec: spec('SEARCH', { query: '' }) }, 18004],
    ['a word of 201 bytes', { tag_spec: spec('SEARCH', { query: 'a'.repeat(201) }) }, 18003],
    ['a word that is a number', { tag_spec: spec('SEARCH', { query: 5 }) }, 18002],
    ['51 results', { tag_spec: spec('SEARCH', { query: '手机', max_result_number: 51 }) }, 18003],
    ['no results', { tag_spec: spec('SEARCH', { query: '手机', max_result_number: 0 }) }, 18004],
    ['a verification of nothing', { tag_spec: spec('VERIFY_QUERY_LIST', { query_list: [] }) }, 18012],
    ['a verification of 251', { tag_spec: spec('VERIFY_QUERY_LIST', { query_list: many(251) }) }, 18003],
    ['a text of 65 bytes', { tag_spec: spec('VERIFY_QUERY_LIST', { query_list: ['a'.repeat(65)] }) }, 18003],
    ['251 exclusions', { tag_spec: spec('SEARCH', { query: 'a', excluding_targeting_tags: many(251) }) }, 18003],
    ['a recommendation of no kind', { tag_spec: spec('ADVANCED_RECOMMEND') }, 18001],
    ['an unknown field', { tag_spec: spec('SEARCH', { query: '手机', page: 1 }) }, 31002],
    ['an unknown parameter', { type: 'REGION', tag_spec: undefined, page: 1 }, 31002],
  ])('%s is refused', async (_, change, code) => {
    const query = { account_id: id(ACCOUNT), type: 'BEHAVIOR', tag_spec: spec('COMMON'), ...change }
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
    expect((await caller.get('targeting_tags/get', given)).code).toBe(code)
  })

  test('the older generation wants no account, and has fewer types', async () => {
    expect((await older.get('targeting_tags/get', { type: 'REGION' })).code).toBe(0)
    expect((await ask({ type: 'BUSINESS_DISTRICT' }, older)).code).toBe(18009)
    expect((await caller.post('targeting_tags/get', { account_id: id(ACCOUNT), type: 'REGION' })).code).toBe(12007)
  })
})

describe('users of categories', () => {
  const uv = (query: object) =>
    caller.get('targeting_tags_uv/get', { account_id: id(ACCOUNT), category_type: 'BEHAVIOR', ...query })

  test('all of a type are counted, and a parent holds no fewer than each child and no more than all together', async () => {
    const { data } = await uv({})
    const users = new Map(data.list.map((row) => [row.category_id, Number(row.category_uv)]))
    const common = await behaviours('COMMON')
    expect(users.size).toBe(common.length)
    for (const parent of common.filter(({ parent_id }) => parent_id === 0)) {
      const below = common.filter(({ parent_id }) => parent_id === parent.id).map((one) => users.get(one.id) ?? 0)
      expect(users.get(parent.id)).toBeGreaterThanOrEqual(Math.max(...below))
      expect(users.get(parent.id)).toBeLessThanOrEqual(below.reduce((sum, one) => sum + one, 0))
    }
  })

  test('only some are counted on demand, and what is none is refused', async () => {
    const [one] = await listOf({ type: 'INTENTION' })
    const { data } = await uv({ category_type: 'INTENTION', category_list: [one?.id] })
    expect(data.list).toEqual([{ category_id: one?.id, category_name: one?.name, category_uv: expect.any(Number) }])
    expect((await uv({ category_type: 'REGION' })).code).toBe(18009)
    expect((await uv({ category_list: ['1'] })).code).toBe(18002)
    expect((await uv({ category_list: [1] })).code).toBe(31002)
  })

  test('any scope of the application suffices', async () => {
    now.token = await bench.token('social', [ACCOUNT], ['audience_management'])
    expect((await uv({ category_list: [10_000] })).code).toBe(0)
  })
})

import { describe, expect, test } from 'vitest'
import { accountId } from '../platforms.ts'
import { FOREIGN_ACCOUNT, type Row } from '../testing.ts'
import { ACCOUNT, adv, id, videoForTest } from './testing.ts'

const { bench, now, caller } = await videoForTest()

interface Node {
  id: unknown
  name: string
  num: string
  children: Node[]
}
interface District {
  code: string
  name: string
  level: string
  sub_districts: District[]
}

async function data<T>(path: string, query: object = {}): Promise<T> {
  const { code, message, data } = await caller.get(`tools/${path}/`, { ...adv, ...query })
  expect({ code, message }).toEqual({ code: 0, message: 'OK' })
  return data as T
}
const refusal = async (path: string, query: object = {}) => {
  const { code, message } = await caller.get(`tools/${path}/`, { ...adv, ...query })
  expect(code).not.toBe(0)
  return { code, message }
}
const tree = (query: object = { action_days: 30 }) => data<Node[]>('interest_action/action/category', query)
const figure = (text: string) => (text.endsWith('万') ? Number.parseFloat(text) * 10_000 : Number(text))
const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.children)])

describe('regions', () => {
  const country = () =>
    data<{ districts: District[]; version: string }>('admin/info', {
      codes: ['CN'],
      language: 'ZH_CN',
      sub_district: 'THREE_LEVEL',
    })

  test('are all provinces, cities and districts, each once', async () => {
    const { districts, version } = await country()
    const levels: Record<string, number> = {}
    const codes = new Set<string>()
    const walk = ({ code, level, sub_districts }: District) => {
      levels[level] = (levels[level] ?? 0) + 1
      expect(codes.has(code)).toBe(false)
      codes.add(code)
      sub_districts.forEach(walk)
    }
    districts.forEach(walk)
    expect(levels).toEqual({ COUNTRY: 1, PROVINCE: 34, CITY: 363, DISTRICT: 2833 })
    expect(version).toBe('V2_3_2')
  })

  test('are read from one place, as deep as asked', async () => {
    const query = { codes: ['440000'], language: 'ZH_CN', sub_district: 'ONE_LEVEL' }
    const { districts } = await data<{ districts: District[] }>('admin/info', query)
    expect(districts.map(({ name }) => name)).toEqual(['广东省'])
    expect(districts[0]?.sub_districts.find(({ code }) => code === '440300')).toMatchObject({
      name: '深圳市',
      level: 'CITY',
      sub_districts: [],
    })
  })

  test.each([
    [{ codes: ['999999'] }, '999999'],
    [{ codes: [] }, 'codes'],
    [{ sub_district: 'ALL' }, 'sub_district'],
    [{ language: 'EN' }, 'language'],
  ])('are refused for %j', async (wrong, word) => {
    const query = { codes: ['CN'], language: 'ZH_CN', sub_district: 'NONE', ...wrong }
    expect(await refusal('admin/info', query)).toMatchObject({ code: 40000, message: expect.stringContaining(word) })
  })
})

describe('behaviours and interests', () => {
  test('are thousands of categories up to four levels deep, each with an id of its own', async () => {
    const roots = await tree()
    const all = flat(roots)
    expect(all.length).toBeGreaterThan(4000)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(all.every(({ id }) => typeof id === 'string')).toBe(true)
    expect(flat(roots[0]?.children[0]?.children[0]?.children ?? [])).toHaveLength(3)
  })

  test('reach no more people below than above, and no more in fewer days or in one scene', async () => {
    const [year, week, oneScene] = await Promise.all([
      tree({ action_days: 365 }),
      tree({ action_days: 7 }),
      tree({ action_days: 365, action_scene: ['SEARCH'] }),
    ])
    const [weeks, scenes] = [flat(week), flat(oneScene)]
    for (const [index, node] of flat(year).entries()) {
      for (const child of node.children) expect(figure(child.num)).toBeLessThanOrEqual(figure(node.num))
      expect(figure(weeks[index]?.num ?? '')).toBeLessThanOrEqual(figure(node.num))
      expect(figure(scenes[index]?.num ?? '')).toBeLessThanOrEqual(figure(node.num))
    }
    expect(figure(week[0]?.num ?? '')).toBeGreaterThan(0)
  })

  test('have keywords that are found by a part of them, at most fifty', async () => {
    const { list } = await data<{ list: Row[] }>('interest_action/action/keyword', {
      query_words: '咖啡',
      action_days: 30,
    })
    expect(list).toHaveLength(50)
    expect(list.every(({ name }) => String(name).includes('咖啡'))).toBe(true)
    expect(
      (await data<{ list: Row[] }>('interest_action/interest/keyword', { query_words: '没有这个词' })).list,
    ).toEqual([])
  })

  test('name their ids, except those that were withdrawn', async () => {
    const { list } = await data<{ list: Row[] }>('interest_action/interest/keyword', { query_words: '女装' })
    const ids = list.map(({ id: one }) => Number(one))
    const missing = ids[0] as number
    const withdrawn = Array.from({ length: 97 }, (_, step) => missing + step).filter((one) => !ids.includes(one))
    const asked = [...ids.slice(0, 3), ...withdrawn.slice(0, 2)]
    const query = { ids: asked, tag_type: 'KEYWORD', targeting_type: 'INTEREST' }
    const { keywords, categories } = await data<{ keywords: Row[]; categories: Row[] }>(
      'interest_action/id2word',
      query,
    )
    expect(keywords.slice(0, 3)).toEqual(list.slice(0, 3))
    expect(categories).toEqual([])
    const [root] = await tree()
    const named = { ids: [id(String(root?.id))], tag_type: 'CATEGORY', targeting_type: 'ACTION', action_days: 30 }
    expect((await data<{ categories: Row[] }>('interest_action/id2word', named)).categories).toEqual([
      { id: root?.id, name: root?.name, num: root?.num },
    ])
    const gone = { ids: [1, 20_000_096], tag_type: 'KEYWORD', targeting_type: 'ACTION', action_days: 30 }
    expect((await data<{ keywords: Row[] }>('interest_action/id2word', gone)).keywords).toEqual([])
  })

  test('suggest keywords near a chosen one, without it', async () => {
    const { list } = await data<{ list: Row[] }>('interest_action/interest/keyword', { query_words: '跑步' })
    const chosen = list[0] as Row
    const query = { id: id(String(chosen.id)), tag_type: 'KEYWORD', targeting_type: 'INTEREST' }
    const { keywords } = await data<{ keywords: Row[] }>('interest_action/keyword/suggest', query)
    expect(keywords.length).toBeGreaterThan(10)
    expect(keywords.map((one) => one.id)).not.toContain(chosen.id)
    expect(String(keywords[0]?.name)).toContain('跑步')
  })

  test.each([
    ['action/category', {}, 'action_days'],
    ['action/category', { action_days: 8 }, 'action_days'],
    ['action/category', { action_days: 30, action_scene: ['TV'] }, 'TV'],
    ['action/keyword', { action_days: 30 }, 'query_words'],
    ['id2word', { ids: Array.from({ length: 51 }, (_, no) => no + 1) }, 'ids'],
    ['id2word', { ids: [1], tag_type: 'WORD' }, 'tag_type'],
    ['keyword/suggest', { id: 1 }, 'id'],
  ])('%s refuses %j', async (path, query, word) => {
    const given = { tag_type: 'KEYWORD', targeting_type: 'INTEREST', ...query }
    const asked = path.startsWith('action') ? query : given
    expect((await refusal(`interest_action/${path}`, asked)).message).toContain(word)
  })
})

describe('creators', () => {
  const behaviors = ['FOLLOWED_USER', 'LIKED_USER']
  const top = async (more: object = { behaviors }) => {
    const { categories } = await data<{ categories: Row[] }>('aweme_multi_level_category/get', { behaviors })
    const query = { category_id: categories[0]?.id, ...more }
    return (await data<{ authors: Row[] }>('aweme_category_top_author/get', query)).authors
  }

  test('stand in categories of three levels, and are read by category with most fans first', async () => {
    const { categories } = await data<{ categories: Row[] }>('aweme_multi_level_category/get', { behaviors })
    expect(categories).toHaveLength(24)
    const deepest = (categories[0] as never as { children: { children: { children: unknown[] }[] }[] }).children[0]
      ?.children[0]
    expect(deepest?.children).toEqual([])
    const authors = await top()
    expect(authors).toHaveLength(50)
    expect(typeof authors[0]?.label_id).toBe('bigint')
    const fans = authors.map(({ total_fans_num_str }) => figure(String(total_fans_num_str)))
    expect(fans).toEqual(fans.toSorted((a, b) => b - a))
  })

  test('have coverage only for the behaviours asked for', async () => {
    const [followed, none] = await Promise.all([top(), top({})])
    expect(figure(String(followed[0]?.cover_num_str))).toBeGreaterThan(0)
    expect(none[0]?.cover_num_str).toBe('0')
    expect(none[0]?.label_id).toBe(followed[0]?.label_id)
  })

  test('are found by words, by their ids and by likeness', async () => {
    const { list } = await data<{ list: { authors: Row[]; categories: Row[] }[] }>('aweme_info_search', {
      query_word: '咖啡',
      behaviors,
    })
    const authors = list[0]?.authors ?? []
    expect(authors).toHaveLength(50)
    expect(list[0]?.categories.length).toBeGreaterThan(3)
    const label_ids = authors.slice(0, 2).map(({ label_id }) => label_id)
    const named = await data<{ authors: Row[] }>('aweme_author_info/get', { label_ids: [...label_ids, 7], behaviors })
    expect(named.authors).toEqual(authors.slice(0, 2))
    const likes = await data<{ list: Row[] }>('aweme_similar_author_search', {
      aweme_id: authors[0]?.aweme_id,
      behaviors,
    })
    expect(likes.list.length).toBeGreaterThan(5)
    expect(likes.list.map(({ label_id }) => label_id)).not.toContain(authors[0]?.label_id)
  })

  test.each([
    ['aweme_category_top_author/get', { category_id: 1 }, 'category_id'],
    ['aweme_author_info/get', { label_ids: Array.from({ length: 51 }, (_, no) => no + 1) }, 'label_ids'],
    ['aweme_info_search', {}, 'query_word'],
    ['aweme_similar_author_search', { aweme_id: 'nobody' }, 'nobody'],
    ['aweme_multi_level_category/get', { behaviors: ['SLEPT'] }, 'SLEPT'],
  ])('%s refuses %j', async (path, query, word) => {
    expect((await refusal(path, query)).message).toContain(word)
  })
})

describe('crowds for plans of the commerce platform', () => {
  const SHOP_ACCOUNT = accountId('video', 6)
  const read = async (query: object, account = SHOP_ACCOUNT) => {
    const url = new URL(`${bench.box.videoUrl}/open_api/v1.0/qianchuan/dmp/audiences/get/`)
    for (const [name, value] of Object.entries({ advertiser_id: account, ...query })) {
      url.searchParams.set(name, String(value))
    }
    return (await (await fetch(url, { headers: { 'access-token': now.token } })).json()) as {
      code: number
      message: string
      data: { offset: number; total_num: number; retargeting_tags: Row[] }
    }
  }
  const allowed = async () => {
    now.token = await bench.token('video', [ACCOUNT, SHOP_ACCOUNT])
  }

  test('are curated ones with one purpose, and own ones; some have no effect', async () => {
    await allowed()
    const curated = (await read({ retargeting_tags_type: 0 })).data.retargeting_tags
    expect(new Set(curated.map(({ retargeting_tags_op }) => retargeting_tags_op))).toEqual(
      new Set(['INCLUDE', 'EXCLUDE']),
    )
    expect(curated.every(({ source }) => source === '')).toBe(true)
    const own = (await read({ retargeting_tags_type: 1 })).data.retargeting_tags
    expect(new Set(own.map(({ retargeting_tags_op }) => retargeting_tags_op))).toEqual(new Set(['ALL']))
    expect(new Set(own.map(({ is_common }) => is_common))).toEqual(new Set([0, 1]))
    expect(new Set(own.map(({ status }) => status))).toEqual(new Set([2, 8, 11, 9]))
  })

  test('are read page by page until the next offset is 0', async () => {
    await allowed()
    const first = (await read({ retargeting_tags_type: 1, limit: 20 })).data
    expect(first).toMatchObject({ offset: 20, total_num: 36 })
    const second = (await read({ retargeting_tags_type: 1, limit: 20, offset: first.offset })).data
    expect(second.offset).toBe(0)
    const whole = (await read({ retargeting_tags_type: 1 })).data
    expect([...first.retargeting_tags, ...second.retargeting_tags]).toEqual(whole.retargeting_tags)
  })

  test('are refused for an account that is not one of the commerce platform, or not covered', async () => {
    await allowed()
    expect((await read({ retargeting_tags_type: 1 }, ACCOUNT)).code).toBe(40002)
    expect((await read({ retargeting_tags_type: 1 }, FOREIGN_ACCOUNT)).code).toBe(40002)
    expect((await read({ retargeting_tags_type: 2 })).code).toBe(40000)
    expect((await read({ retargeting_tags_type: 1, limit: 101 })).code).toBe(40000)
  })
})

test('an account that the token does not cover gets no look-up', async () => {
  expect(await refusal('interest_action/interest/category', { advertiser_id: FOREIGN_ACCOUNT })).toMatchObject({
    code: 40002,
  })
})

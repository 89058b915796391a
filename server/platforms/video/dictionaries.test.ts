import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sentenceOf } from '#contract/outcome.ts'
import type { TagNode } from '#contract/targeting-tags.ts'
import { accountId } from '../../../sandbox/platforms.ts'
import { faultOf, type PlatformWorld, platformWorld, shapeOf, type TestAccount } from '../../testing/platform-world.ts'
import { COMMERCE, VIDEO } from '../../testing/platforms.ts'
import type { TargetingDictionaries } from '../targeting-platform.ts'

const WINDOW = { days: 30, scenes: [] }

let world: PlatformWorld
let video: Required<TargetingDictionaries>
let commerce: Required<TargetingDictionaries>
let advertiser: TestAccount
let shop: TestAccount
beforeAll(async () => {
  world = await platformWorld()
  video = world.platforms.dictionariesOf(VIDEO) as Required<TargetingDictionaries>
  commerce = world.platforms.dictionariesOf(COMMERCE) as Required<TargetingDictionaries>
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.control('switches/reset', {})
  await world.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
  advertiser = await world.session('video', accountId('video', 1))
  shop = await world.session('video', accountId('video', 6))
  world.takeCalls()
})

const levels = (nodes: readonly TagNode[]): number[] =>
  nodes.length === 0 ? [] : [nodes.length, ...levels(nodes.flatMap(({ children }) => children))]

test('every look-up sends what the reviewed snapshot shows, and nothing that the platform does not know', async () => {
  const { on } = world
  await commerce.regions(shop, on)
  await commerce.categories(shop, 'behaviour', { days: 7, scenes: ['APP', 'E-COMMERCE'] }, on)
  const [interest] = await commerce.categories(shop, 'interest', WINDOW, on)
  const [word] = await commerce.keywords(shop, 'behaviour', WINDOW, { by: 'query_word', word: '手机' }, on)
  const id = word?.value ?? ''
  await commerce.keywords(shop, 'interest', WINDOW, { by: 'query_word', word: '手机' }, on)
  await commerce.keywords(shop, 'behaviour', WINDOW, { by: 'ids', ids: [id] }, on)
  await commerce.keywords(shop, 'behaviour', WINDOW, { by: 'near_keyword', id }, on)
  await commerce.keywords(shop, 'interest', WINDOW, { by: 'near_category', id: interest?.value ?? '' }, on)
  const behaviors = ['COMMENTED_USER', 'LIKED_USER']
  const [category] = await commerce.creatorCategories(shop, behaviors, on)
  const { authors } = await commerce.creators(shop, behaviors, { by: 'category_id', id: category?.value ?? '' }, on)
  await commerce.creators(shop, behaviors, { by: 'query_word', word: '美食' }, on)
  await commerce.creators(shop, behaviors, { by: 'aweme_id', id: authors[0]?.aweme_id ?? '' }, on)
  await commerce.creators(shop, behaviors, { by: 'ids', ids: [authors[0]?.label_id ?? ''] }, on)
  await commerce.crowds(shop, on)
  await video.crowds(advertiser, on)
  const names = { [shop.current]: 'token', [advertiser.current]: 'token', [id]: 'keyword' }
  const shapes = await Promise.all(world.takeCalls().map((call) => shapeOf(call, names)))
  await expect(`${shapes.join('\n\n')}\n`).toMatchFileSnapshot('./dictionaries.snapshot.txt')
  const seen = await world.control<{ unknown?: string[] }[]>('calls')
  expect(seen.filter(({ unknown }) => unknown?.length)).toEqual([])
})

describe('the answers', () => {
  test('regions are provinces, cities and districts, by their codes', async () => {
    const regions = await video.regions(advertiser, world.on)
    const all = (nodes: readonly TagNode[]): TagNode[] => nodes.flatMap((node) => [node, ...all(node.children)])
    const counts = Object.groupBy(all(regions), ({ level = 'CITY' }) => level)
    const lengths = Object.fromEntries(Object.entries(counts).map(([level, { length }]) => [level, length]))
    expect(lengths).toEqual({ PROVINCE: 34, CITY: 363, DISTRICT: 2833 })
    const [found] = regions.filter(({ label }) => label === '广东省')
    expect(found).toMatchObject({ value: '440000', num: null })
    expect(found?.children.map(({ label }) => label)).toContain('深圳市')
  })

  test('categories have names, coverage and 64-bit ids as text', async () => {
    const categories = await video.categories(advertiser, 'behaviour', WINDOW, world.on)
    expect(levels(categories).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(4000)
    expect(categories[0]?.value).toMatch(/^\d+$/)
    expect(categories[0]?.num).toMatch(/^[\d.]+(万|亿)?$/)
  })

  test('names of more ids than one call takes are read in several calls, and gone ones are missing', async () => {
    const words = '手机 美食 运动 旅游 汽车 护肤 母婴 游戏'.split(' ')
    const found = new Map<string, string>()
    for (const word of words) {
      const rows = await video.keywords(advertiser, 'behaviour', WINDOW, { by: 'query_word', word }, world.on)
      for (const { value, label } of rows) found.set(value, label)
    }
    expect(found.size).toBeGreaterThan(100)
    world.takeCalls()
    const ids = [...found.keys(), '999999999999999999']
    const named = await video.keywords(advertiser, 'behaviour', WINDOW, { by: 'ids', ids }, world.on)
    expect(world.takeCalls()).toHaveLength(Math.ceil(ids.length / 50))
    expect(new Map(named.map(({ value, label }) => [value, label]))).toEqual(found)
  })

  test('creators have a name, their number of fans and a picture', async () => {
    const asked = { by: 'query_word', word: '美食' } as const
    const { authors, categories } = await video.creators(advertiser, ['FOLLOWED_USER'], asked, world.on)
    expect(authors.length).toBeGreaterThan(0)
    expect(authors.length).toBeLessThanOrEqual(50)
    expect(categories.length).toBeGreaterThan(0)
    expect(authors[0]).toMatchObject({
      label_id: expect.stringMatching(/^\d+$/),
      avatar: expect.stringMatching(/^data:image/),
    })
    const ids = [authors[0]?.label_id ?? '', '5']
    const byId = await video.creators(advertiser, ['FOLLOWED_USER'], { by: 'ids', ids }, world.on)
    expect(byId.authors).toEqual([authors[0]])
  })

  test('crowds of the commerce platform are the curated ones and the account’s own, over all pages', async () => {
    const crowds = await commerce.crowds(shop, world.on)
    expect(crowds.filter(({ source }) => !source)).toHaveLength(48)
    expect(crowds.filter(({ source }) => source)).toHaveLength(36)
    expect(new Set(crowds.map(({ retargeting_tags_op: op }) => op))).toEqual(new Set(['INCLUDE', 'EXCLUDE', 'ALL']))
    expect(new Set(crowds.map(({ is_common }) => is_common))).toEqual(new Set([0, 1]))
    expect(new Set(crowds.map(({ retargeting_tags_id: id }) => id)).size).toBe(84)
  })
})

test('a look-up that the platform refuses, or does not answer, is a fault', async () => {
  const near = { by: 'near_keyword', id: '1' } as const
  expect(await faultOf(video.keywords(advertiser, 'interest', WINDOW, near, world.on))).toMatchObject({
    kind: 'refused',
  })
  await world.control('faults', { platform: 'video', path: 'admin/info', kind: 'error', status: 503 })
  expect(await faultOf(video.regions(advertiser, world.on))).toMatchObject({ kind: 'later' })
  const denied = await faultOf(commerce.crowds(advertiser, world.on))
  expect(sentenceOf(denied.outcome)).toContain('不是千川账户')
})

import { beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { addRegionPlan } from '#contract/region-plan.ts'
import { findTags, getTags, listTargetingCrowds, type TagNode } from '#contract/targeting-tags.ts'
import { accountId } from '../../../sandbox/platforms.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { COMMERCE, SOCIAL } from '../../testing/platforms.ts'
import { anAuthorisedAccount } from '../../testing/push.ts'
import { now } from '../../time/clock.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres
/** Shops of the stand-in. */
const SHOP = 6
const OTHER = 18

let adv_id: number
let account: number
beforeEach(async () => {
  await app.reset()
  await db.deleteFrom('dictionary_copy').execute()
  await sandbox.control('switches/reset', {})
  await sandbox.control('faults/forget', {})
  adv_id = await anAdvertiser(app)
  account = await anAuthorisedAccount(app, sandbox, adv_id, COMMERCE, accountId('video', SHOP))
})

type Filters = Parameters<typeof tags>[1]
const tags = (type: string, filtering: { field: string; values: (string | number)[] }[] = []) =>
  app.admin.get(findTags, { body: { advertiser_id: account, type, filtering } as never })
const refused = (type: string, filtering: Filters = []) =>
  app.admin.call(findTags, { body: { advertiser_id: account, type, filtering } as never })
const crowds = (query: object = {}) =>
  app.admin.get(listTargetingCrowds, { query: { advertiser_id: account, ...query } })
const calls = async (path: string) =>
  (await sandbox.control<{ path: string }[]>('calls')).filter((call) => call.path.includes(path)).length
const gone = (path: string) =>
  sandbox.control('faults', { platform: 'video', path, kind: 'error', status: 503, times: 1000 })
const aged = (seconds: number) =>
  db
    .updateTable('dictionary_copy')
    .set({ read_at: now() - seconds })
    .execute()

test('a tree comes from the platform once a day, for every account of the platform', async () => {
  const before = await calls('admin/info')
  const first = await tags('REGION')
  expect(first.REGION).toHaveLength(34)
  expect(first).toMatchObject({ fail_outcome: null })
  expect(first.read_at).toBeGreaterThan(now() - 60)
  account = await anAuthorisedAccount(app, sandbox, adv_id, COMMERCE, accountId('video', OTHER))
  await aged(3600)
  expect((await tags('REGION')).REGION).toEqual(first.REGION)
  expect(await calls('admin/info')).toBe(before + 1)
  await aged(90_000)
  expect((await tags('REGION')).read_at).toBeGreaterThan(now() - 60)
  expect(await calls('admin/info')).toBe(before + 2)
})

test('ten who ask at once make one call', async () => {
  const before = await calls('interest/category')
  const all = await Promise.all(Array.from({ length: 10 }, () => tags('INTEREST')))
  expect(new Set(all.map(({ INTEREST }) => INTEREST?.length)).size).toBe(1)
  expect(await calls('interest/category')).toBe(before + 1)
})

test('other days or scenes are another tree, in whatever order the scenes stand', async () => {
  const before = await calls('action/category')
  const num = (nodes: readonly TagNode[] | undefined) => nodes?.map((node) => node.num).join()
  const week = await tags('BEHAVIOR', [{ field: 'action_days', values: [7] }])
  const year = await tags('BEHAVIOR', [{ field: 'action_days', values: ['365'] }])
  expect(num(week.BEHAVIOR)).not.toBe(num(year.BEHAVIOR))
  await tags('BEHAVIOR', [{ field: 'action_scene', values: ['APP', 'NEWS'] }])
  await tags('BEHAVIOR', [{ field: 'action_scene', values: ['NEWS', 'APP'] }])
  expect(await calls('action/category')).toBe(before + 3)
})

test('while the platform is gone, the last copy is served with its age and the reason', async () => {
  await tags('AWEME', [{ field: 'behaviors', values: ['LIKED_USER'] }])
  await aged(100_000)
  await gone('aweme_multi_level_category')
  const behaviors = [{ field: 'behaviors', values: ['LIKED_USER'] }]
  const last = await tags('AWEME', behaviors)
  expect(last.AWEME?.length).toBeGreaterThan(5)
  expect(last.read_at).toBeLessThan(now() - 90_000)
  expect(last.fail_outcome && sentenceOf(last.fail_outcome)).toBe('平台暂时不可用（HTTP 503）')
  const before = await calls('aweme_multi_level_category')
  expect((await tags('AWEME', behaviors)).fail_outcome).toEqual(last.fail_outcome)
  expect(await calls('aweme_multi_level_category')).toBe(before)
})

test('a platform that is slow is not waited for when there is a copy', async () => {
  await tags('INTEREST')
  await aged(100_000)
  const slow = { platform: 'video', path: 'interest/category', kind: 'timeout_after', seconds: 3 }
  await sandbox.control('faults', slow)
  const last = await tags('INTEREST')
  expect(last.fail_outcome && sentenceOf(last.fail_outcome)).toBe('平台在 2 秒内没有应答')
  // The reading goes on, and what it ends with is told to the next one who asks.
  await expect
    .poll(async () => (await tags('INTEREST')).fail_outcome?.code, { timeout: 10_000 })
    .toBe('platform_disconnected')
})

test('without a copy, a platform that is gone is an error with its reason', async () => {
  await gone('interest/category')
  const answer = await refused('INTEREST')
  expect(answer).toMatchObject({ code: FAULTS.platformRefused.code })
  expect(answer.msg).toBe('巨量千川没有完成此操作：平台暂时不可用（HTTP 503）')
})

test('where only another window was read before, its tree serves, without whom it covers', async () => {
  const window = (days: string) => [
    { field: 'action_days', values: [days] },
    { field: 'action_scene', values: ['APP'] },
  ]
  const before = await tags('BEHAVIOR', window('30'))
  expect(before.BEHAVIOR?.[0]?.num).not.toBeNull()
  await gone('action/category')
  const other = await tags('BEHAVIOR', window('7'))
  expect(other).toMatchObject({ read_at: before.read_at, fail_outcome: { code: 'platform_unavailable' } })
  expect(other.BEHAVIOR?.map(({ value, num }) => [value, num])).toEqual(
    before.BEHAVIOR?.map(({ value }) => [value, null]),
  )
})

test('while the platform is gone, the last answer to a search is served with its age, and others fail', async () => {
  const word = [{ field: 'query_word', values: ['手机'] }]
  const before = await tags('BEHAVIOR_KEYWORDS', word)
  const creators = [{ field: 'query_word', values: ['美食'] }]
  const found = await tags('AWEME_AUTHOR', creators)
  await aged(5000)
  await gone('action/keyword')
  await gone('aweme_author')
  const last = await tags('BEHAVIOR_KEYWORDS', word)
  expect(last.BEHAVIOR_KEYWORDS).toEqual(before.BEHAVIOR_KEYWORDS)
  expect(last.read_at).toBeLessThan(now() - 4000)
  expect(last.fail_outcome && sentenceOf(last.fail_outcome)).toBe('平台暂时不可用（HTTP 503）')
  expect((await tags('AWEME_AUTHOR', creators)).AWEME_AUTHOR).toEqual(found.AWEME_AUTHOR)
  const another = [{ field: 'query_word', values: ['电脑'] }]
  expect(await refused('BEHAVIOR_KEYWORDS', another)).toMatchObject({ code: FAULTS.platformRefused.code })
})

test('keywords and creators are searched on the platform, and asked for by their ids', async () => {
  const word = [{ field: 'query_word', values: ['手机'] }]
  const { BEHAVIOR_KEYWORDS: keywords = [] } = await tags('BEHAVIOR_KEYWORDS', word)
  expect(keywords.length).toBeGreaterThan(5)
  expect(keywords.length).toBeLessThanOrEqual(50)
  const ids = [keywords[0]?.value ?? '', '1']
  for (const field of ['ids', 'query_list']) {
    expect((await tags('BEHAVIOR_KEYWORDS', [{ field, values: ids }])).BEHAVIOR_KEYWORDS).toEqual([keywords[0]])
  }
  const found = await tags('AWEME_AUTHOR', [{ field: 'query_word', values: ['美食'] }])
  expect(found.AWEME_AUTHOR?.authors[0]).toMatchObject({ author_name: expect.stringContaining('') })
  expect(found.AWEME_AUTHOR?.categories.length).toBeGreaterThan(0)
})

test('several types are asked for at once, and filters may be an object', async () => {
  const several = await tags(['REGION', 'INTEREST'] as never)
  expect([several.REGION?.length, several.INTEREST?.length].every((length) => (length ?? 0) > 5)).toBe(true)
  const ask = (body: object) =>
    app.admin.get(findTags, { body: { advertiser_id: account, type: ['INTEREST_KEYWORDS'], ...body } as never })
  const found = await ask({ filter: { query_word: '手机' } })
  expect(found.INTEREST_KEYWORDS).toEqual(
    (await tags('INTEREST_KEYWORDS', [{ field: 'query_word', values: ['手机'] }])).INTEREST_KEYWORDS,
  )
  const [first] = found.INTEREST_KEYWORDS ?? []
  expect((await ask({ filter: { query_list: [first?.value] } })).INTEREST_KEYWORDS).toEqual([first])
  const unknown = await app.admin.call(findTags, {
    body: { advertiser_id: account, type: ['REGION', 'REGIONS'] } as never,
  })
  expect(unknown.code).toBe(FAULTS.badInput.code)
})

test('the GET spelling takes its filters as JSON text', async () => {
  const filtering = JSON.stringify([{ field: 'query_word', values: ['手机'] }])
  const query = { advertiser_id: account, type: 'INTEREST_KEYWORDS' as const, filtering }
  expect((await app.admin.get(getTags, { query })).INTEREST_KEYWORDS?.length).toBeGreaterThan(0)
  const broken = await app.admin.call(getTags, { query: { ...query, filtering: '[' } })
  expect(broken).toMatchObject({ status: 400, msg: '参数「filtering」应为列表的 JSON 文字' })
  // Escaped in the text, it is no text that the query's own check sees.
  const half = '[{"field":"query_word","values":["\\ud800"]}]'
  const unkept = await app.admin.call(getTags, { query: { ...query, filtering: half } })
  expect(unkept).toMatchObject({ status: 400, msg: '参数「filtering.0.values.0」中有无法保存的字符' })
})

test.each<[string, string, Filters, string]>([
  [
    'a filter of another type',
    'REGION',
    [{ field: 'query_word', values: ['沪'] }],
    '查询地域时不能按「query_word」筛选',
  ],
  ['a filter that no type knows', 'REGION', [{ field: 'city', values: ['沪'] }], '「filtering.0.field」只能是'],
  ['a search for nothing', 'AWEME_AUTHOR', [], '要写且只能写一个'],
  ['a type that does not exist', 'CITY', [], '参数「type」只能是'],
])('%s is refused by name', async (_, type, filtering, sentence) => {
  expect((await refused(type, filtering)).msg).toContain(sentence)
})

test('the crowds of an account are paged, filtered by kind, state and name, and read anew on request', async () => {
  const all = await crowds()
  expect(all).toMatchObject({ total_num: 84, recommend_num: 48, fail_outcome: null })
  expect(all.list).toHaveLength(10)
  const custom = await crowds({ type: 1, page: 4 })
  expect(custom).toMatchObject({ total_num: 36, recommend_num: 0 })
  expect(custom.list).toHaveLength(6)
  const [available, frozen] = [
    await crowds({ status: 'available' }),
    await crowds({ status: 'frozen', page_size: 500 }),
  ]
  expect(frozen.list.every(({ is_common }) => is_common === 0)).toBe(true)
  expect(frozen.total_num).toBeGreaterThan(0)
  expect(available.total_num + frozen.total_num).toBe(all.total_num)
  expect((await crowds({ status: 'available,frozen' })).total_num).toBe(all.total_num)
  const named = await crowds({ name: '会员', page_size: 500 })
  expect(named.total_num).toBe(6)
  expect(named.list.every(({ name }) => name.includes('会员'))).toBe(true)
  await aged(300)
  expect((await crowds()).read_at).toBeLessThan(now() - 200)
  expect((await crowds({ refresh: 1 })).read_at).toBeGreaterThan(now() - 60)
})

test('crowds of one account are not another’s', async () => {
  const mine = await crowds({ type: 1 })
  account = await anAuthorisedAccount(app, sandbox, adv_id, COMMERCE, accountId('video', OTHER))
  const theirs = await crowds({ type: 1 })
  const ids = new Set(mine.list.map(({ retargeting_tags_id: id }) => id))
  expect(theirs.list.filter(({ retargeting_tags_id: id }) => ids.has(id))).toEqual([])
})

test('an account without a login says so', async () => {
  await db.updateTable('platform_account').set({ login_id: null }).where('id', '=', account).execute()
  expect((await refused('REGION')).code).toBe(FAULTS.platformClosed.code)
})

test('the social platform has intentions and keywords by their text, and no creators', async () => {
  account = await anAuthorisedAccount(app, sandbox, adv_id, SOCIAL, accountId('social', 1))
  const { INTENTION = [] } = await tags('INTENTION')
  expect(INTENTION.length).toBeGreaterThan(10)
  for (const field of ['words', 'query_list']) {
    const values = ['手机推荐', '没有这样的词', '长'.repeat(50)]
    const { BEHAVIOR_KEYWORDS: found = [] } = await tags('BEHAVIOR_KEYWORDS', [{ field, values }])
    expect(found.map(({ value }) => value)).toEqual(['手机推荐'])
  }
  const { INTEREST_KEYWORDS: near = [] } = await tags('INTEREST_KEYWORDS', [
    { field: 'near_word', values: ['手机推荐'] },
  ])
  expect(near.length).toBeGreaterThan(1)
  // The platform was not asked, so nothing is said of it.
  expect(await refused('AWEME')).toMatchObject({ status: 400, msg: '该平台的定向没有这一项' })
  const byIds = await refused('BEHAVIOR_KEYWORDS', [{ field: 'ids', values: ['1'] }])
  expect(byIds).toMatchObject({ status: 400, msg: '该平台的关键词没有编号，请按文字查询' })
})

test('a region plan names the regions that the platform does not list', async () => {
  const add = (name: string, regions: string[]) =>
    app.admin.call(addRegionPlan, { body: { advertiser_id: account, name, regions } })
  expect(await add('华东', ['310000', '330100', '330106'])).toMatchObject({ code: 0 })
  expect(await add('不明', ['310000', '7', '8'])).toMatchObject({
    code: FAULTS.badInput.code,
    msg: expect.stringContaining('平台的地域列表中没有 7、8，请移除后再保存'),
  })
  expect(await add('不明', ['1', '2', '3', '4', '5', '6'])).toMatchObject({
    msg: expect.stringContaining('没有 1、2、3、4、5 等 6 个编号，请移除后再保存'),
  })
  expect((await tags('REGION_PLAN')).REGION_PLAN?.map(({ name }) => name)).toEqual(['华东'])
})

test('regions that cannot be checked are saved as given, and with the last copy they can be checked', async () => {
  const add = (name: string) =>
    app.admin.call(addRegionPlan, { body: { advertiser_id: account, name, regions: ['7'] } })
  await gone('admin/info')
  expect(await add('未核对')).toMatchObject({ code: 0 })
  await sandbox.control('faults/forget', {})
  account = await anAuthorisedAccount(app, sandbox, adv_id, COMMERCE, accountId('video', OTHER))
  await tags('REGION')
  await aged(90_000)
  await gone('admin/info')
  expect(await add('核对')).toMatchObject({ code: FAULTS.badInput.code })
})

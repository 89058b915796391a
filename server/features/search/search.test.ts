import { afterAll, beforeEach, expect, test } from 'vitest'
import { createAssetFolder } from '#contract/folder.ts'
import { searchEverything } from '#contract/search.ts'
import { deleteTargetings } from '#contract/targeting-package.ts'
import { aCrowd, anAdvertiser, aTag, leaf, tagged } from '../../testing/builders.ts'
import type { Caller } from '../../testing/caller.ts'
import { COMMERCE } from '../../testing/platforms.ts'
import { aCommerceAccount, aPackage } from '../../testing/targeting.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())

const found = async (caller: Caller, query: { q: string; adv_id?: number; first_adv_id?: number }) => {
  const { crowds, tags } = await caller.get(searchEverything, { query })
  return [...crowds, ...tags].map((one) => [one.name, one.adv_id])
}

test('a search finds in all of the viewer’s advertisers, the current one’s first', async () => {
  const [one, other, foreign] = [await anAdvertiser(app), await anAdvertiser(app), await anAdvertiser(app)]
  await aTag(app, one, [1], '高价值')
  const tag = await aTag(app, other, [1], '高价值')
  await aTag(app, foreign, [1], '高价值')
  await aCrowd(app, other, leaf('a', 'n', tagged(tag)), { name: '高价值人群' })
  const member = await app.viewer('member', [one, other])

  expect(await found(member, { q: '高价值', first_adv_id: other })).toEqual([
    ['高价值人群', other],
    ['高价值', other],
    ['高价值', one],
  ])
  expect(await found(member, { q: '高价值', first_adv_id: one })).toEqual([
    ['高价值人群', other],
    ['高价值', one],
    ['高价值', other],
  ])
  expect(await found(member, { q: '高价值', adv_id: one })).toEqual([['高价值', one]])
  expect(await found(member, { q: '高价值', adv_id: foreign })).toEqual([])
})

test('targeting packages are found by a part of the name or by id, and strangers find none', async () => {
  const adv_id = await anAdvertiser(app)
  const account = await aCommerceAccount(app, adv_id)
  const id = await aPackage(app, account, { targeting_name: '双十一直播老客' })
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  for (const q of ['直播', String(id)]) {
    const { packages } = await app.admin.get(searchEverything, { query: { q } })
    expect(packages).toMatchObject([{ id, name: '双十一直播老客', platform: COMMERCE, adv_id }])
    expect((await stranger.get(searchEverything, { query: { q } })).packages).toEqual([])
  }
  await app.admin.get(deleteTargetings, { query: { id: String(id) } })
  expect((await app.admin.get(searchEverything, { query: { q: '直播' } })).packages).toEqual([])
})

test('uploaded crowds are found beside rule crowds, deleted ones no more', async () => {
  const adv_id = await anAdvertiser(app)
  const { db } = app.stores.postgres
  const { id: creator_id } = await db.selectFrom('viewer').select('id').executeTakeFirstOrThrow()
  await db
    .insertInto('custom_folder')
    .values({ id: 1, name: '默认分组', created_at: 0 })
    .onConflict((oc) => oc.doNothing())
    .execute()
  const crowd = { adv_id, dir_id: 1, user_id_type: 'HASH_IMEI' as const, creator_id, created_at: now() }
  await db
    .insertInto('custom_crowd')
    .values([
      { ...crowd, name: '上传人群' },
      { ...crowd, name: '上传旧人群', deleted_at: now() },
    ])
    .execute()
  const { crowds } = await app.admin.get(searchEverything, { query: { q: '上传' } })
  expect(crowds).toMatchObject([{ name: '上传人群', kind: 'custom', adv_id, dir_id: 1 }])
})

test('only folders that hold something of the viewer’s, or nothing, are found', async () => {
  const [mine, theirs] = [await anAdvertiser(app), await anAdvertiser(app)]
  const member = await app.viewer('member', [mine])
  const folder = (name: string, parentId: number | null = null) =>
    app.admin.get(createAssetFolder, { body: { name, parentId } }).then(({ id }) => id)
  const crowdIn = async (adv_id: number, dirId: number) =>
    aCrowd(app, adv_id, leaf('a', 'n', tagged(await aTag(app, adv_id, [1]))), { dirId })
  await folder('客户空')
  await crowdIn(theirs, await folder('客户别家'))
  const shared = await folder('客户共用')
  await crowdIn(theirs, shared)
  await crowdIn(mine, await folder('里面', shared))
  const namesFor = async (caller: Caller) =>
    (await caller.get(searchEverything, { query: { q: '客户' } })).folders.map(({ name }) => name)
  expect(await namesFor(member)).toEqual(['客户空', '客户共用'])
  expect(await namesFor(app.admin)).toEqual(['客户空', '客户别家', '客户共用'])
})

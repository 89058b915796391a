import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { countOverlap, partRule } from '#contract/crowd-overlap.ts'
import { getCrowdChanges, getCrowdProfile, getCrowdSizes, PROFILE_TAGS_MAX } from '#contract/crowd-profile.ts'
import { FAULTS } from '#contract/errors.ts'
import { computeRuleCrowd } from '#contract/rule-crowd.ts'
import { aCrowd, anAdvertiser, aTag, leaf, setTag, tagged } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'

const app = await testApp()
let adv = 0

afterAll(() => app.close())
beforeEach(async () => {
  await app.reset()
  adv = await anAdvertiser(app)
})

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
const profile = (id: number, query: Partial<{ against: number; category_ids: string }> = {}) =>
  app.admin.call(getCrowdProfile, { params: { id }, query })
const overlap = (ids: number[]) => app.admin.call(countOverlap, { body: { ids } })

/** Everyone, of whom only the even ones are in the crowd. */
async function aWorld() {
  await app.stores.postgres.db.deleteFrom('tag').where('adv_id', '=', adv).where('is_built_in', '=', true).execute()
  const everyone = await aTag(app, adv, range(0, 1000), '全部用户')
  await app.stores.postgres.db.updateTable('tag').set({ is_built_in: true }).where('id', '=', everyone).execute()
  const even = await aTag(
    app,
    adv,
    range(0, 1000).filter((uid) => uid % 2 === 0),
    '偶数',
  )
  const young = await aTag(app, adv, range(0, 300), '年轻')
  // Of 250 in the crowd 200, and 50 others.
  const loyal = await aTag(
    app,
    adv,
    [...range(0, 400).filter((uid) => uid % 2 === 0), ...range(900, 1000).filter((uid) => uid % 2 === 1)],
    '忠诚',
  )
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(even)))
  await app.settled()
  return { id, even, young, loyal }
}

test('the people of a crowd are counted by tag, beside everyone', async () => {
  const { id, even, young, loyal } = await aWorld()
  const { data } = await profile(id)
  expect(data).toMatchObject({
    crowd: { id, kind: 'rule', count: 500 },
    base: { id: null, kind: 'everyone', name: '全部用户', count: 1000 },
    both: 500,
  })
  const values = new Map(data?.groups.flatMap((group) => group.values).map((value) => [value.tag_id, value]))
  expect(values.size).toBe(3)
  expect(values.get(even)).toMatchObject({ count: 500, base_count: 500, share: 1, base_share: 0.5, tgi: 200 })
  expect(values.get(young)).toMatchObject({ count: 150, base_count: 300, share: 0.3, tgi: 100, is_significant: false })
  expect(values.get(loyal)).toMatchObject({ count: 200, base_count: 250, share: 0.4, base_share: 0.25, tgi: 160 })
  // Against the others, 50 of 500: no chance.
  expect(values.get(loyal)).toMatchObject({ is_significant: true })
  expect(values.get(loyal)?.p_value).toBeLessThan(1e-20)
})

test('another crowd may be the base, and it is compared with those who are in it alone', async () => {
  const { id, young, loyal } = await aWorld()
  const { id: other } = await aCrowd(app, adv, leaf('b', 'n', tagged(young)), { name: '年轻人' })
  await app.settled()
  const { data } = await profile(id, { against: other })
  expect(data).toMatchObject({ base: { id: other, kind: 'rule', name: '年轻人', count: 300 }, both: 150 })
  const [value] = data?.groups.flatMap((group) => group.values).filter(({ tag_id }) => tag_id === loyal) ?? []
  // 0.4 and 0.5, with 150 in both: the crowd has it less often, by chance once in some thousands.
  expect(value).toMatchObject({
    count: 200,
    share: 0.4,
    base_count: 150,
    base_share: 0.5,
    tgi: 80,
    is_significant: true,
  })
  const itself = await profile(id, { against: id })
  expect(
    itself.data?.groups.flatMap((group) => group.values).every((one) => one.tgi === 100 && one.p_value === null),
  ).toBe(true)
})

test('categories can be chosen; hidden tags are not counted, and those without a result are told', async () => {
  const { id, even, loyal } = await aWorld()
  const { db } = app.stores.postgres
  await db.updateTable('tag').set({ is_hidden: true }).where('id', '=', even).execute()
  await db.updateTable('tag').set({ version: 0, count: null }).where('id', '=', loyal).execute()
  const { data } = await profile(id)
  expect(data?.groups).toMatchObject([
    { left_out: 0, values: [{ name: '年轻' }] },
    { left_out: 1, values: [], counted_at: null },
  ])
  const [group, other] = data?.groups ?? []
  expect(data?.categories).toEqual([
    { id: group?.id, name: group?.name, tag_type: 1, tags: 1 },
    { id: other?.id, name: other?.name, tag_type: 1, tags: 1 },
  ])
  expect((await profile(id, { category_ids: String(group?.id) })).data?.groups).toMatchObject([{ id: group?.id }])
  expect((await profile(id, { category_ids: '999999' })).data?.groups).toEqual([])
  expect(await profile(id, { category_ids: Array.from({ length: 51 }, (_, at) => at + 1).join() })).toMatchObject({
    status: 400,
  })
})

test('more tags than one answer counts are told', async () => {
  const { id, young } = await aWorld()
  const { db } = app.stores.postgres
  const row = await db.selectFrom('tag').selectAll().where('id', '=', young).executeTakeFirstOrThrow()
  const { id: _, ...like } = row
  const definition = JSON.stringify(like.definition)
  await db
    .insertInto('tag')
    .values(
      range(0, PROFILE_TAGS_MAX).map((no) => ({
        ...like,
        definition,
        error: null,
        name: `还没有 ${no}`,
        version: 1,
        count: 0,
      })),
    )
    .execute()
  const { data } = await profile(id)
  const counted = data?.groups.flatMap((group) => group.values) ?? []
  expect(counted).toHaveLength(PROFILE_TAGS_MAX)
  expect(data?.groups.map((group) => group.left_out)).toEqual([0, 2, 1])
})

test('a crowd of nobody has no shares', async () => {
  const { young } = await aWorld()
  const nobody = await aTag(app, adv, [], '没有人')
  const { id } = await aCrowd(app, adv, leaf('c', 'n', tagged(nobody)), { name: '空人群' })
  await app.settled()
  const { data } = await profile(id)
  const [value] = data?.groups.flatMap((group) => group.values).filter(({ tag_id }) => tag_id === young) ?? []
  expect(value).toMatchObject({ count: 0, share: null, tgi: null, p_value: null, is_significant: false })
})

test('what cannot be profiled says why', async () => {
  const { id } = await aWorld()
  const { db } = app.stores.postgres
  expect(await profile(999_999)).toMatchObject({ status: 404 })
  expect(await profile(id, { against: 999_999 })).toMatchObject({ status: 404 })
  const elsewhere = await anAdvertiser(app)
  const tag = await aTag(app, elsewhere, [1], '别处')
  const { id: foreign } = await aCrowd(app, elsewhere, leaf('f', 'n', tagged(tag)))
  await app.settled()
  expect(await profile(id, { against: foreign })).toMatchObject({ status: 404 })
  expect(await overlap([id, foreign])).toMatchObject({ status: 404 })
  await db.updateTable('people').set({ version: 0, magnitude: null }).where('id', '=', id).execute()
  expect(await profile(id)).toMatchObject({ code: FAULTS.crowdNoResult.code })
})

test('the parts of overlapping crowds are exact, and their rules make the same people', async () => {
  const members = [range(0, 60), range(40, 100), [...range(50, 55), ...range(90, 120)], range(0, 10)]
  const crowds: number[] = []
  for (const [no, uids] of members.entries()) {
    const tag = await aTag(app, adv, uids, `标签${no}`)
    crowds.push((await aCrowd(app, adv, leaf('a', 'n', tagged(tag)), { name: `人群${no}` })).id)
  }
  await app.settled()
  const { data } = await overlap(crowds)
  expect(data?.crowds.map(({ id, count }) => [id, count])).toEqual(crowds.map((id, at) => [id, members[at]?.length]))
  expect(data?.parts).toHaveLength(15)
  for (const { ids, count } of data?.parts ?? []) {
    const isIn = (uid: number) => crowds.every((id, at) => ids.includes(id) === members[at]?.includes(uid))
    expect([ids, count]).toEqual([ids, range(0, 120).filter(isIn).length])
  }
  const part = data?.parts.find(({ ids }) => ids.length === 2 && ids[0] === crowds[0] && ids[1] === crowds[1])
  const { id } = await aCrowd(app, adv, partRule(part?.ids ?? [], crowds.slice(2)), { name: '保存的部分' })
  await app.settled()
  const saved = await app.stores.postgres.db
    .selectFrom('people')
    .select('magnitude')
    .where('id', '=', id)
    .executeTakeFirst()
  expect(saved?.magnitude).toBe(part?.count)
})

test('an overlap asks for two to five crowds, and counts a crowd once', async () => {
  const tag = await aTag(app, adv, [1, 2], '两人')
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(tag)))
  await app.settled()
  for (const ids of [[], [id], range(1, 7)]) expect(await overlap(ids)).toMatchObject({ status: 400 })
  expect((await overlap([id, id])).data?.parts).toEqual([{ ids: [id], count: 2 }])
})

const sizes = async (id: number) => (await app.admin.call(getCrowdSizes, { params: { id } })).data?.sizes ?? []

test('every size of a crowd is kept, of earlier weeks the last of each day', async () => {
  const tag = await aTag(app, adv, [1, 2, 3], '三人')
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(tag)))
  await app.settled()
  expect(await sizes(id)).toMatchObject([{ count: 3 }])
  await setTag(app, adv, tag, [1], 2)
  await app.admin.call(computeRuleCrowd, { params: { id } })
  await app.settled()
  expect((await sizes(id)).map(({ count }) => count)).toEqual([3, 1])

  const { db } = app.stores.postgres
  // Before and after midnight in the time zone of the server.
  const midnight = Date.UTC(2026, 0, 9, 16) / 1000
  const old = [midnight - 7200, midnight - 3600, midnight + 3600]
  await db
    .insertInto('crowd_size')
    .values(old.map((counted_at, at) => ({ crowd_id: id, version: -3 + at, count: 10 + at, counted_at })))
    .execute()
  expect((await sizes(id)).map(({ count }) => count)).toEqual([11, 12, 3, 1])
  expect((await sizes(id)).map(({ counted_at }) => counted_at).slice(0, 2)).toEqual(old.slice(1))
})

test('sizes of a crowd without a result are none, and strangers see none', async () => {
  const tag = await aTag(app, adv, [1], '一人')
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(tag)))
  await app.settled()
  await app.stores.postgres.db.deleteFrom('crowd_size').execute()
  await app.stores.postgres.db.updateTable('people').set({ version: 0, magnitude: null }).where('id', '=', id).execute()
  expect(await sizes(id)).toEqual([])
  expect(await app.admin.call(getCrowdSizes, { params: { id: 999_999 } })).toMatchObject({ status: 404 })
})

const changes = (id: number, from: number, to: number) =>
  app.admin.call(getCrowdChanges, { params: { id }, query: { from, to } })

/** A crowd of these people, one list for each of its versions. */
async function aChangingCrowd(versions: readonly (readonly number[])[]) {
  const tag = await aTag(app, adv, versions[0] ?? [], '变化')
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(tag)))
  await app.settled()
  for (const [at, uids] of versions.slice(1).entries()) {
    await setTag(app, adv, tag, uids, at + 2)
    await app.admin.call(computeRuleCrowd, { params: { id } })
    await app.settled()
  }
  return { id, versions: (await sizes(id)).map(({ version }) => version) }
}

test('who entered and left between two versions is counted exactly, in both directions', async () => {
  const people = [range(0, 100), range(40, 130), [...range(5, 50), 3_000_000], []]
  const { id, versions } = await aChangingCrowd(people)
  expect(versions).toHaveLength(people.length)
  for (const [a, from] of versions.entries()) {
    for (const [b, to] of versions.entries()) {
      const [before, after] = [new Set(people[a]), new Set(people[b])]
      expect((await changes(id, from, to)).data).toMatchObject({
        ...{ adv_id: adv, from: { version: from, count: before.size }, to: { version: to, count: after.size } },
        entered: after.difference(before).size,
        left: before.difference(after).size,
        stayed: before.intersection(after).size,
      })
    }
  }
})

test('what is said of versions whose people are cleared is only how many they were', async () => {
  const { id, versions } = await aChangingCrowd([range(0, 10), range(5, 20), range(6, 20)])
  const { db } = app.stores.postgres
  const [first = 0, second = 0, third = 0] = versions
  const replaced = await db.selectFrom('crowd_size').select(['version', 'replaced_at']).orderBy('no').execute()
  expect(replaced.map(({ replaced_at }) => replaced_at === null)).toEqual([false, false, true])
  await db.updateTable('crowd_size').set({ replaced_at: 1 }).where('version', '=', first).execute()
  await app.services.oldMembers.clear()
  expect((await sizes(id)).map(({ count, has_members }) => [count, has_members])).toEqual([
    [10, false],
    [15, true],
    [14, true],
  ])
  expect((await changes(id, first, third)).data).toMatchObject({
    ...{ from: { count: 10, has_members: false }, to: { count: 14 } },
    ...{ entered: null, left: null, stayed: null },
  })
  expect((await changes(id, second, third)).data).toMatchObject({ entered: 0, left: 1, stayed: 14 })

  // After the grace period the people are gone from the warehouse.
  await sql`update pgboss.job set start_after = now() where name = 'rule-crowd.drop' and state = 'created'`.execute(db)
  await app.settled()
  const stored = versions.map((version) => ({ kind: 'crowd' as const, id, version }))
  expect(await app.services.evaluator.membersOf(adv, stored)).toEqual([0, 15, 14])
})

test('versions of other crowds do not exist, and strangers see none', async () => {
  const { id, versions } = await aChangingCrowd([[1], [2]])
  const [first = 0, second = 0] = versions
  expect(await changes(id, first, 999)).toMatchObject({ status: 404 })
  expect(await changes(999_999, first, second)).toMatchObject({ status: 404 })
  for (const wrong of [0, -1, 2 ** 32, 1.5]) expect(await changes(id, wrong, second)).toMatchObject({ status: 400 })
  const stranger = await app.viewer('changes-stranger', [await anAdvertiser(app)])
  expect(await stranger.call(getCrowdChanges, { params: { id }, query: { from: first, to: second } })).toMatchObject({
    status: 404,
  })
})

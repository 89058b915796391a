import { createHash } from 'node:crypto'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { getCrowdChanges, getCrowdSizes } from '#contract/crowd-profile.ts'
import { deleteCustomCrowd, getCustomCrowd, updateCustomCrowd } from '#contract/custom-crowd.ts'
import { RESTORE_SECONDS } from '#contract/deleted.ts'
import { FAULTS } from '#contract/errors.ts'
import { getImport, startImport } from '#contract/import.ts'
import { CROWD_TAG, type SubTag } from '#contract/rule.ts'
import {
  checkCrowdUse,
  countRule,
  deleteRuleCrowd,
  getRule,
  getRuleCrowd,
  listCreators,
  listRuleCrowds,
  NEVER,
  openRule,
} from '#contract/rule-crowd.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { aCrowd, anAdvertiser, leaf, node, tagged } from '../../testing/builders.ts'
import { aChild, aCustomCrowd, anAccount, uploaded } from '../../testing/custom-crowds.ts'
import { SOCIAL } from '../../testing/platforms.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'
import { now } from '../../time/clock.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())
const { db } = app.stores.postgres

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const imei = (n: number) => `${860_000_000_000_000 + n}`
const used = (id: number): SubTag[] => [{ id, tag_type: CROWD_TAG }]
const hashes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `${md5(imei(from + i))}\n`).join('')

/** People `from` to `to`, each with an IMEI; every third lives in 北京. */
async function people(adv_id: number, from: number, to: number): Promise<void> {
  const rows = Array.from({ length: to - from }, (_, i) => from + i).map(
    (n) => `u${n},${imei(n)},${n % 3 === 0 ? '北京' : '上海'}\n`,
  )
  const upload_id = await uploadTo(app, app.admin, `id,imei,city\n${rows.join('')}`)
  const mapping = { kind: 'users' as const, id: 'id', identifiers: [{ column: 'imei', type: 'IMEI' as const }] }
  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
  expect(await app.admin.get(getImport, { params: { id } })).toMatchObject({ status: 'done' })
}

async function beijing(adv_id: number): Promise<number> {
  const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  const tag = data.flatMap((category) => category.group ?? []).find(({ tag: name }) => name === '北京')
  if (!tag?.id) throw new Error('there is no tag 北京')
  return tag.id
}

test('rules count our people in an uploaded crowd like those of any crowd', async () => {
  const adv_id = await anAdvertiser(app)
  await people(adv_id, 0, 90)
  const custom = await aCustomCrowd(app, adv_id, [{ name: '1.txt', content: hashes(30, 150) }], { name: '老客上传' })
  await app.settled()
  expect((await app.admin.get(getCustomCrowd, { query: { id: custom } })).crowd).toMatchObject({
    user_count: 120,
    matched: 60,
  })
  const city = await beijing(adv_id)
  const rule = node('r', 'e', leaf('c', null, used(custom)), leaf('b', 'n', tagged(city)))
  const { rId } = await app.admin.get(openRule, { body: { advId: adv_id } })
  const counted = await app.admin.get(countRule, { params: { rId }, body: { advId: adv_id, rule } })
  expect(counted.cnt).toEqual({ c: 60, b: 30, r: 40 })
  const crowd = await aCrowd(app, adv_id, rule)
  await app.settled()
  expect(await app.admin.get(getRuleCrowd, { params: { id: crowd.id } })).toMatchObject({
    status: 'completed',
    magnitude: 40,
  })
  expect((await app.admin.get(getRule, { params: { rId: crowd.rId } })).tags).toContainEqual(
    expect.objectContaining({ id: custom, tag_type: CROWD_TAG, name: '老客上传', count: 60 }),
  )

  const { res, total } = await app.admin.get(listRuleCrowds, { query: { ordinary: '1', adv_id } })
  expect([total, res.map((row) => [row.id, row.kind, row.magnitude])]).toEqual([
    2,
    [
      [crowd.id, 'rule', 40],
      [custom, 'custom', 60],
    ],
  ])
  expect(res[1]).toMatchObject({ name: '老客上传', rId: 0, invalidTime: NEVER })
  const second = await app.admin.get(listRuleCrowds, { query: { ordinary: '1', adv_id, page: 2, page_size: 1 } })
  expect([second.total, second.res.map((row) => row.id)]).toEqual([2, [custom]])
  expect((await app.admin.get(listRuleCrowds, { query: { adv_id } })).total).toBe(1)
})

test('a crowd used by rules cannot be deleted; the check names those rules', async () => {
  const adv_id = await anAdvertiser(app)
  await people(adv_id, 0, 9)
  const custom = await aCustomCrowd(app, adv_id, [{ name: '1.txt', content: hashes(0, 6) }], { name: '老客' })
  await app.settled()
  const crowd = await aCrowd(app, adv_id, leaf('c', null, used(custom)), { name: '用到老客的人群' })
  await app.settled()
  const remove = (check: '0' | '1') =>
    app.admin.call(deleteCustomCrowd, { query: { id: custom, advertiser_id: adv_id, check } })
  const msg = '人群包 老客 正在被其他人群引用：用到老客的人群，请先移除引用'
  expect(await remove('1')).toMatchObject({ code: 0, data: { msg } })
  expect(await remove('0')).toMatchObject({ code: FAULTS.crowdReferenced.code, msg })
  expect(await app.admin.get(checkCrowdUse, { body: { type: 2, crowd_id: custom } })).toEqual({
    apply_status: 1,
    by: [{ kind: 'crowd', id: crowd.id, name: '用到老客的人群' }],
  })
  await app.admin.get(deleteRuleCrowd, { params: { id: crowd.id } })
  expect(await app.admin.get(checkCrowdUse, { body: { type: 2, crowd_id: custom } })).toEqual({
    apply_status: 0,
    by: [],
  })
  expect(await remove('0')).toMatchObject({ code: 0 })
  const { rId } = await app.admin.get(openRule, { body: { advId: adv_id } })
  const rule = leaf('c', null, used(custom))
  expect(await app.admin.call(countRule, { params: { rId }, body: { advId: adv_id, rule } })).toMatchObject({
    code: FAULTS.ruleUnknownTag.code,
  })
})

test('a new version recomputes the crowds that use it', async () => {
  const adv_id = await anAdvertiser(app)
  await people(adv_id, 0, 30)
  const custom = await aCustomCrowd(app, adv_id, [{ name: '1.txt', content: hashes(0, 10) }])
  await app.settled()
  const crowd = await aCrowd(app, adv_id, leaf('c', null, used(custom)))
  await app.settled()
  // Its last result is old enough to be renewed.
  await db
    .updateTable('people')
    .set({ computed_at: now() - 3600 })
    .where('id', '=', crowd.id)
    .execute()
  const files = await uploaded(app, app.admin, [{ name: '2.txt', content: hashes(5, 25) }])
  await app.admin.get(updateCustomCrowd, { body: { id: custom, operation_type: 1, files } })
  await app.settled()
  expect(await app.admin.get(getRuleCrowd, { params: { id: crowd.id } })).toMatchObject({ magnitude: 25 })
})

test('people imported later are matched with a crowd uploaded before', async () => {
  const adv_id = await anAdvertiser(app)
  const custom = await aCustomCrowd(app, adv_id, [{ name: '1.txt', content: hashes(0, 20) }])
  await app.settled()
  const crowd = await aCrowd(app, adv_id, leaf('c', null, used(custom)))
  await app.settled()
  const matched = async () => (await app.admin.get(getCustomCrowd, { query: { id: custom } })).crowd.matched
  expect(await matched()).toBe(0)
  await db
    .updateTable('custom_crowd')
    .set({ counted_at: now() - 3600 })
    .execute()
  await db
    .updateTable('people')
    .set({ computed_at: now() - 3600 })
    .execute()
  await people(adv_id, 10, 40)
  expect(await matched()).toBe(10)
  expect(await app.admin.get(getRuleCrowd, { params: { id: crowd.id } })).toMatchObject({ magnitude: 10 })
  // Matched twice more, once after the clock was set back, then given another version: each has its own people.
  await db
    .updateTable('custom_crowd')
    .set({ counted_at: now() + 3600 })
    .execute()
  await people(adv_id, 0, 5)
  expect(await matched()).toBe(15)
  const files = await uploaded(app, app.admin, [{ name: '2.txt', content: hashes(0, 5) }])
  await app.admin.get(updateCustomCrowd, { body: { id: custom, operation_type: 2, files } })
  await app.settled()
  expect(await matched()).toBe(10)
  const { rId } = await app.admin.get(openRule, { body: { advId: adv_id } })
  const rule = leaf('c', null, used(custom))
  const counted = await app.admin.get(countRule, { params: { rId }, body: { advId: adv_id, rule } })
  expect(counted.cnt).toEqual({ c: 10 })
})

test('people imported while a crowd is being checked are matched with it', async () => {
  const adv_id = await anAdvertiser(app)
  const { identifiers } = app.services
  const build = identifiers.build
  // After the version's people are read and before it comes into force.
  const spy = vi.spyOn(identifiers, 'build').mockImplementationOnce(async (...given) => {
    const built = await build(...given)
    const upload_id = await uploadTo(app, app.admin, `id,imei\nu1,${imei(1)}\n`)
    const mapping = { kind: 'users' as const, id: 'id', identifiers: [{ column: 'imei', type: 'IMEI' as const }] }
    const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
    await vi.waitUntil(async () => (await app.admin.get(getImport, { params: { id } })).status === 'done', 10_000)
    return built
  })
  const custom = await aCustomCrowd(app, adv_id, [{ name: '1.txt', content: hashes(0, 5) }])
  await app.settled()
  expect(spy).toHaveBeenCalledOnce()
  spy.mockRestore()
  expect((await app.admin.get(getCustomCrowd, { query: { id: custom } })).crowd).toMatchObject({
    status: 'available',
    matched: 1,
  })
})

test('a pushed rule crowd cannot be deleted until its child is deleted', async () => {
  const adv_id = await anAdvertiser(app)
  await people(adv_id, 0, 9)
  const crowd = await aCrowd(app, adv_id, leaf('b', 'n', tagged(await beijing(adv_id))), { name: '在平台上的' })
  await app.settled()
  const child = await aChild(app, 0, await anAccount(app, adv_id, SOCIAL), SOCIAL, {
    custom_id: null,
    people_id: crowd.id,
  })
  const remove = () => app.admin.call(deleteRuleCrowd, { params: { id: crowd.id } })
  expect(await remove()).toMatchObject({
    code: FAULTS.customHasChildren.code,
    msg: '人群包 在平台上的 在平台账户下还有 1 个子人群，请先删除子人群',
  })
  await db.updateTable('audience').set({ deleted_at: now() }).where('id', '=', child).execute()
  expect(await remove()).toMatchObject({ code: 0 })
  // A deletion that can no longer be undone removes the crowd's rows and those of its children.
  await db
    .updateTable('people')
    .set({ deleted_at: now() - RESTORE_SECONDS - 86_400 })
    .execute()
  await app.services.crowds.purge()
  expect(await db.selectFrom('people').selectAll().execute()).toEqual([])
})

test('a rule cannot be counted on a crowd without a result or on another advertiser’s crowd', async () => {
  const adv_id = await anAdvertiser(app)
  const bad = await aCustomCrowd(app, adv_id, [{ name: 'x.zip', content: 'none' }], { name: '坏的' })
  const foreign = await aCustomCrowd(app, await anAdvertiser(app), [{ name: '1.txt', content: hashes(0, 3) }])
  await app.settled()
  const { rId } = await app.admin.get(openRule, { body: { advId: adv_id } })
  const count = (id: number) =>
    app.admin.call(countRule, { params: { rId }, body: { advId: adv_id, rule: leaf('c', null, used(id)) } })
  expect(await count(bad)).toMatchObject({ code: FAULTS.crowdNoResult.code })
  expect(await count(foreign)).toMatchObject({ code: FAULTS.ruleUnknownTag.code })
  expect((await app.admin.get(listRuleCrowds, { query: { ordinary: '1', adv_id } })).total).toBe(0)
  expect(await app.admin.get(listCreators)).toMatchObject([{ realname: '管理员' }])
})

test('each list offers only the creators of its own kind of crowd', async () => {
  const adv_id = await anAdvertiser(app)
  const { id } = await app.stores.postgres.db
    .insertInto('viewer')
    .values({
      username: 'only-uploads',
      realname: '只上传',
      password_hash: '',
      is_admin: false,
      see_phones: false,
      see_restricted: false,
      created_at: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const crowd = await aCustomCrowd(app, adv_id, [{ name: '1.txt', content: hashes(0, 3) }])
  await app.stores.postgres.db.updateTable('custom_crowd').set({ creator_id: id }).where('id', '=', crowd).execute()
  const creators = async (kind?: 'custom' | 'rule') =>
    (await app.admin.get(listCreators, { body: { kind } })).map((creator) => creator.realname)
  expect(await creators('custom')).toContain('只上传')
  expect(await creators('rule')).not.toContain('只上传')
  expect(await creators()).toContain('只上传')
})

test('crowds of both kinds are found as history crowds by pinyin and initials', async () => {
  const adv_id = await anAdvertiser(app)
  await people(adv_id, 0, 9)
  await aCustomCrowd(app, adv_id, [{ name: '1.txt', content: hashes(0, 10) }], { name: '高价值女性' })
  await aCrowd(app, adv_id, leaf('c', 'n', tagged(await beijing(adv_id))), { name: '女性会员' })
  await app.settled()
  const found = async (name: string) =>
    (await app.admin.get(listRuleCrowds, { query: { ordinary: '1', adv_id, name } })).res.map((row) => row.name)
  expect((await found('nvxing')).toSorted()).toEqual(['女性会员', '高价值女性'])
  expect(await found('nxhy')).toEqual(['女性会员'])
  expect(await found('gjz')).toEqual(['高价值女性'])
  expect(await found('zzz')).toEqual([])
})

test('earlier matches of an uploaded crowd are kept to be compared, until the crowd is purged', async () => {
  const adv_id = await anAdvertiser(app)
  await people(adv_id, 0, 20)
  const custom = await aCustomCrowd(app, adv_id, [{ name: '1.txt', content: hashes(0, 50) }])
  await app.settled()
  await people(adv_id, 20, 30)
  await app.services.customCrowds.matchAgain(adv_id, { atOnce: true })
  await app.settled()
  const { sizes } = await app.admin.get(getCrowdSizes, { params: { id: custom } })
  expect(sizes.map(({ count, has_members }) => [count, has_members])).toEqual([
    [20, true],
    [30, true],
  ])
  const [from = 0, to = 0] = sizes.map(({ version }) => version)
  const changes = await app.admin.get(getCrowdChanges, { params: { id: custom }, query: { from, to } })
  expect(changes).toMatchObject({ entered: 10, left: 0, stayed: 20 })

  await db.updateTable('custom_crowd').set({ deleted_at: 1 }).where('id', '=', custom).execute()
  await app.services.customCrowds.purge()
  const stored = [from, to].map((version) => ({ kind: 'crowd' as const, id: custom, version }))
  expect(await app.services.evaluator.membersOf(adv_id, stored)).toEqual([0, 0])
  expect(await db.selectFrom('crowd_size').selectAll().execute()).toEqual([])
})

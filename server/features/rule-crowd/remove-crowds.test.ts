import { afterAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { CROWD_TAG } from '#contract/rule.ts'
import {
  checkCrowdUse,
  checkRuleCrowdApplied,
  deleteRuleCrowd,
  deleteRuleCrowds,
  getRuleCrowd,
  listDeletedRuleCrowds,
  listRuleCrowds,
  restoreRuleCrowds,
  updateRuleCrowd,
} from '#contract/rule-crowd.ts'
import { aCrowd, anAdvertiser, aTag, leaf, tagged } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'

const app = await testApp()
const { db } = app.stores.postgres
let adv = 0
let women = 0

afterAll(() => app.close())
beforeEach(async () => {
  await app.reset()
  adv = await anAdvertiser(app)
  women = await aTag(app, adv, [1, 2, 3, 4, 5], '女')
})

const crowdOf = (id: number) => app.admin.get(getRuleCrowd, { params: { id } })
const byCrowd = (id: string, crowd: number) => leaf(id, null, [{ id: crowd, tag_type: CROWD_TAG }])
const live = (people_id: number) =>
  db.insertInto('plan_use').values({ people_id, plan_id: 7, plan_name: '双11计划', live: true }).execute()

test('a crowd in use is neither edited nor deleted, and shows as in use', async () => {
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)), { name: '在投' })
  await app.settled()
  expect((await app.admin.get(checkRuleCrowdApplied, { body: { people_id: id } })).applied).toBe(false)
  await live(id)
  expect((await crowdOf(id)).status).toBe('in_use')
  expect((await app.admin.call(updateRuleCrowd, { params: { id }, body: { name: '改', ver: 1 } })).code).toBe(64)
  const refused = await app.admin.call(deleteRuleCrowd, { params: { id } })
  expect(refused).toMatchObject({ code: FAULTS.crowdInUse.code, data: { users: [{ kind: 'plan', name: '双11计划' }] } })
  expect(await app.admin.get(checkRuleCrowdApplied, { body: { people_id: id } })).toEqual({
    applied: true,
    apply_status: 1,
    plans: [{ id: 7, plan_id: null, name: '双11计划', package_name: null }],
  })
  expect((await app.admin.get(checkCrowdUse, { body: { type: 1, crowd_id: id } })).apply_status).toBe(1)
  const { tagId } = await crowdOf(id)
  const use = (tag_id: number) => app.admin.call(checkCrowdUse, { body: { type: 1, crowd_id: id, tag_id } })
  expect(await use(tagId)).toMatchObject({ data: { apply_status: 1, by: [{ kind: 'plan', id: 7 }] } })
  expect(await use(tagId + 1)).toMatchObject({ status: 404, msg: '人群包不存在或已被删除' })
})

test('a crowd that others use is deleted only together with them', async () => {
  const a = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  await app.settled()
  const b = await aCrowd(app, adv, byCrowd('h', a.id), { name: '引用者' })
  await app.settled()
  const refused = await app.admin.call(deleteRuleCrowd, { params: { id: a.id } })
  expect(refused).toMatchObject({ code: FAULTS.crowdReferenced.code })
  expect(refused.msg).toContain('引用者')
  await app.admin.get(deleteRuleCrowds, { body: { ids: [a.id, b.id] } })
  expect((await app.admin.get(listRuleCrowds)).total).toBe(0)
  expect((await app.admin.call(getRuleCrowd, { params: { id: a.id } })).status).toBe(404)
})

test('crowds of several advertisers are restored together or not at all', async () => {
  const other = await anAdvertiser(app)
  const men = await aTag(app, other, [1, 2], '男')
  const mine = await aCrowd(app, adv, leaf('a', 'n', tagged(women)), { name: '甲' })
  const theirs = await aCrowd(app, other, leaf('a', 'n', tagged(men)), { name: '乙' })
  await app.settled()
  const ids = [mine.id, theirs.id]
  await app.admin.get(deleteRuleCrowds, { body: { ids } })
  const inTheWay = await aCrowd(app, other, leaf('a', 'n', tagged(men)), { name: '乙' })
  expect((await app.admin.call(restoreRuleCrowds, { body: { ids } })).code).toBe(FAULTS.nameTaken.code)
  expect((await app.admin.call(getRuleCrowd, { params: { id: mine.id } })).status).toBe(404)
  await app.settled()
  await app.admin.get(deleteRuleCrowd, { params: { id: inTheWay.id } })
  await app.admin.get(restoreRuleCrowds, { body: { ids } })
  await app.settled()
  expect(await crowdOf(mine.id)).toMatchObject({ status: 'completed', magnitude: 5 })
  expect(await crowdOf(theirs.id)).toMatchObject({ status: 'completed', magnitude: 2 })
})

test('a crowd is restored on the 6th day after its deletion, and gone on the 8th', async () => {
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)), { name: '回来' })
  await app.settled()
  await app.admin.get(deleteRuleCrowd, { params: { id } })
  expect(await app.admin.get(listDeletedRuleCrowds)).toMatchObject([
    { id, name: '回来', adv_id: adv, dir_name: '默认分组', size: 5 },
  ])
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  expect(await stranger.get(listDeletedRuleCrowds)).toEqual([])
  const deletedDaysAgo = (days: number) =>
    db
      .updateTable('people')
      .set({ deleted_at: now() - days * 86_400 })
      .execute()
  await deletedDaysAgo(6)
  await app.services.crowds.purge()
  await app.admin.get(restoreRuleCrowds, { body: { ids: [id] } })
  expect(await app.admin.get(listDeletedRuleCrowds)).toEqual([])
  await app.settled()
  expect(await crowdOf(id)).toMatchObject({ name: '回来', status: 'completed', magnitude: 5 })
  await app.admin.get(deleteRuleCrowd, { params: { id } })
  // Nothing is queued for the purge that a lost queue could lose.
  await app.settled()
  await deletedDaysAgo(8)
  expect(await app.admin.get(listDeletedRuleCrowds)).toEqual([])
  expect((await app.admin.call(restoreRuleCrowds, { body: { ids: [id] } })).code).toBe(FAULTS.restoreGone.code)
  await app.services.crowds.purge()
  const [left] = await app.stores.warehouse.live.acrossShards.query<{ n: number }>(
    'SELECT count() AS n FROM crowd_member',
  )
  expect(left?.n).toBe(0)
  expect(await db.selectFrom('people').selectAll().execute()).toEqual([])
})

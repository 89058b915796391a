import { afterAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { createAssetFolder, deleteAssetFolder } from '#contract/folder.ts'
import { CROWD_TAG, type RuleNode } from '#contract/rule.ts'
import {
  computeRuleCrowd,
  copyRuleCrowd,
  countRule,
  createRuleCrowd,
  deleteRuleCrowds,
  getRule,
  getRuleCrowd,
  getRuleCrowdQuota,
  listCreators,
  listRuleCrowds,
  moveRuleCrowds,
  openRule,
  storeRule,
  updateRuleCrowd,
} from '#contract/rule-crowd.ts'
import { ATTRIBUTE_TAG } from '#contract/tag.ts'
import { transaction } from '../../postgres/transaction.ts'
import { aCrowd, anAdvertiser, aTag, DAY, leaf, node, setTag, tagged } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'

const app = await testApp({ PEOPLE_QUOTA: '6' })
const { db } = app.stores.postgres
let adv = 0
let women = 0
let city = 0

afterAll(() => app.close())
beforeEach(async () => {
  await app.reset()
  adv = await anAdvertiser(app)
  women = await aTag(app, adv, [1, 2, 3, 4, 2_000_000], '女')
  city = await aTag(app, adv, [3, 4, 5], '一线')
})

const crowdOf = (id: number) => app.admin.get(getRuleCrowd, { params: { id } })
const byCrowd = (id: string, crowd: number) => leaf(id, null, [{ id: crowd, tag_type: CROWD_TAG }])
async function draft(rule: RuleNode): Promise<number> {
  const { rId } = await app.admin.get(openRule, { body: { advId: adv } })
  await app.admin.get(storeRule, { params: { rId }, body: { advId: adv, rule } })
  return rId
}

test('every node is counted exactly, and chips carry the same version', async () => {
  const { rId } = await app.admin.get(openRule, { body: { advId: adv } })
  const rule = node('r', 'e', leaf('a', 'u', tagged(women, city)), leaf('b', 'n', tagged(city, women)))
  const counted = await app.admin.get(countRule, { params: { rId }, body: { advId: adv, rule } })
  expect(counted.cnt).toEqual({ r: 4, a: 6, b: 2 })
  expect(counted.tags).toContainEqual({ id: women, tag_type: ATTRIBUTE_TAG, count: 5 })
  expect((await app.admin.get(getRule, { params: { rId } })).def).toBeNull()
  const stored = await app.admin.get(storeRule, { params: { rId }, body: { advId: adv, rule } })
  expect(stored.cnt).toEqual(counted.cnt)
  expect(await app.admin.get(getRule, { params: { rId } })).toMatchObject({ def: rule, cnt: counted.cnt, advId: adv })
})

test('an empty leaf counts nobody', async () => {
  const { rId } = await app.admin.get(openRule, { body: { advId: adv } })
  const rule = node('r', 'u', leaf('a', 'n', tagged(women)), leaf('b', 'n', []))
  const { cnt } = await app.admin.get(countRule, { params: { rId }, body: { advId: adv, rule } })
  expect(cnt).toEqual({ r: 5, a: 5, b: 0 })
})

test('a saved crowd is computed and then completed with its size', async () => {
  const { id, tagId } = await aCrowd(app, adv, leaf('a', 'n', tagged(women, city)))
  expect((await crowdOf(id)).status).toBe('computing')
  await app.settled()
  expect(await crowdOf(id)).toMatchObject({ status: 'completed', magnitude: 2, tagId, ver: 1, failReason: null })
  expect((await crowdOf(id)).tookMs).toBeGreaterThanOrEqual(0)
})

test('a history crowd counts as its people', async () => {
  const { id } = await aCrowd(app, adv, leaf('a', 'u', tagged(women, city)))
  await app.settled()
  const rId = await draft(node('r', 'e', byCrowd('h', id), leaf('b', 'n', tagged(city))))
  expect((await app.admin.get(getRule, { params: { rId } })).cnt).toEqual({ r: 3, h: 6, b: 3 })
})

test('a bad rule is refused with a sentence and not stored', async () => {
  const { rId } = await app.admin.get(openRule, { body: { advId: adv } })
  const refusal = async (rule: unknown) => {
    const answer = await app.admin.call(storeRule, { params: { rId }, body: { advId: adv, rule: rule as RuleNode } })
    return answer.code === 0 ? 'stored' : answer.msg
  }
  const other = await aTag(app, await anAdvertiser(app), [1])
  expect(await refusal(leaf('a', 'n', tagged(women, 999)))).toContain('999')
  expect(await refusal(leaf('a', 'n', tagged(other)))).toContain(String(other))
  expect(await refusal({ ...leaf('a', 'n', tagged(women)), exps: [leaf('b', 'n', [])] })).toContain('两个子节点')
  expect(await refusal(node('a', 'n', leaf('a', 'n', []), leaf('b', 'n', [])))).toContain('id 重复')
  let comb: RuleNode = leaf('l0', 'n', tagged(women))
  for (let i = 1; i < 64; i++) comb = node(`n${i}`, 'n', comb, leaf(`l${i}`, 'n', tagged(women)))
  expect(await refusal(comb)).toBe('stored')
  expect(await refusal(node('top', 'n', comb, leaf('more', 'n', tagged(women))))).toContain('64')
  let deep: unknown = leaf('x', 'n', [])
  for (let i = 0; i < 90; i++) deep = { id: `d${i}`, op: 'n', subTags: [], exps: [deep] }
  expect(await refusal(deep)).toContain('64')
  for (let i = 90; i < 1000; i++) deep = { id: `d${i}`, op: 'n', subTags: [], exps: [deep] }
  expect(await refusal(deep)).toContain('嵌套层数过多')
  expect((await app.admin.get(getRule, { params: { rId } })).def).toEqual(comb)
})

test('a crowd needs a complete rule, a name, a folder and a future day', async () => {
  const body = { name: '高价值', invalidTime: now() + DAY, dirId: 1 }
  const whole = await draft(leaf('a', 'n', tagged(women)))
  const create = async (change: object) =>
    (await app.admin.call(createRuleCrowd, { body: { rId: whole, ...body, ...change } })).msg
  expect(await create({ rId: await draft(node('r', 'n', leaf('a', 'n', tagged(women)), leaf('b', 'n', []))) })).toBe(
    '人群标签不能为空',
  )
  expect(await create({ rId: 999 })).toBe('规则不存在或已被删除')
  expect(await create({ name: '' })).toBe('请输入定向包名称')
  expect(await create({ name: 'a'.repeat(31) })).toBe('名称长度在 1 到 30 个字符')
  expect(await create({ name: 'a b' })).toBe('名称只支持中英文，数字，横杠，下划线')
  expect(await create({ dirId: undefined })).toBe('请选择存储路径')
  expect(await create({ dirId: 99 })).toBe('文件夹不存在或已被删除')
  expect(await create({ dirId: 2 ** 31 })).toBe('请选择存储路径')
  expect(await create({ invalidTime: undefined })).toBe('请选择失效时间')
  expect(await create({ invalidTime: now() - 2 * DAY })).toBe('失效时间不能早于今天')
  expect(await create({})).toBe('OK')
  expect(await create({})).toBe('该规则已被其他人群使用，请重新打开编辑页')
  expect(await create({ rId: await draft(leaf('a', 'n', tagged(women))) })).toBe('同级目录下不允许重名')
})

test('a crowd lives to the last second of its day in the time zone', async () => {
  const noon = Math.floor(Date.parse('2031-03-01T12:00:00+08:00') / 1000)
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)), { invalidTime: noon })
  expect((await crowdOf(id)).invalidTime).toBe(Date.parse('2031-03-01T23:59:59+08:00') / 1000)
})

test('the second of two editors gets what the first one saved', async () => {
  const { id, rId } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)), { name: '原名' })
  await app.settled()
  const first = await app.admin.get(openRule, { body: { advId: adv, from: rId } })
  const changed = leaf('a', 'u', tagged(women, city))
  await app.admin.get(storeRule, { params: { rId: first.rId }, body: { advId: adv, rule: changed } })
  await app.admin.get(updateRuleCrowd, { params: { id }, body: { rId: first.rId, name: '先存', ver: 1 } })
  const late = await app.admin.call(updateRuleCrowd, { params: { id }, body: { name: '后存', ver: 1 } })
  expect(late).toMatchObject({
    status: 409,
    code: FAULTS.crowdStale.code,
    data: { saved: { name: '先存', ver: 2 }, def: changed },
  })
  await app.settled()
  expect(await crowdOf(id)).toMatchObject({ name: '先存', magnitude: 6, status: 'completed' })
})

test('a save that changes nothing keeps the version', async () => {
  const { id, tagId } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)), { name: '原名' })
  const kept = { id, tagId, ver: 1 }
  expect(await app.admin.get(updateRuleCrowd, { params: { id }, body: { name: '原名', ver: 1 } })).toEqual(kept)
  expect(await app.admin.get(updateRuleCrowd, { params: { id }, body: {} })).toEqual(kept)
})

test('of saves at the same time one wins and the others are refused', async () => {
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  const names = ['甲', '乙', '丙', '丁']
  const answers = await Promise.all(
    names.map((name) => app.admin.call(updateRuleCrowd, { params: { id }, body: { name, ver: 1 } })),
  )
  expect(answers.filter((a) => a.code === 0)).toHaveLength(1)
  expect((await crowdOf(id)).ver).toBe(2)
})

test('a cycle is refused and named', async () => {
  const a = await aCrowd(app, adv, leaf('a', 'n', tagged(women)), { name: '甲' })
  await app.settled()
  const b = await aCrowd(app, adv, byCrowd('h', a.id), { name: '乙' })
  await app.settled()
  const rId = await draft(byCrowd('h', b.id))
  const answer = await app.admin.call(updateRuleCrowd, { params: { id: a.id }, body: { rId, ver: 1 } })
  expect(answer).toMatchObject({ code: FAULTS.ruleCycle.code, msg: '规则引用了自身：甲 → 乙 → 甲，请移除后再保存' })
})

test('a dependent of an expired crowd fails and names it; its last result stays', async () => {
  const a = await aCrowd(app, adv, leaf('a', 'n', tagged(women)), { name: '甲' })
  await app.settled()
  const b = await aCrowd(app, adv, byCrowd('h', a.id), { name: '乙' })
  await app.settled()
  await db
    .updateTable('people')
    .set({ invalid_time: now() - 5 })
    .where('id', '=', a.id)
    .execute()
  expect((await crowdOf(a.id)).status).toBe('invalid')
  const failed = await crowdOf(b.id)
  expect(failed).toMatchObject({ status: 'failed', magnitude: 5 })
  expect(failed.failReason).toContain('「甲」')
  const list = await app.admin.get(listRuleCrowds, { query: { status: 'failed' } })
  expect(list.res.map((p) => p.id)).toEqual([b.id])
  const rId = await draft(byCrowd('h', a.id))
  const body = { rId, name: '丙', invalidTime: now() + DAY, dirId: 1 }
  expect((await app.admin.call(createRuleCrowd, { body })).code).toBe(FAULTS.ruleExpiredCrowd.code)
  const { ver } = await crowdOf(a.id)
  await app.admin.get(updateRuleCrowd, { params: { id: a.id }, body: { invalidTime: now() + 9 * DAY, ver } })
  await app.settled()
  expect((await crowdOf(b.id)).status).toBe('completed')
})

test('a crowd that waits for another one fails when that one fails', async () => {
  const old = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  await app.settled()
  const a = await aCrowd(app, adv, byCrowd('h', old.id), { name: '甲' })
  await app.settled()
  const b = await aCrowd(app, adv, byCrowd('h', a.id))
  await app.settled()
  await db
    .updateTable('people')
    .set({ version: 0, magnitude: null, computed_at: null })
    .where('id', 'in', [a.id, b.id])
    .execute()
  await db
    .updateTable('people')
    .set({ invalid_time: now() - 5 })
    .where('id', '=', old.id)
    .execute()
  await app.admin.get(computeRuleCrowd, { params: { id: b.id } })
  await app.settled()
  expect((await crowdOf(b.id)).status).toBe('computing')
  await app.admin.get(computeRuleCrowd, { params: { id: a.id } })
  await app.settled()
  expect((await crowdOf(a.id)).status).toBe('failed')
  const waited = await crowdOf(b.id)
  expect(waited.status).toBe('failed')
  expect(waited.failReason).toContain('「甲」')
})

test('a changed tag recomputes the crowds that use it, and theirs', async () => {
  const a = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  await app.settled()
  const b = await aCrowd(app, adv, node('r', 'n', byCrowd('h', a.id), leaf('c', 'n', tagged(city))))
  await app.settled()
  expect((await crowdOf(b.id)).magnitude).toBe(2)
  await setTag(app, adv, women, [4], 2)
  // Both were computed more than 15 minutes ago.
  await db
    .updateTable('people')
    .set({ computed_at: now() - 1000 })
    .execute()
  await transaction(db, (tx) => app.services.computing.recomputeUsersOf(tx, 'tag', [women]))
  await app.settled()
  expect((await crowdOf(a.id)).magnitude).toBe(1)
  expect((await crowdOf(b.id)).magnitude).toBe(1)
})

test('a crowd recomputes at most every 15 minutes, unless a person asks for it', async () => {
  const a = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  await app.settled()
  await setTag(app, adv, women, [4], 2)
  await transaction(db, (tx) => app.services.computing.recomputeUsersOf(tx, 'tag', [women]))
  await app.settled()
  expect((await crowdOf(a.id)).magnitude).toBe(5)
  await app.admin.get(computeRuleCrowd, { params: { id: a.id } })
  await app.settled()
  expect((await crowdOf(a.id)).magnitude).toBe(1)
})

test('a crowd with a computation time in the future is recomputed at once when its tag changes', async () => {
  const a = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  await app.settled()
  await setTag(app, adv, women, [4], 2)
  await db
    .updateTable('people')
    .set({ computed_at: now() + 10_800 })
    .execute()
  await transaction(db, (tx) => app.services.computing.recomputeUsersOf(tx, 'tag', [women]))
  await app.settled()
  expect((await crowdOf(a.id)).magnitude).toBe(1)
})

test('a copy has its own rule and a free name', async () => {
  const { id, rId } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)), { name: '原' })
  const first = await app.admin.get(copyRuleCrowd, { params: { id } })
  const second = await app.admin.get(copyRuleCrowd, { params: { id } })
  expect([first.name, second.name]).toEqual(['原_副本', '原_副本2'])
  await app.settled()
  const copy = await crowdOf(first.id)
  expect(copy).toMatchObject({ status: 'completed', magnitude: 5 })
  expect(copy.rId).not.toBe(rId)
})

test('moving needs a free name and an existing folder; a folder with crowds stays', async () => {
  const { id: dirId } = await app.admin.get(createAssetFolder, { body: { name: '大促' } })
  const a = await aCrowd(app, adv, leaf('a', 'n', tagged(women)), { name: '同名' })
  await aCrowd(app, adv, leaf('a', 'n', tagged(women)), { name: '同名', dirId })
  expect((await app.admin.call(moveRuleCrowds, { body: { ids: [a.id], dirId } })).code).toBe(3)
  expect((await app.admin.call(moveRuleCrowds, { body: { ids: [], dirId } })).msg).toBe('请选择文件')
  expect((await app.admin.call(moveRuleCrowds, { body: { dirId } as never })).msg).toBe('请选择文件')
  const answer = await app.admin.call(deleteAssetFolder, { params: { id: dirId } })
  expect(answer).toMatchObject({
    code: FAULTS.folderHoldsPackages.code,
    msg: '当前文件夹下存在定向包，请先移除定向包后再对文件夹进行删除操作。',
  })
})

test('the quota counts copies too, and is shown', async () => {
  for (let i = 0; i < 6; i++) await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  expect(await app.admin.get(getRuleCrowdQuota, { query: { advertiser_id: adv } })).toEqual({ capacity: 6, used: 6 })
  const { res } = await app.admin.get(listRuleCrowds)
  expect((await app.admin.call(copyRuleCrowd, { params: { id: res[0]?.id ?? 0 } })).code).toBe(FAULTS.quotaFull.code)
})

test('the list filters, sorts and pages', async () => {
  const a = await aCrowd(app, adv, leaf('a', 'n', tagged(women)), { name: '女性_一' })
  const b = await aCrowd(app, adv, leaf('a', 'n', tagged(city)), { name: '城市' })
  await app.settled()
  const ids = async (query: object) => (await app.admin.get(listRuleCrowds, { query })).res.map((p) => p.id)
  await db
    .updateTable('people')
    .set({ created_at: now() - 500 })
    .where('id', '=', a.id)
    .execute()
  expect(await ids({})).toEqual([b.id, a.id])
  expect(await ids({ sort: 'created_at' })).toEqual([a.id, b.id])
  expect(await ids({ name: '_' })).toEqual([a.id])
  expect(await ids({ tag_id: b.tagId })).toEqual([b.id])
  expect(await ids({ tag_id: '99999999999999999999' })).toEqual([])
  expect(await ids({ tag_id: '99999999999999999999', ordinary: '1' })).toEqual([])
  expect(await ids({ created_at: `${now() - 600},${now() - 400}` })).toEqual([a.id])
  expect(await ids({ creator: '管理' })).toEqual([b.id, a.id])
  expect(await ids({ status: 'completed,in_use' })).toEqual([b.id, a.id])
  expect(await ids({ ordinary: '1' })).toEqual([b.id, a.id])
  expect(await ids({ page: 2, page_size: 1 })).toEqual([a.id])
  expect(await ids({ dir_id: 1, adv_id: adv })).toEqual([b.id, a.id])
  expect((await app.admin.get(listCreators)).map((c) => c.realname)).toEqual(['管理员'])
})

test('an id beyond the range of ids is answered as not found', async () => {
  for (const id of [2 ** 31, Number.MAX_SAFE_INTEGER]) {
    expect((await app.admin.call(getRuleCrowd, { params: { id } })).status).toBe(400)
    expect((await app.admin.call(deleteRuleCrowds, { body: { ids: [id] } })).status).toBe(400)
    expect((await app.admin.call(listRuleCrowds, { query: { creator_id: String(id) } })).status).toBe(400)
  }
})

test('a viewer of another advertiser finds nothing', async () => {
  const { id, rId } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  expect((await stranger.call(getRuleCrowd, { params: { id } })).status).toBe(404)
  expect((await stranger.call(getRule, { params: { rId } })).status).toBe(404)
  expect((await stranger.call(openRule, { body: { advId: adv } })).status).toBe(403)
  expect((await stranger.call(listRuleCrowds, { query: { adv_id: adv } })).status).toBe(403)
  expect((await stranger.get(listRuleCrowds)).total).toBe(0)
})

test('drafts that were not saved as a crowd are deleted after a day', async () => {
  const kept = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  const old = await draft(leaf('a', 'n', tagged(women)))
  await db
    .updateTable('rule')
    .set({ updated_at: now() - 2 * DAY })
    .execute()
  const fresh = await draft(leaf('a', 'n', tagged(women)))
  await app.services.rules.dropDrafts()
  const left = (await db.selectFrom('rule').select('id').orderBy('id').execute()).map((r) => r.id)
  expect(left).toEqual([kept.rId, fresh])
  expect(left).not.toContain(old)
})

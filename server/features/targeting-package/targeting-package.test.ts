import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { createAssetFolder, deleteAssetFolder } from '#contract/folder.ts'
import { type CreatedKind, checkRuleCrowdApplied, listCreators, NEVER } from '#contract/rule-crowd.ts'
import * as contract from '#contract/targeting-package.ts'
import { anAdvertiser, DAY } from '../../testing/builders.ts'
import { COMMERCE, VIDEO } from '../../testing/platforms.ts'
import { aCommerceAccount, aPackage, aTargetingAccount } from '../../testing/targeting.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'
import { endOfDay } from '../../time/day.ts'

const app = await testApp()
afterAll(() => app.close())

let adv_id: number
let account: number
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  account = await aCommerceAccount(app, adv_id, '旗舰店')
})

const detail = (id: number) => app.admin.get(contract.getTargeting, { query: { id } })
const update = (body: object) => app.admin.call(contract.updateTargeting, { body: body as never })
const listed = (body: object = {}) =>
  app.admin.get(contract.listTargetings, { body: { platform: COMMERCE, ...body } as never })
const namesOf = async (body: object = {}) => (await listed(body)).list.map(({ name }) => name)
const { db } = app.stores.postgres
const inPlan = (package_id: number, live = true) =>
  db.insertInto('targeting_use').values({ package_id, plan_id: 7, plan_name: '双十一直播', live }).execute()

test('a package is stored with what its editor would save, and its preview is made anew', async () => {
  const targeting = { landing_type: 'LIVE', gender: ['GENDER_FEMALE'], action_tags: [{ id: '1', type: 1 }] }
  const bring_data = JSON.stringify({ previewTargets: [{ label: '性别', words: ['男'] }] })
  const id = await aPackage(app, account, { targeting_name: '老客', targeting: JSON.stringify(targeting), bring_data })
  const got = await detail(id)
  expect(got.targeting).toEqual({
    landing_type: 'LIVE',
    gender: ['GENDER_FEMALE'],
    smart_interest_action: 'UNLIMITED',
    aweme_fan_by: 0,
    auto_extend_enabled: 0,
    new_customer: 'NONE',
    exclude_limited_region: 0,
  })
  expect(JSON.parse(got.bring_data)).toEqual({ previewTargets: [{ label: '性别', words: ['女'] }] })
  expect(got).toMatchObject({ name: '老客', status: 1, is_local: true, targeting_id: null, user_count: null, ver: 1 })
  expect(got).toMatchObject({ adv_id, advertiser_id: account, account_name: '旗舰店', invalidTime: NEVER_DAY })
})
const NEVER_DAY = endOfDay(NEVER, app.stores.settings.timezone)

test.each<[string, object, string]>([
  ['a text that is no JSON', { targeting: '{' }, '定向内容不是有效的 JSON'],
  [
    'a code of another platform, by its field',
    { targeting: { landing_type: 'DPA' } },
    '参数「targeting.landing_type」只能是「LIVE」、「VIDEO」',
  ],
  [
    'a field that the platform never had, by name',
    { targeting: { landing_type: 'LIVE', career: ['IT'] } },
    '参数「targeting」中有不认识的参数：「career」',
  ],
  ['an incomplete tab', { targeting: { landing_type: 'LIVE', auto_crowd_mode: [1] } }, '请选择定向人群'],
  ['no package type', { targeting: {} }, '请选择定向包类型'],
  ['a text above 256 KB', { targeting: 'x'.repeat(256 * 1024 + 1) }, '定向内容不能超过 256 KB'],
  ['a name with a space', { targeting_name: '老 客' }, '名称只支持中英文，数字，横杠，下划线'],
  ['a name of 31 characters', { targeting_name: '客'.repeat(31) }, '名称长度在 1 到 30 个字符'],
  ['a day in the past', { invalid_time: 1_700_000_000 }, '失效时间不能早于今天'],
  ['a folder that does not exist', { dir_id: 99 }, '文件夹不存在或已被删除'],
])('%s is refused', async (_, given, sentence) => {
  const body = {
    targeting_name: '新客',
    dir_id: 1,
    advertiser_id: account,
    targeting: { landing_type: 'LIVE' },
    ...given,
  }
  const answer = await app.admin.call(contract.addTargeting, { body: body as never })
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.msg).toContain(sentence)
  expect((await listed()).page_info.total_number).toBe(0)
})

test('nothing new is made on an account that is not authorised, and what it has can be changed', async () => {
  const id = await aPackage(app, account)
  await db.updateTable('platform_account').set({ login_id: null }).where('id', '=', account).execute()
  const body = { targeting_name: '新客', dir_id: 1, advertiser_id: account, targeting: { landing_type: 'LIVE' } }
  expect(await app.admin.call(contract.addTargeting, { body })).toMatchObject({ status: 409 })
  expect(await app.admin.call(contract.copyTargeting, { body: { id } })).toMatchObject({ status: 409 })
  expect(await update({ id, targeting_name: '改名' })).toMatchObject({ code: 0 })
})

test('packages of 巨量引擎 are those meant where no platform is named', async () => {
  await aPackage(app, account, { targeting_name: '直播' })
  const video = await aTargetingAccount(app, adv_id, VIDEO)
  const targeting = { landing_type: 'MICRO_GAME', career_by: ['CUSTOM'], career: ['IT'] }
  const id = await aPackage(app, video, { targeting_name: '小游戏', targeting })
  expect(await detail(id)).toMatchObject({ platform: VIDEO, landing_type: 'MICRO_GAME', targeting: { career: ['IT'] } })
  expect(await namesOf({ platform: undefined })).toEqual(['小游戏'])
  expect(await namesOf()).toEqual(['直播'])
})

test('a name is free once in a folder for each advertiser', async () => {
  await aPackage(app, account, { targeting_name: '老客' })
  const again = { targeting_name: '老客', dir_id: 1, advertiser_id: account, targeting: { landing_type: 'LIVE' } }
  expect(await app.admin.call(contract.addTargeting, { body: again })).toMatchObject({ code: FAULTS.nameTaken.code })
  const others = await aCommerceAccount(app, await anAdvertiser(app))
  await aPackage(app, others, { targeting_name: '老客' })
  const { id: dir_id } = await app.admin.get(createAssetFolder, { body: { name: '大促' } })
  await aPackage(app, account, { targeting_name: '老客', dir_id })
})

test('what would refuse a new package is told before there is any targeting', async () => {
  await aPackage(app, account, { targeting_name: '老客' })
  const check = (given: object) =>
    app.admin.call(contract.checkNewTargeting, {
      body: { targeting_name: '新客', dir_id: 1, advertiser_id: account, ...given },
    })
  expect(await check({})).toMatchObject({ code: 0, data: null })
  expect(await namesOf()).toEqual(['老客'])
  expect(await check({ targeting_name: '老客' })).toMatchObject({ code: FAULTS.nameTaken.code })
  expect(await check({ targeting_name: '' })).toMatchObject({ status: 400 })
  expect(await check({ advertiser_id: 999_999 })).toMatchObject({ status: 404 })
  expect(await check({ dir_id: 999_999 })).toMatchObject({ status: 404, msg: expect.stringContaining('文件夹') })
  await db.updateTable('platform_account').set({ scope_list: '[]' }).where('id', '=', account).execute()
  expect(await check({})).toMatchObject({ code: FAULTS.platformClosed.code })
})

test('of two who create the same name at once one is refused', async () => {
  const body = { targeting_name: '老客', dir_id: 1, advertiser_id: account, targeting: { landing_type: 'LIVE' } }
  const answers = await Promise.all([1, 2, 3].map(() => app.admin.call(contract.addTargeting, { body })))
  expect(answers.map(({ code }) => code).toSorted()).toEqual([0, FAULTS.nameTaken.code, FAULTS.nameTaken.code])
})

test('of two who save at once the second is told, with what the first one saved', async () => {
  const id = await aPackage(app, account, { targeting_name: '老客' })
  const save = (gender: string) => update({ id, ver: 1, targeting: { landing_type: 'LIVE', gender: [gender] } })
  const answers = await Promise.all([save('GENDER_MALE'), save('GENDER_FEMALE')])
  const [won, lost] = answers.toSorted((one, other) => one.code - other.code)
  expect(won).toMatchObject({ code: 0, data: { id, ver: 2 } })
  expect(lost).toMatchObject({ status: 409, code: FAULTS.packageStale.code })
  expect(lost?.msg).toContain('已保存过此定向包，您的修改未保存')
  const { targeting } = await detail(id)
  expect(lost?.data).toMatchObject({ saved: { id, ver: 2, targeting } })
})

test('without a version the last save wins, and the history keeps the other', async () => {
  const id = await aPackage(app, account)
  for (const age of ['AGE_BETWEEN_18_23', 'AGE_BETWEEN_24_30']) {
    await update({ id, targeting: { landing_type: 'LIVE', age: [age] } })
  }
  const { list, total } = await app.admin.get(contract.listTargetingHistory, { query: { id } })
  expect(total).toBe(3)
  expect(list.map(({ ver, kind, targeting }) => [ver, kind, targeting.age])).toEqual([
    [3, 'update', ['AGE_BETWEEN_24_30']],
    [2, 'update', ['AGE_BETWEEN_18_23']],
    [1, 'create', ['AGE_ABOVE_50']],
  ])
  expect(await app.admin.get(contract.restoreTargeting, { body: { id, ver: 2 } })).toMatchObject({ id, ver: 4 })
  expect((await detail(id)).targeting.age).toEqual(['AGE_BETWEEN_18_23'])
  const restored = await app.admin.get(contract.listTargetingHistory, { query: { id, page_size: 1 } })
  expect(restored.list).toMatchObject([{ ver: 4, kind: 'restore', restored_from: 2 }])
  expect(restored.earlier).toMatchObject({ ver: 3, targeting: { age: ['AGE_BETWEEN_24_30'] } })
  const first = await app.admin.get(contract.listTargetingHistory, { query: { id, ver: 1 } })
  expect(first).toMatchObject({ total: 1, list: [{ ver: 1, kind: 'create' }], earlier: null })
  expect(await app.admin.call(contract.restoreTargeting, { body: { id, ver: 9 } })).toMatchObject({ status: 404 })
})

test('the history names the folder of each version, also of packages that were moved together', async () => {
  const { id: above } = await app.admin.get(createAssetFolder, { body: { name: '活动' } })
  const { id: dir_id } = await app.admin.get(createAssetFolder, { body: { name: '双十一', parentId: above } })
  const [one, other] = [await aPackage(app, account), await aPackage(app, account, { dir_id })]
  await app.admin.get(contract.moveTargetings, { body: { id: [one, other], dir_id } })
  const folders = async (id: number) =>
    (await app.admin.get(contract.listTargetingHistory, { query: { id } })).list.map((version) => version.dir_name)
  expect(await folders(one)).toEqual(['活动 / 双十一', '默认分组'])
  expect(await folders(other)).toEqual(['活动 / 双十一'])
  await update({ id: one, dir_id: 1 })
  expect(await folders(one)).toEqual(['默认分组', '活动 / 双十一', '默认分组'])
})

test('a restored version brings its name back unless it is taken; the folder stays', async () => {
  const { id: dir_id } = await app.admin.get(createAssetFolder, { body: { name: '活动' } })
  const id = await aPackage(app, account, { targeting_name: '老客' })
  await update({ id, targeting_name: '新客', dir_id })
  const restore = () => app.admin.get(contract.restoreTargeting, { body: { id, ver: 1 } })
  expect(await restore()).toEqual({ id, ver: 3, name: '老客' })
  expect(await detail(id)).toMatchObject({ name: '老客', dir_id })
  await update({ id, targeting_name: '新客' })
  await aPackage(app, account, { targeting_name: '老客', dir_id })
  expect(await restore()).toEqual({ id, ver: 4, name: '新客' })
})

test('the history keeps the last hundred versions', async () => {
  const id = await aPackage(app, account)
  const ages = ['AGE_BETWEEN_18_23', 'AGE_BETWEEN_24_30']
  for (let n = 0; n < contract.HISTORY_KEPT + 1; n++) {
    await update({ id, targeting: { landing_type: 'LIVE', age: [ages[n % 2]] } })
  }
  const { list, total } = await app.admin.get(contract.listTargetingHistory, { query: { id, page_size: 200 } })
  expect(total).toBe(contract.HISTORY_KEPT)
  expect(list.at(-1)?.ver).toBe(3)
})

test('a save that changes nothing makes no version', async () => {
  const id = await aPackage(app, account)
  const { targeting, name } = await detail(id)
  expect(await update({ id, targeting, targeting_name: name, ver: 1 })).toMatchObject({ code: 0, data: { ver: 1 } })
})

test('the account and the package type stay', async () => {
  const id = await aPackage(app, account)
  const other = await aCommerceAccount(app, adv_id)
  expect((await update({ id, advertiser_id: other })).msg).toBe('定向包所属的平台账户不能修改，请复制到其他账户')
  expect((await update({ id, targeting: { landing_type: 'VIDEO' } })).msg).toBe(
    '定向包类型保存后不能修改，请新建定向包',
  )
})

test('an expired package is 已失效, may be renamed, and a new day revives it', async () => {
  const id = await aPackage(app, account)
  await db
    .updateTable('targeting_package')
    .set({ invalid_time: now() - 2 * DAY })
    .execute()
  expect(await namesOf({ status: '5' })).toHaveLength(1)
  expect(await update({ id, targeting_name: '旧包' })).toMatchObject({ code: 0 })
  expect((await update({ id, invalid_time: now() - DAY })).msg).toBe('失效时间不能早于今天')
  await update({ id, invalid_time: now() + DAY })
  expect(await detail(id)).toMatchObject({ name: '旧包', status: 1 })
})

test('statuses come with their labels, and filter the list', async () => {
  const used = await aPackage(app, account, { targeting_name: '在投' })
  await inPlan(used)
  await inPlan(await aPackage(app, account, { targeting_name: '投过' }), false)
  const lost = await aPackage(app, account, { targeting_name: '丢了人群' })
  await db.updateTable('targeting_package').set({ is_crowd_lost: true }).where('id', '=', lost).execute()
  const { options } = await listed()
  expect(options.status).toEqual({
    '-1': '人群失效',
    '1': '正常',
    '2': '使用中',
    '3': '同步中',
    '4': '同步失败',
    '5': '已失效',
  })
  expect(await namesOf({ status: '2' })).toEqual(['在投'])
  expect(await namesOf({ status: '-1' })).toEqual(['丢了人群'])
  expect((await namesOf({ status: '1,2' })).toSorted()).toEqual(['在投', '投过'].toSorted())
  expect((await detail(used)).plans).toEqual([{ id: 7, plan_id: null, name: '双十一直播' }])
})

test('the list filters, sorts and pages', async () => {
  const { id: dir_id } = await app.admin.get(createAssetFolder, { body: { name: '大促' } })
  const other = await aCommerceAccount(app, adv_id)
  const first = await aPackage(app, account, { targeting_name: '春季老客' })
  await aPackage(app, account, { targeting_name: '夏季老客', dir_id })
  await aPackage(app, other, { targeting_name: '夏季新客' })
  expect(await namesOf({ name: '老客' })).toEqual(['夏季老客', '春季老客'])
  expect(await namesOf({ dir_id })).toEqual(['夏季老客'])
  expect(await namesOf({ advertiser_id: other })).toEqual(['夏季新客'])
  expect(await namesOf({ tag_id: first })).toEqual(['春季老客'])
  expect(await namesOf({ tag_id: '99999999999999999999' })).toEqual([])
  expect(await namesOf({ sort: 'created_at', page_size: 2 })).toEqual(['春季老客', '夏季老客'])
  expect(await namesOf({ sort: 'created_at', page_size: 2, page: 2 })).toEqual(['夏季新客'])
  expect(await namesOf({ creator: '没有这人' })).toEqual([])
  expect(await namesOf({ creator: '管理' })).toHaveLength(3)
  // The sign-in name is not shown, so it is not found either.
  expect(await namesOf({ creator: 'admin' })).toEqual([])
  expect(await namesOf({ created_at: `${now() - 60},${now() + 60}` })).toHaveLength(3)
  expect(await namesOf({ created_at: `0,${now() - 60}` })).toEqual([])
})

test('the creator filter offers who made packages that the viewer may see, and lists theirs', async () => {
  await aPackage(app, account, { targeting_name: '管理员的包' })
  const colleague = await app.viewer('colleague', [adv_id])
  const body = { targeting_name: '同事的包', dir_id: 1, advertiser_id: account, targeting: { landing_type: 'LIVE' } }
  await colleague.get(contract.addTargeting, { body })
  const creators = (kind?: CreatedKind) => colleague.get(listCreators, { body: { kind } })
  const offered = await creators('targeting')
  expect(offered.map(({ realname }) => realname)).toEqual(['管理员', 'colleague'])
  for (const kind of [undefined, 'custom', 'rule'] as const) expect(await creators(kind)).toEqual([])
  const [admin, self] = offered.map(({ id }) => id)
  expect(await namesOf({ creator_id: `${self}` })).toEqual(['同事的包'])
  expect(await namesOf({ creator_id: `${admin},${self}` })).toHaveLength(2)
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  expect(await stranger.get(listCreators, { body: { kind: 'targeting' } })).toEqual([])
})

test('a copy has a free name, everything of the targeting, and may go to another account', async () => {
  const id = await aPackage(app, account, { targeting_name: '老客' })
  const copies = [1, 2].map(() => app.admin.get(contract.copyTargeting, { body: { id } }))
  expect((await Promise.all(copies)).map(({ name }) => name).toSorted()).toEqual(['老客_副本', '老客_副本2'])
  const other = await aCommerceAccount(app, adv_id)
  const body = { id, advertiser_id: other, targeting_name: '老客B' }
  const copy = await app.admin.get(contract.copyTargeting, { body })
  expect(await detail(copy.id)).toMatchObject({ advertiser_id: other, targeting: (await detail(id)).targeting })
})

test('of several packages those that may be deleted are, and each other says why it is kept', async () => {
  const used = await aPackage(app, account, { targeting_name: '在投' })
  const free = await aPackage(app, account, { targeting_name: '空闲' })
  const made = await aPackage(app, account, { targeting_name: '平台的' })
  await db.updateTable('targeting_package').set({ origin: 'platform' }).where('id', '=', made).execute()
  await inPlan(used)
  const remove = (id: string, check = '0', more: object = {}) =>
    app.admin.call(contract.deleteTargetings, { query: { id, check, ...more } as never })
  const sentence = '定向包 在投 正在被计划使用中，请先解绑或关闭计划：双十一直播'
  const foreign = '定向包 平台的 来自平台，只能查看和复制'
  const gone = '定向包不存在或已被删除'
  const kept = (isDeleted: boolean) => [
    { id: used, name: '在投', is_deleted: false, msg: sentence },
    { id: free, name: '空闲', is_deleted: isDeleted, msg: 'OK', refusal_outcome: null },
    { id: made, name: '平台的', is_deleted: false, msg: foreign },
    { id: 987_654, name: null, is_deleted: false, msg: gone },
  ]
  const all = `${used},${free},${made},987654,${free}`

  expect(await remove(all, '1')).toMatchObject({ code: 0, data: { msg: sentence, list: kept(false) } })
  expect(await namesOf()).toHaveLength(3)
  expect(await remove(all)).toMatchObject({ code: 0, data: { msg: sentence, list: kept(true) } })
  expect((await namesOf()).toSorted()).toEqual(['在投', '平台的'].toSorted())

  // Nothing is left that may be deleted.
  expect(await remove(`${used},${made}`)).toMatchObject({
    ...{ status: 409, code: FAULTS.packageInUse.code, msg: sentence },
    data: {
      list: [
        { id: used, msg: sentence },
        { id: made, msg: foreign },
      ],
    },
  })
  expect(await namesOf()).toHaveLength(2)
})

test('a package is deleted only by a member, and only as what the request says it is', async () => {
  const id = await aPackage(app, account)
  const remove = (more: object = {}, by = app.admin) =>
    by.call(contract.deleteTargetings, { query: { id: String(id), ...more } as never })
  expect(await remove({ check: '1' })).toMatchObject({ data: { msg: 'OK', refusal_outcome: null } })
  expect(await namesOf()).toHaveLength(1)
  const elsewhere = await aCommerceAccount(app, adv_id)
  expect(await remove({ advertiser_id: elsewhere })).toMatchObject({ status: 404 })
  expect(await remove({ targeting_id: '9407199254740993' })).toMatchObject({ status: 404 })
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  for (const check of ['0', '1']) expect(await remove({ check }, stranger)).toMatchObject({ status: 404 })
  expect(await remove({ advertiser_id: account })).toMatchObject({ data: { msg: 'OK' } })
  expect(await namesOf()).toEqual([])
  expect(await remove()).toMatchObject({ status: 404 })
})

test('the use check names the live plans of a package, and only of the viewer’s own', async () => {
  const used = await aPackage(app, account)
  await inPlan(used)
  const check = (crowd_id: number, more: object = {}) =>
    app.admin.call(checkRuleCrowdApplied, { body: { type: 2, crowd_id, ...more } })
  expect((await check(used, { tag_id: used })).data).toEqual({
    applied: true,
    apply_status: 1,
    plans: [{ id: 7, plan_id: null, name: '双十一直播', package_name: null }],
  })
  expect((await check(await aPackage(app, account))).data).toEqual({ applied: false, apply_status: 0, plans: [] })
  expect(await check(used, { tag_id: used + 1 })).toMatchObject({ status: 404 })
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  expect(await stranger.call(checkRuleCrowdApplied, { body: { type: 2, crowd_id: used } })).toMatchObject({
    status: 404,
  })
})

test('the package types of a platform are listed', async () => {
  expect(await app.admin.get(contract.listLandingTypes, { query: { platform: COMMERCE } })).toEqual([
    { value: 'LIVE', label: '直播' },
    { value: 'VIDEO', label: '短视频' },
  ])
})

test('packages move together or not at all, and their folder stays while it holds them', async () => {
  const { id: dir_id } = await app.admin.get(createAssetFolder, { body: { name: '大促' } })
  const one = await aPackage(app, account, { targeting_name: '老客' })
  const other = await aPackage(app, account, { targeting_name: '新客' })
  await aPackage(app, account, { targeting_name: '新客', dir_id })
  const move = (id: number[]) => app.admin.call(contract.moveTargetings, { body: { id, dir_id } })
  expect(await move([one, other])).toMatchObject({ code: FAULTS.nameTaken.code })
  expect(await namesOf({ dir_id })).toEqual(['新客'])
  expect(await move([one])).toMatchObject({ code: 0 })
  expect((await namesOf({ dir_id })).toSorted()).toEqual(['新客', '老客'].toSorted())
  expect(await app.admin.call(deleteAssetFolder, { params: { id: dir_id }, query: {} })).toMatchObject({
    code: FAULTS.folderHoldsPackages.code,
  })
})

test('a folder that holds another advertiser’s package is not deleted by others', async () => {
  const { id: dir_id } = await app.admin.get(createAssetFolder, { body: { name: '大促' } })
  await aPackage(app, account, { dir_id })
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  expect(await stranger.call(deleteAssetFolder, { params: { id: dir_id }, query: {} })).toMatchObject({
    code: FAULTS.folderHoldsOthers.code,
  })
})

test('the quota counts the packages of an account, of which the platform publishes no limit', async () => {
  await aPackage(app, account)
  expect(await app.admin.get(contract.getTargetingQuota, { query: { advertiser_id: account } })).toEqual({
    used: 1,
    total: null,
    read_at: null,
    failed_at: null,
    fail_outcome: null,
  })
})

test('an account takes no more packages than the bound', async () => {
  await aPackage(app, account)
  const rest = sql.raw(
    `adv_id, account_id, platform, dir_id, targeting, invalid_time, creator_id, created_at, saved_by, saved_at`,
  )
  await sql`insert into targeting_package (name, ${rest})
    select '包' || n, ${rest} from targeting_package, generate_series(2, ${contract.PACKAGES_MAX}::int) n`.execute(db)
  const body = { targeting_name: '多一个', dir_id: 1, advertiser_id: account, targeting: { landing_type: 'LIVE' } }
  expect(await app.admin.call(contract.addTargeting, { body })).toMatchObject({
    code: FAULTS.packagesFull.code,
    msg: `账户「旗舰店」的定向包已达上限（${contract.PACKAGES_MAX} 个），请删除部分定向包后再试`,
  })
})

test('the calls stand under both spellings, with and without a version', async () => {
  const id = await aPackage(app, account)
  const of = (path: string) => `/gdtcrowd/custom/targetings/${path}?id=${id}`
  for (const url of [`/api/v1${of('get/1')}`, `/api/v1${of('get/2')}`, `/api/v1${of('get')}`, `/v1${of('get/2')}`]) {
    const answer = await app.app.inject({ url, headers: { cookie: app.admin.cookie } })
    expect([url, answer.json().data?.id]).toEqual([url, id])
  }
  const options = await app.admin.get(contract.getTargetingOptions, { params: { platform: COMMERCE }, query: {} })
  expect(options.find(({ value }) => value === 'landing_type')?.children).toEqual([
    { value: 'LIVE', label: '直播' },
    { value: 'VIDEO', label: '短视频' },
  ])
})

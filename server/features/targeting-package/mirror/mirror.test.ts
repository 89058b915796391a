import { beforeEach, describe, expect, test } from 'vitest'
import { listAdvertiserData } from '#contract/advertiser.ts'
import { revokeAuthorisation } from '#contract/authorisation.ts'
import { FAULTS } from '#contract/errors.ts'
import { sentenceOf } from '#contract/outcome.ts'
import * as mirror from '#contract/targeting-mirror.ts'
import * as contract from '#contract/targeting-package.ts'
import { testAppWithSandbox } from '../../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../../testing/builders.ts'
import { VIDEO } from '../../../testing/platforms.ts'
import { anAuthorisedAccount, authorise } from '../../../testing/push.ts'
import { aCommerceAccount, aPackage } from '../../../testing/targeting.ts'
import { aVideoPackage, onVideoPages, packageDetail, videoPackages, WOMEN } from '../../../testing/video-packages.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres

const MEN = { landing_type: 'EXTERNAL', gender: ['GENDER_MALE'] }
const FAULT = { platform: 'video', path: '2/audience_package/create' }
/** On a machine that others use too. */
const PATIENCE_MS = 10_000

let adv_id: number
let account: number
let external: string
let pages: Awaited<ReturnType<typeof onVideoPages>>
let taken = 0
beforeEach(async () => {
  await app.reset()
  await sandbox.control('switches/reset', {})
  await sandbox.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
  await sandbox.control('faults/forget', {})
  adv_id = await anAdvertiser(app)
  // An account that no earlier test has written to.
  const { id } = await sandbox.control<{ id: string }>('accounts', {
    ...{ platform: 'video', login_id: '770001', name: `账户${++taken}` },
  })
  external = id
  account = await anAuthorisedAccount(app, sandbox, adv_id, VIDEO, external)
  pages = await onVideoPages(sandbox, external)
})

const detail = (id: number) => packageDetail(app, id)
const update = (id: number, more: object) => app.admin.get(contract.updateTargeting, { body: { id, ...more } })
const remove = (id: number) => app.admin.call(contract.deleteTargetings, { query: { id: String(id) } as never })
const sync = (id: number) => app.admin.call(mirror.syncTargeting, { body: { id } })
const adopt = (id: number) => app.admin.call(mirror.adoptTargeting, { body: { id } })
const overwrite = (id: number) => app.admin.call(mirror.overwriteTargeting, { body: { id } })
const refresh = (id?: number) =>
  app.admin.get(mirror.refreshTargetings, { body: { advertiser_id: account, ...(id && { id }) } })
const quota = () => app.admin.get(contract.getTargetingQuota, { query: { advertiser_id: account } as never })
const why = async (id: number) => {
  const { fail_outcome } = await detail(id)
  return fail_outcome && sentenceOf(fail_outcome)
}
const calls = async (path: string) =>
  (await sandbox.control<{ path: string; account_id: string; is_carried: number }[]>('calls')).filter(
    (call) => call.path.includes(path) && call.account_id === external,
  )

describe('a package of a platform that stores packages', () => {
  test('is created, changed, renamed and deleted there, and says how it stands', async () => {
    const id = await aVideoPackage(app, account, { targeting_name: '女性' })
    await app.settled()
    const [made] = await pages.list()
    expect(made).toMatchObject({ name: '女性', gender: 'GENDER_FEMALE' })
    expect(await detail(id)).toMatchObject({
      ...{ status: 1, mirror: 'synced', is_local: false, origin: 'own', platform_changed: false, fail_outcome: null },
      targeting_id: made?.audience_package_id,
      mirrored_at: expect.any(Number),
    })
    await update(id, { targeting: MEN, targeting_name: '男性' })
    await app.settled()
    expect(await pages.list()).toMatchObject([{ name: '男性', gender: 'GENDER_MALE' }])
    expect(await remove(id)).toMatchObject({ code: 0 })
    await app.settled()
    expect(await pages.list()).toEqual([])
  })

  test('that only moves or gets another expiry is not sent again', async () => {
    const id = await aVideoPackage(app, account)
    await app.settled()
    await update(id, { invalid_time: Math.floor(Date.now() / 1000) + 86_400 })
    await app.settled()
    expect(await calls('audience_package/update')).toEqual([])
    expect((await detail(id)).mirror).toBe('synced')
  })

  test('gets a name of its own where the account has another of that name', async () => {
    await pages.create('女性')
    const id = await aVideoPackage(app, account, { targeting_name: '女性' })
    await app.settled()
    expect((await pages.list()).map(({ name }) => name)).toEqual([expect.stringMatching(/^女性_[0-9a-f]{6}$/), '女性'])
    await update(id, { targeting: MEN })
    await app.settled()
    expect(await detail(id)).toMatchObject({ name: '女性', mirror: 'synced', status: 1 })
  })

  test('saved twice at once ends as the last one', async () => {
    const id = await aVideoPackage(app, account)
    await Promise.all([update(id, { targeting: MEN }), update(id, { targeting: { ...MEN, ac: ['WIFI'] } })])
    await app.settled()
    const { targeting, mirror: state } = await detail(id)
    const [there] = await pages.list()
    expect(state).toBe('synced')
    expect(there).toMatchObject({ gender: 'GENDER_MALE', ...(targeting.ac ? { ac: targeting.ac } : {}) })
    expect(await pages.list()).toHaveLength(1)
  })

  test('deleted while it is being created leaves nothing there', async () => {
    await sandbox.control('faults', { ...FAULT, kind: 'timeout_after', seconds: 1 })
    const id = await aVideoPackage(app, account)
    await expect.poll(() => calls('audience_package/create').then((all) => all.length)).toBe(1)
    expect(await remove(id)).toMatchObject({ code: 0 })
    await app.settled()
    expect(await pages.list()).toEqual([])
  })
})

describe('exactly once', () => {
  test.each(['timeout_after', 'drop_after', 'error_after', 'drop_before', 'error'] as const)(
    'a creation that ends with %s is one package',
    async (kind) => {
      await sandbox.control('faults', { ...FAULT, kind, times: 2, seconds: 0.2 })
      const ids = [await aVideoPackage(app, account), await aVideoPackage(app, account)]
      await app.settled()
      expect(await pages.list()).toHaveLength(2)
      for (const id of ids) expect(await detail(id)).toMatchObject({ mirror: 'synced', status: 1 })
    },
  )

  test('two changes in a row without an answer are ours, not somebody else’s', async () => {
    const id = await aVideoPackage(app, account)
    await app.settled()
    const path = '2/audience_package/update'
    for (const kind of ['drop_after', 'error']) await sandbox.control('faults', { ...FAULT, path, kind })
    await update(id, { targeting: MEN })
    await expect.poll(() => calls(path).then((all) => all.length), { timeout: PATIENCE_MS }).toBe(1)
    await update(id, { targeting: { ...MEN, ac: ['WIFI'] } })
    await app.settled()
    expect(await calls(path)).toHaveLength(3)
    expect(await detail(id)).toMatchObject({ mirror: 'synced', platform_changed: false })
    expect(await pages.list()).toMatchObject([{ gender: 'GENDER_MALE', ac: ['WIFI'] }])
  })

  test('a creation that may still be carried out is repeated under its name, and renamed afterwards', async () => {
    await sandbox.control('faults', { ...FAULT, kind: 'error', times: 1 })
    const id = await aVideoPackage(app, account, { targeting_name: '旧名' })
    await expect.poll(() => calls('audience_package/create').then((all) => all.length)).toBe(1)
    await update(id, { targeting_name: '新名' })
    await app.settled()
    expect(await detail(id)).toMatchObject({ mirror: 'synced', name: '新名' })
    expect(await pages.list()).toMatchObject([{ name: '新名' }])
    expect(await calls('audience_package/create')).toHaveLength(2)
    // Were it made under the new name at once, the old call could still make another one.
    expect(await calls('audience_package/update')).toHaveLength(1)
  })

  test('a creation under a name of its own whose answer is lost is one package', async () => {
    await pages.create('女性')
    await sandbox.control('faults', { ...FAULT, kind: 'drop_after', after: 1, times: 1 })
    const id = await aVideoPackage(app, account, { targeting_name: '女性' })
    await app.settled()
    expect(await detail(id)).toMatchObject({ mirror: 'synced' })
    expect(await pages.list()).toHaveLength(2)
  })

  test('an update whose answer is lost is not taken for somebody else’s', async () => {
    const id = await aVideoPackage(app, account)
    await app.settled()
    await sandbox.control('faults', { platform: 'video', path: 'audience_package/update', kind: 'error_after' })
    await update(id, { targeting: MEN })
    await expect.poll(() => calls('audience_package/update').then((all) => all.length)).toBe(1)
    await update(id, { targeting: { ...MEN, ac: ['WIFI'] } })
    await app.settled()
    expect(await detail(id)).toMatchObject({ mirror: 'synced', platform_changed: false })
    expect(await pages.list()).toMatchObject([{ gender: 'GENDER_MALE', ac: ['WIFI'] }])
  })

  test('a creation that the platform carries out after a deletion is deleted by the next reading', async () => {
    const id = await aVideoPackage(app, account, { targeting_name: '迟到' })
    await app.settled()
    const { key } = await db
      .selectFrom('targeting_mirror')
      .select('key')
      .where('package_id', '=', id)
      .executeTakeFirstOrThrow()
    await remove(id)
    await app.settled()
    await pages.create('迟到', { description: `迟到〔${key}〕` })
    await refresh()
    await app.settled()
    expect(await pages.list()).toEqual([])
  })
})

test('under faults at random every package is there once, as it was saved last', async () => {
  await sandbox.control('switches', {
    ...{ throttle_rate: 0.05, error_rate: 0.08, error_after_rate: 0.1, drop_after_rate: 0.1, drop_before_rate: 0.05 },
    ...{ busy_rate: 0.05, seed: 7 },
  })
  const ids = await Promise.all(
    Array.from({ length: 12 }, (_, no) => aVideoPackage(app, account, { targeting_name: `乱${no}` })),
  )
  await Promise.all(
    ids.map(async (id, no) => {
      if (no % 3 === 0) await update(id, { targeting: MEN })
      if (no % 3 === 1) await remove(id)
    }),
  )
  await app.settled()
  await sandbox.control('switches', {
    ...{ throttle_rate: 0, error_rate: 0, error_after_rate: 0, drop_after_rate: 0, drop_before_rate: 0, busy_rate: 0 },
  })
  const rows = await videoPackages(app)
  for (const { id, mirror: state } of rows) if (state !== 'synced') await sync(id)
  await app.settled()
  const kept = ids.flatMap((_, no) =>
    no % 3 === 1 ? [] : [[`乱${no}`, no % 3 === 0 ? 'GENDER_MALE' : 'GENDER_FEMALE']],
  )
  expect((await pages.list()).map(({ name, gender }) => [name, gender]).toSorted()).toEqual(kept.toSorted())
  await refresh()
  expect((await videoPackages(app)).every((row) => row.origin === 'own' && row.mirror === 'synced')).toBe(true)
})

describe('what cannot be done', () => {
  test('a refusal of the platform is 同步失败 with its reason, and can be sent again', async () => {
    await sandbox.control('faults', { ...FAULT, kind: 'busy', code: 40000 })
    const id = await aVideoPackage(app, account)
    await app.settled()
    expect(await detail(id)).toMatchObject({ status: 4, mirror: 'failed', fail_outcome: { code: expect.any(String) } })
    expect(await sync(id)).toMatchObject({ code: 0 })
    await app.settled()
    expect(await detail(id)).toMatchObject({ status: 1, mirror: 'synced', fail_outcome: null })
  })

  test('a platform that throttles is waited for, and the row says so', async () => {
    await sandbox.control('faults', { ...FAULT, kind: 'error', status: 503, times: 1 })
    const id = await aVideoPackage(app, account)
    await expect.poll(() => why(id)).toBe('平台暂时不可用（HTTP 503），稍后自动重试')
    expect(await detail(id)).toMatchObject({ status: 3, mirror: 'waiting' })
    await app.settled()
    expect(await detail(id)).toMatchObject({ status: 1, mirror: 'synced' })
  })

  test('a full quota refuses what is new, packages made there included', async () => {
    const maxed = await pages.create('平台的')
    await db.updateTable('platform_account').set({ name: '某店' }).where('id', '=', account).execute()
    await refresh()
    expect(await quota()).toMatchObject({ used: 1, total: 200, read_at: expect.any(Number) })
    await db
      .insertInto('targeting_package')
      .values(
        Array.from({ length: 199 }, (_, no) => ({
          ...{ adv_id, account_id: account, platform: VIDEO, dir_id: 1, origin: 'platform' as const },
          ...{ name: `包${no}`, targeting: '{}', invalid_time: 9_999_999_999, created_at: 1, saved_at: 1 },
          ...{ targeting_id: String(9_000_000_000_000_001n + BigInt(no)), creator_id: null, saved_by: null },
        })),
      )
      .execute()
    const body = { targeting_name: '多了', dir_id: 1, advertiser_id: account, targeting: WOMEN }
    expect(await app.admin.call(contract.addTargeting, { body })).toMatchObject({
      code: FAULTS.packageQuotaFull.code,
      msg: '某店的巨量人群资产配额已达上限，请删除部分定向包，释放配额，以免影响广告投放。',
    })
    const { quota_outcomes } = await app.admin.get(contract.listTargetings, { body: { platform: VIDEO } })
    expect(quota_outcomes.map(sentenceOf)).toEqual([
      '某店的巨量人群资产配额已达上限，请删除部分定向包，释放配额，以免影响广告投放。',
    ])
    expect(maxed).toMatch(/^\d+$/)
  })

  test('a quota that others filled meanwhile ends in the same sentence', async () => {
    await db.updateTable('platform_account').set({ name: '某店' }).where('id', '=', account).execute()
    await pages.create('平台的')
    await sandbox.control('switches', { video_packages: 1 })
    const id = await aVideoPackage(app, account)
    await app.settled()
    expect(await detail(id)).toMatchObject({ status: 4, mirror: 'failed' })
    expect(await why(id)).toBe('某店的巨量人群资产配额已达上限，请删除部分定向包，释放配额，以免影响广告投放。')
  })

  test('a revoked account pauses its packages, which go on after a new authorisation', async () => {
    const id = await aVideoPackage(app, account)
    await app.settled()
    await app.admin.get(revokeAuthorisation, { params: { id: account } })
    await update(id, { targeting: MEN })
    await app.settled()
    expect(await detail(id)).toMatchObject({ status: 3, mirror: 'paused' })
    expect(await why(id)).toContain('重新授权后自动继续同步')
    expect(await sync(id)).toMatchObject({ code: FAULTS.platformClosed.code })
    await authorise(app, sandbox, account)
    await db.transaction().execute((tx) => app.services.targetingPackages.mirror.onAuthorised(tx, account))
    await app.settled()
    expect(await detail(id)).toMatchObject({ status: 1, mirror: 'synced' })
    expect(await pages.list()).toMatchObject([{ gender: 'GENDER_MALE' }])
  })

  test('an account without the scope of packages is not asked about, and stays authorised', async () => {
    const id = await aVideoPackage(app, account)
    await app.settled()
    const before = await calls('audience_package')
    await db.updateTable('platform_account').set({ scope_list: '[]' }).where('id', '=', account).execute()
    // Saved just before the scope was taken away.
    await db.updateTable('targeting_mirror').set({ state: 'waiting' }).where('package_id', '=', id).execute()
    // A new authorisation has the account read.
    await db.transaction().execute((tx) => app.services.targetingPackages.mirror.onAuthorised(tx, account))
    await app.settled()
    await expect.poll(async () => (await detail(id)).mirror).toBe('paused')
    expect(await why(id)).toContain('全部权限')
    expect(await calls('audience_package')).toEqual(before)
    const { auth_error } = await db
      .selectFrom('platform_account')
      .select('auth_error')
      .where('id', '=', account)
      .executeTakeFirstOrThrow()
    expect(auth_error).toBeNull()
  })

  test('an expired token is renewed on the way', async () => {
    await sandbox.control('tokens/expire', { platform: 'video', account_id: external })
    const id = await aVideoPackage(app, account)
    await app.settled()
    expect(await detail(id)).toMatchObject({ mirror: 'synced' })
  })
})

describe('what happens on the platform', () => {
  test('packages made there are listed, shown and copied, and nothing else', async () => {
    const there = await pages.create('平台的', { gender: 'GENDER_MALE', hide_if_converted: 'APP' })
    await refresh()
    const [row] = await videoPackages(app)
    expect(row).toMatchObject({
      ...{ name: '平台的', origin: 'platform', mirror: 'synced', status: 1, creator: '', creator_id: null },
      targeting_id: there,
    })
    const id = row?.id ?? 0
    expect((await detail(id)).targeting).toMatchObject({ gender: ['GENDER_MALE'] })
    const refused = { code: FAULTS.packageFromPlatform.code, msg: '定向包 平台的 来自平台，只能查看和复制' }
    expect(await app.admin.call(contract.updateTargeting, { body: { id, targeting_name: '改' } })).toMatchObject(
      refused,
    )
    expect(await remove(id)).toMatchObject(refused)
    expect(await app.admin.call(contract.moveTargetings, { body: { id: [id], dir_id: 1 } })).toMatchObject(refused)
    expect(await sync(id)).toMatchObject(refused)
    await app.admin.get(contract.copyTargeting, { body: { id } })
    await app.settled()
    expect((await pages.list()).map(({ name, gender }) => [name, gender])).toEqual([
      ['平台的_副本', 'GENDER_MALE'],
      ['平台的', 'GENDER_MALE'],
    ])
    await pages.update(there, { name: '改名了' })
    await refresh(id)
    expect((await detail(id)).name).toBe('改名了')
    await pages.remove(there)
    await refresh(id)
    expect((await videoPackages(app)).map(({ name }) => name)).toEqual(['平台的_副本'])
  })

  test('one changed there keeps ours and says so; a save waits for the decision', async () => {
    const id = await aVideoPackage(app, account, { targeting_name: '女性' })
    await app.settled()
    const [there] = await pages.list()
    await pages.update(there?.audience_package_id ?? '', { gender: 'GENDER_MALE', name: '男性' })
    await refresh()
    expect(await detail(id)).toMatchObject({
      ...{ name: '女性', targeting: WOMEN, mirror: 'changed', platform_changed: true, status: 1 },
      on_platform: { name: '男性', targeting: { gender: ['GENDER_MALE'] } },
    })
    await update(id, { targeting: { ...WOMEN, ac: ['WIFI'] } })
    await app.settled()
    expect(await pages.list()).toMatchObject([{ gender: 'GENDER_MALE' }])
    expect(await sync(id)).toMatchObject({ msg: expect.stringContaining('采用平台或覆盖平台') })
    expect(await overwrite(id)).toMatchObject({ code: 0 })
    await app.settled()
    expect(await pages.list()).toMatchObject([{ name: '女性', gender: 'GENDER_FEMALE', ac: ['WIFI'] }])
    expect(await detail(id)).toMatchObject({ mirror: 'synced', platform_changed: false, on_platform: null })
    expect(await overwrite(id)).toMatchObject({ msg: '平台上的定向包没有被修改' })
  })

  test('a save notices by itself that it was changed there', async () => {
    const id = await aVideoPackage(app, account)
    await app.settled()
    const [there] = await pages.list()
    await pages.update(there?.audience_package_id ?? '', { ac: ['5G'] })
    await update(id, { targeting: MEN })
    await app.settled()
    expect(await detail(id)).toMatchObject({ mirror: 'changed', platform_changed: true, targeting: MEN })
    expect(await pages.list()).toMatchObject([{ gender: 'GENDER_FEMALE', ac: ['5G'] }])
  })

  test('a condition that the editor lacks is noticed, and after the decision it is shown beside the package', async () => {
    const id = await aVideoPackage(app, account)
    await app.settled()
    const [there] = await pages.list()
    await pages.update(there?.audience_package_id ?? '', { hide_if_converted: 'APP' })
    await refresh(id)
    const condition = expect.objectContaining({ field: 'hide_if_converted' })
    expect(await detail(id)).toMatchObject({
      ...{ mirror: 'changed', platform_changed: true, targeting: WOMEN, left_out: [] },
      on_platform: { targeting: WOMEN, left_out: [condition] },
    })
    await update(id, { targeting: MEN })
    await app.settled()
    expect(await pages.list()).toMatchObject([{ gender: 'GENDER_FEMALE' }])
    expect(await overwrite(id)).toMatchObject({ code: 0 })
    await app.settled()
    // Our calls have no such field, so it stays there.
    expect(await pages.list()).toMatchObject([{ gender: 'GENDER_MALE', hide_if_converted: 'APP' }])
    const known = { mirror: 'synced', platform_changed: false, left_out: [condition] }
    expect(await detail(id)).toMatchObject(known)
    await refresh(id)
    expect(await detail(id)).toMatchObject(known)
    await update(id, { targeting: WOMEN })
    await app.settled()
    expect(await detail(id)).toMatchObject(known)
    await pages.update(there?.audience_package_id ?? '', { hide_if_converted: 'AD' })
    await refresh(id)
    expect(await detail(id)).toMatchObject({ mirror: 'changed' })
    expect(await adopt(id)).toMatchObject({ code: 0 })
    expect(await detail(id)).toMatchObject({ mirror: 'synced', targeting: WOMEN, left_out: [] })
    await refresh(id)
    expect(await detail(id)).toMatchObject({ mirror: 'synced', platform_changed: false })
  })

  test('采用平台 makes it a new version, with its name', async () => {
    const id = await aVideoPackage(app, account, { targeting_name: '女性' })
    await app.settled()
    const [there] = await pages.list()
    await pages.update(there?.audience_package_id ?? '', { gender: 'GENDER_MALE', name: '男性' })
    await refresh()
    expect(await adopt(id)).toMatchObject({ code: 0, data: { id, ver: 2 } })
    await app.settled()
    expect(await detail(id)).toMatchObject({ name: '男性', targeting: MEN, mirror: 'synced', platform_changed: false })
    const { list } = await app.admin.get(contract.listTargetingHistory, { query: { id } })
    expect(list[0]).toMatchObject({ ver: 2, kind: 'adopt' })
    expect(await calls('audience_package/update')).toHaveLength(1)
  })

  test('what the editor cannot hold is not adopted', async () => {
    const id = await aVideoPackage(app, account)
    await app.settled()
    const [there] = await pages.list()
    await pages.update(there?.audience_package_id ?? '', { auto_extend_targets: ['AD_TAG'] })
    await refresh()
    expect((await adopt(id)).msg).toContain('这里无法保存的选项')
  })

  test('one deleted there is told, stays here, and can be sent again or deleted', async () => {
    const id = await aVideoPackage(app, account, { targeting_name: '女性' })
    await app.settled()
    const [there] = await pages.list()
    await pages.remove(there?.audience_package_id ?? '')
    await refresh()
    expect(await detail(id)).toMatchObject({ status: 4, mirror: 'gone' })
    expect(await why(id)).toBe('平台上的定向包已被删除，可以重新同步，或在这里删除')
    await sync(id)
    await app.settled()
    const [again] = await pages.list()
    expect(again).toMatchObject({ name: '女性' })
    expect(await detail(id)).toMatchObject({ mirror: 'synced', targeting_id: again?.audience_package_id })
    await pages.remove(again?.audience_package_id ?? '')
    await update(id, { targeting: MEN })
    await app.settled()
    expect(await detail(id)).toMatchObject({ mirror: 'gone' })
    expect(await remove(id)).toMatchObject({ code: 0 })
    await app.settled()
    expect(await videoPackages(app)).toEqual([])
  })

  test('plans of the platform that deliver are live use: edits go on, a deletion is refused', async () => {
    const id = await aVideoPackage(app, account, { targeting_name: '女性' })
    await app.settled()
    const { targeting_id } = await detail(id)
    const plan = await sandbox.control<{ id: string }>('projects', {
      ...{ account_id: external, name: '双十一', package_id: targeting_id },
    })
    await refresh(id)
    expect(await detail(id)).toMatchObject({ status: 2, plans: [{ id: null, plan_id: plan.id, name: '双十一' }] })
    expect(await remove(id)).toMatchObject({
      code: FAULTS.packageInUse.code,
      msg: '定向包 女性 正在被计划使用中，请先解绑或关闭计划：双十一',
    })
    await update(id, { targeting: MEN })
    await app.settled()
    expect(await detail(id)).toMatchObject({ status: 2, mirror: 'synced' })
    await sandbox.control('projects/set', { id: plan.id, status: 'DISABLE' })
    await refresh(id)
    expect(await detail(id)).toMatchObject({ status: 1, plans: [] })
  })

  test('a deletion that the platform refuses brings the package back with the reason', async () => {
    const id = await aVideoPackage(app, account, { targeting_name: '女性' })
    await app.settled()
    const { targeting_id } = await detail(id)
    await sandbox.control('projects', { account_id: external, name: '刚绑定', package_id: targeting_id })
    expect(await remove(id)).toMatchObject({ code: 0 })
    await app.settled()
    expect(await detail(id)).toMatchObject({ status: 4, mirror: 'failed', plans: [{ name: '刚绑定' }] })
    expect(await why(id)).toContain('平台没有删除此定向包：')
  })
})

test('a slow account delays no other', async () => {
  const { id: slow } = await sandbox.control<{ id: string }>('accounts', {
    ...{ platform: 'video', login_id: '770001', name: '慢' },
  })
  const other = await anAuthorisedAccount(app, sandbox, adv_id, VIDEO, slow)
  await sandbox.control('faults', { ...FAULT, account_id: slow, kind: 'timeout', seconds: 3, times: 1 })
  const late = await aVideoPackage(app, other)
  await expect
    .poll(async () => (await sandbox.control<{ account_id: string }[]>('calls')).some((one) => one.account_id === slow))
    .toBe(true)
  const id = await aVideoPackage(app, account)
  await expect.poll(async () => (await detail(id)).mirror, { timeout: 2500 }).toBe('synced')
  expect((await detail(late)).mirror).toBe('waiting')
  await app.settled()
  expect((await detail(late)).mirror).toBe('synced')
})

test('a package that keeps failing delays no other of its account', async () => {
  const failing = await aVideoPackage(app, account)
  await app.settled()
  const path = '2/audience_package/update'
  await sandbox.control('faults', { ...FAULT, path, account_id: external, kind: 'error', times: 20 })
  await update(failing, { targeting: MEN })
  await expect.poll(() => calls(path).then((all) => all.length), { timeout: PATIENCE_MS }).toBe(1)
  const id = await aVideoPackage(app, account)
  await expect.poll(async () => (await detail(id)).mirror, { timeout: PATIENCE_MS }).toBe('synced')
  expect((await detail(failing)).mirror).toBe('waiting')
  await sandbox.control('faults/forget', {})
  await app.settled()
  expect((await detail(failing)).mirror).toBe('synced')
})

test('a stranger decides and reads nothing', async () => {
  const id = await aVideoPackage(app, account)
  await app.settled()
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  for (const endpoint of [mirror.syncTargeting, mirror.adoptTargeting, mirror.overwriteTargeting]) {
    expect(await stranger.call(endpoint, { body: { id } })).toMatchObject({ status: 404 })
  }
  const body = { advertiser_id: account }
  expect(await stranger.call(mirror.refreshTargetings, { body })).toMatchObject({ status: 404 })
  const other = await anAuthorisedAccount(app, sandbox, adv_id, VIDEO, '9107199254750005')
  const elsewhere = { advertiser_id: other, id }
  expect(await app.admin.call(mirror.refreshTargetings, { body: elsewhere })).toMatchObject({ status: 404 })
})

test('a package that someone copies there with its description is one of theirs', async () => {
  await aVideoPackage(app, account, { targeting_name: '女性' })
  await app.settled()
  const [there] = await pages.list()
  await pages.create('女性-复制', { description: there?.description })
  await refresh()
  expect((await videoPackages(app)).map(({ name, origin }) => [name, origin]).toSorted()).toEqual([
    ['女性', 'own'],
    ['女性-复制', 'platform'],
  ])
})

test('the hourly reading finds what was made and changed, of every account that is authorised', async () => {
  const id = await aVideoPackage(app, account)
  await app.settled()
  const [there] = await pages.list()
  await pages.update(there?.audience_package_id ?? '', { gender: 'GENDER_MALE' })
  await pages.create('平台的')
  const { targeting_id } = await detail(id)
  await sandbox.control('projects', { account_id: external, name: '双十一', package_id: targeting_id })
  await db.transaction().execute((tx) => app.stores.jobs.send(tx, 'targeting.read', {}))
  await app.settled()
  expect(await detail(id)).toMatchObject({ mirror: 'changed', status: 2, plans: [{ name: '双十一' }] })
  expect((await videoPackages(app)).map(({ origin }) => origin).toSorted()).toEqual(['own', 'platform'])
})

test('a platform that cannot be read says why, and what is known stays', async () => {
  const id = await aVideoPackage(app, account)
  await app.settled()
  await refresh()
  await sandbox.control('faults', {
    platform: 'video',
    path: 'audience_package/get',
    kind: 'error',
    status: 503,
    times: 2,
  })
  const answer = await refresh(id)
  expect(answer.read_at).toBeGreaterThan(0)
  expect(answer.fail_outcome && sentenceOf(answer.fail_outcome)).toBe('平台暂时不可用（HTTP 503）')
  expect(await detail(id)).toMatchObject({ mirror: 'synced' })

  const shown = async () => {
    const { list } = await app.admin.get(listAdvertiserData)
    return list.flatMap(({ accounts }) => accounts).find((one) => one.id === account)?.packages
  }
  const failing = { used: 1, total: 200, read_at: answer.read_at, fail_outcome: answer.fail_outcome }
  expect(await shown()).toEqual({ ...failing, failed_at: expect.any(Number) })
  expect(await quota()).toEqual(await shown())
  const since = 1_700_000_000
  await db.updateTable('targeting_account').set({ failed_at: since }).where('account_id', '=', account).execute()
  await refresh(id)
  expect(await shown()).toEqual({ ...failing, failed_at: since })
  await sandbox.control('faults/forget', {})
  await refresh(id)
  expect(await shown()).toMatchObject({ used: 1, total: 200, failed_at: null, fail_outcome: null })
})

test('what the list says counts although the plans of a package could not be read', async () => {
  const id = await aVideoPackage(app, account)
  await app.settled()
  await pages.create('在那里建的')
  const path = 'audience_package_bindinfo/get'
  await sandbox.control('faults', { platform: 'video', path, account_id: external, kind: 'error', status: 503 })
  const { read_at, fail_outcome } = await refresh(id)
  expect(read_at).toBeGreaterThan(0)
  expect(fail_outcome && sentenceOf(fail_outcome)).toBe('平台暂时不可用（HTTP 503）')
  expect((await videoPackages(app)).map(({ name }) => name)).toContain('在那里建的')
  expect(await quota()).toMatchObject({ used: 2, failed_at: expect.any(Number) })
  expect(await refresh(id)).toMatchObject({ fail_outcome: null })
  expect(await quota()).toMatchObject({ used: 2, failed_at: null })
})

test('packages of commerce stay here', async () => {
  const id = await aPackage(app, await aCommerceAccount(app, adv_id))
  await app.settled()
  expect(await detail(id)).toMatchObject({ mirror: 'local', is_local: true, status: 1 })
  expect((await sync(id)).status).toBeGreaterThanOrEqual(400)
})

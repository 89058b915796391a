import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { revokeAuthorisation } from '#contract/authorisation.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { previewTargetingCopy } from '#contract/targeting-copy.ts'
import * as mirror from '#contract/targeting-mirror.ts'
import * as contract from '#contract/targeting-package.ts'
import { listTargetingCrowds } from '#contract/targeting-tags.ts'
import { addTemplate } from '#contract/targeting-template.ts'
import type { PlatformPackage } from '../../../platforms/targeting-platform.ts'
import { testAppWithSandbox } from '../../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../../testing/builders.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../../../testing/platforms.ts'
import { anAuthorisedAccount, SANDBOX_ACCOUNTS } from '../../../testing/push.ts'
import { aPackage, checkCrowds } from '../../../testing/targeting.ts'
import { onVideoPages, packageDetail, videoPackages } from '../../../testing/video-packages.ts'
import { mirrorReading } from './reading.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres
const GET = { platform: 'video', path: 'audience_package/get' }

let adv_id: number
let account: number
let external: string
let pages: Awaited<ReturnType<typeof onVideoPages>>
let taken = 0
beforeEach(async () => {
  await app.reset()
  await sandbox.control('switches/reset', {})
  await sandbox.control('switches', { video_advertiser_qps: 0, video_application_qps: 0, video_packages: 1000 })
  await sandbox.control('faults/forget', {})
  adv_id = await anAdvertiser(app)
  const { id } = await sandbox.control<{ id: string }>('accounts', {
    ...{ platform: 'video', login_id: '770001', name: `别处${++taken}` },
  })
  external = id
  account = await anAuthorisedAccount(app, sandbox, adv_id, VIDEO, external)
  pages = await onVideoPages(sandbox, external)
})

/** Reads the platform now; a reading of some seconds ago would serve again. */
async function refresh() {
  await db.updateTable('targeting_account').set({ read_at: 0 }).execute()
  return app.admin.get(mirror.refreshTargetings, { body: { advertiser_id: account } })
}
/** A reading whose platform answers these packages. */
function readingOf(list: () => Promise<PlatformPackage[]>) {
  const idle = { handle() {}, schedule() {} } as never
  const packages = {
    list,
    targetingOf: () => ({}),
    contentOf: () => ({}),
    scopes: [],
    max: null,
    use: null,
    writing: null,
  }
  return mirrorReading(
    {
      ...{ db, jobs: idle, timezone: 'Asia/Shanghai', pace: 1 },
      packagesOf: () => packages as never,
      session: async () => ({}) as never,
    },
    {} as never,
  )
}
const names = async () => (await videoPackages(app)).map(({ name }) => name).toSorted()
const only = async () => {
  const [row] = await videoPackages(app)
  if (!row) throw new Error('no package is listed')
  return row
}
const audits = async () =>
  (await db.selectFrom('audit').select(['action', 'viewer_id']).where('action', 'like', 'targeting.%').execute()).map(
    ({ action, viewer_id }) => [action, viewer_id],
  )

describe('what our targeting cannot hold', () => {
  const MORE = {
    gender: 'GENDER_MALE',
    hide_if_converted: 'APP',
    hide_if_exists: 1,
    filter_event: ['AD_CONVERT_TYPE_PAY'],
    auto_extend_targets: ['GENDER', 'AD_TAG'],
  }
  const LEFT_OUT = [
    ['可开放定向', ['广告标签']],
    ['过滤的转化行为', ['付费']],
    ['过滤已转化用户', ['同应用']],
    ['已安装用户', ['过滤']],
  ]
  const said = (changes: readonly { label: string; words: readonly string[] }[]) =>
    changes.map(({ label, words }) => [label, words]).toSorted()

  test('of a package made there is said in its row, its preview, and of each copy', async () => {
    await pages.create('平台的', MORE)
    await refresh()
    const row = await only()
    expect(said(row.left_out)).toEqual(LEFT_OUT.toSorted())
    const detail = await packageDetail(app, row.id)
    expect(detail.targeting).toMatchObject({ gender: ['GENDER_MALE'], auto_extend_targets: ['GENDER'] })
    const { previewTargets } = JSON.parse(detail.bring_data)
    expect(previewTargets).toContainEqual({ label: '性别', words: ['男'] })
    expect(previewTargets).toContainEqual({ label: '过滤已转化用户（仅平台）', words: ['同应用'] })

    const body = { id: row.id, advertiser_id: account }
    const { changes } = await app.admin.get(previewTargetingCopy, { body })
    expect(said(changes)).toEqual(LEFT_OUT.toSorted())
    expect(changes.map((change) => sentenceOf(change.reason_outcome))).toContain('这项条件只在来源平台上，这里没有')
    const copy = await app.admin.get(contract.copyTargeting, { body: { id: row.id } })
    expect(await packageDetail(app, copy.id)).toMatchObject({ left_out: [], targeting: { gender: ['GENDER_MALE'] } })
    const template = await app.admin.get(addTemplate, { body: { package_id: row.id, name: '模板' } })
    expect(said(template.changes)).toEqual(LEFT_OUT.toSorted())
  })

  test('of ours is said once it was changed there', async () => {
    const { id } = await app.admin.get(contract.addTargeting, {
      body: { targeting_name: '我的', dir_id: 1, advertiser_id: account, targeting: { landing_type: 'EXTERNAL' } },
    })
    await app.settled()
    const [there] = await pages.list()
    await pages.update(there?.audience_package_id ?? '', { auto_extend_targets: ['AD_TAG'] })
    await refresh()
    const detail = await packageDetail(app, id)
    expect(detail.left_out).toEqual([])
    expect(said(detail.on_platform?.left_out ?? [])).toEqual([['可开放定向', ['广告标签']]])
  })

  test('of a package with nothing more is nothing', async () => {
    await pages.create('平台的', { gender: 'GENDER_FEMALE', ac: ['WIFI'], platform: ['IOS'] })
    await refresh()
    expect(await only()).toMatchObject({ left_out: [], plans_there: null })
  })
})

describe('a package made there', () => {
  test('follows what happens to it, and goes when it is deleted there', async () => {
    const there = await pages.create('平台的', { gender: 'GENDER_MALE' })
    await refresh()
    const { id, ver } = await only()
    await refresh()
    expect((await only()).ver).toBe(ver)
    await pages.update(there, { gender: 'GENDER_FEMALE' })
    await refresh()
    expect(await packageDetail(app, id)).toMatchObject({ ver: ver + 1, targeting: { gender: ['GENDER_FEMALE'] } })
    // A condition that only stands there is a change too.
    await pages.update(there, { hide_if_converted: 'APP' })
    await refresh()
    expect(await packageDetail(app, id)).toMatchObject({ ver: ver + 2, left_out: [{ field: 'hide_if_converted' }] })
    await pages.remove(there)
    await refresh()
    expect(await videoPackages(app)).toEqual([])
    expect(await app.admin.call(contract.getTargeting, { query: { id } })).toMatchObject({ status: 404 })
    expect(await audits()).toEqual([
      ['targeting.changed_there', null],
      ['targeting.changed_there', null],
      ['targeting.gone_there', null],
    ])
  })

  test('is not written again by a reading that finds it as it was', async () => {
    await pages.create('平台的', { gender: 'GENDER_MALE', hide_if_converted: 'APP' })
    await refresh()
    /** The transactions that wrote its rows. */
    const written = async () =>
      (
        await sql<{ by: string }>`select package.xmin::text || ' ' || there.xmin::text as by
          from targeting_package package join targeting_there there on there.package_id = package.id`.execute(db)
      ).rows.map(({ by }) => by)
    const before = await written()
    expect(before).toHaveLength(1)
    await refresh()
    expect(await written()).toEqual(before)
  })

  test('stays where an older list, which lacks it, arrives after a newer one', async () => {
    const targeting_id = await pages.create('平台的')
    let id = 0
    const now = { targeting_id, name: '平台的', description: '', content: {}, others: [] }
    const list = async () => {
      if (id !== 0) return [{ ...now, words: null, lost_crowds: null, plans: null }]
      await refresh()
      id = (await only()).id
      return []
    }
    expect(await readingOf(list).read(account, { signal: AbortSignal.timeout(5000), uses: null })).toBeNull()
    expect((await only()).id).toBe(id)
    expect(await audits()).not.toContainEqual(['targeting.gone_there', null])
  })

  test('stays as it is where the account was revoked before the answer came, and afterwards', async () => {
    await pages.create('平台的', { gender: 'GENDER_MALE' })
    await refresh()
    const before = await only()
    const list = async () => {
      await app.admin.get(revokeAuthorisation, { params: { id: account } })
      return []
    }
    const { read } = readingOf(list)
    const why = await read(account, { signal: AbortSignal.timeout(5000), uses: null })
    expect(why?.code).toBe('account_without_login')
    expect((await refresh()).fail_outcome?.code).toBe('account_without_login')
    await db.transaction().execute((tx) => app.stores.jobs.send(tx, 'targeting.read', {}))
    await app.settled()
    expect(await only()).toEqual(before)
  })
})

describe('half a list changes nothing', () => {
  const MANY = 101

  async function filled() {
    for (let no = 0; no < MANY; no++) await pages.create(`包${String(no).padStart(3, '0')}`)
    await refresh()
    const all = await names()
    expect(all).toHaveLength(MANY)
    return all
  }

  test('where the platform throttles, fails or stays silent on a later page', { timeout: 60_000 }, async () => {
    const all = await filled()
    // The oldest stand on the second page.
    await pages.create('新的')
    for (const fault of [
      { kind: 'throttle', code: 40_130 },
      { kind: 'error', status: 502 },
      { kind: 'drop_after' },
      { kind: 'busy', code: 50_000 },
    ]) {
      await sandbox.control('faults/forget', {})
      await sandbox.control('faults', { ...GET, account_id: external, after: 1, times: 1, ...fault })
      const { fail_outcome } = await refresh()
      expect(fail_outcome, fault.kind).not.toBeNull()
      expect(await names(), fault.kind).toEqual(all)
    }
  })
})

describe('a platform that only shows packages', () => {
  const CROWDS = 'v1.0/qianchuan/dmp/audiences/get'
  let shop: number
  let there: string
  beforeEach(async () => {
    const { id } = await sandbox.control<{ id: string }>('accounts', {
      ...{ platform: 'video', login_id: '770001', name: `小店${taken}`, kind: 'QIANCHUAN' },
    })
    there = id
    shop = await anAuthorisedAccount(app, sandbox, adv_id, COMMERCE, there)
  })
  const add = async (name: string, fields: object = {}, more: object = {}) =>
    (await sandbox.control<{ id: string }>('commerce-packages', { account_id: there, name, fields, ...more })).id
  const set = (id: string, changes: object) => sandbox.control('commerce-packages/set', { id, ...changes })
  const rows = async () => (await app.admin.get(contract.listTargetings, { body: { platform: COMMERCE } })).list
  const read = (id?: number) =>
    app.admin.get(mirror.refreshTargetings, { body: { advertiser_id: shop, ...(id && { id }) } })

  test('has its own listed, followed and copied, beside ours, which stay here', async () => {
    const mine = await aPackage(app, shop, { targeting_name: '我的' })
    const first = await add('平台的', { gender: 'GENDER_MALE', electric_fence_region: 1 }, { ad_num: 2 })
    await read()
    const listed = await rows()
    expect(listed.map(({ name, origin, mirror: state }) => [name, origin, state]).toSorted()).toEqual([
      ['平台的', 'platform', 'synced'],
      ['我的', 'own', 'local'],
    ])
    const row = listed.find(({ origin }) => origin === 'platform')
    const id = row?.id ?? 0
    expect(row).toMatchObject({
      ...{ targeting_id: first, status: 2, plans_there: 2, landing_type: null },
      left_out: [{ label: '电子围栏地域', words: ['1'] }],
    })
    expect(await packageDetail(app, id)).toMatchObject({
      words_there: expect.stringContaining('GENDER_MALE'),
      targeting: { gender: ['GENDER_MALE'] },
    })
    const copy = await app.admin.get(contract.copyTargeting, { body: { id, landing_type: 'VIDEO' } })
    expect(await packageDetail(app, copy.id)).toMatchObject({ is_local: true, landing_type: 'VIDEO' })

    await set(first, { name: '改名', fields: { gender: 'GENDER_FEMALE' }, ad_num: 0 })
    await read(id)
    expect(await packageDetail(app, id)).toMatchObject({
      ...{ name: '改名', status: 1, left_out: [], targeting: { gender: ['GENDER_FEMALE'] } },
    })
    await set(first, { is_deleted: true })
    await read(id)
    await app.settled()
    expect((await rows()).map(({ name }) => name).toSorted()).toEqual(['平台的_副本', '我的'])
    expect(await packageDetail(app, mine)).toMatchObject({ mirror: 'local', status: 1 })
    const calls = await sandbox.control<{ path: string; account_id: string }[]>('calls')
    const asked = calls.filter(({ account_id, path }) => account_id === there && !path.includes(CROWDS))
    expect(new Set(asked.map(({ path }) => path))).toEqual(
      new Set(['/open_api/v1.0/qianchuan/orientation_package/get/']),
    )
  })

  test('says which crowds are lost, and our check does not contradict it', async () => {
    const crowds = await app.admin.get(listTargetingCrowds, {
      query: { advertiser_id: shop, type: '1', page_size: 10 } as never,
    })
    const [crowd] = crowds.list
    const lost = crowd?.retargeting_tags_id ?? ''
    await sandbox.control('commerce-crowds/set', { id: lost, status: 11 })
    await add('失效', { retargeting_tags_include: [lost] })
    await read()
    const [row] = await rows()
    expect(row?.status).toBe(-1)
    expect(await packageDetail(app, row?.id ?? 0)).toMatchObject({ lost_crowds: [lost], lost_there: [crowd?.name] })
    await checkCrowds(app)
    expect((await rows())[0]?.status).toBe(-1)
    await sandbox.control('commerce-crowds/set', { id: lost, status: 2 })
    await read(row?.id)
    expect((await rows())[0]?.status).toBe(1)
  })
})

test('the social platform shows its packages to accounts that may see ads', async () => {
  const [, another] = SANDBOX_ACCOUNTS[1]
  const ads = await anAuthorisedAccount(app, sandbox, adv_id, SOCIAL, another)
  const { access_token } = await sandbox.control<{ access_token: string }>('tokens', {
    ...{ platform: 'social', account_ids: [another] },
  })
  const query = new URLSearchParams({
    ...{ access_token, timestamp: String(Math.floor(Date.now() / 1000)), nonce: `nonce${taken}` },
  })
  const made = await fetch(`${sandbox.socialUrl}/v1.3/targetings/add?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      account_id: JSON.rawJSON(another),
      ...{ targeting_name: `平台的${taken}`, targeting: { gender: ['MALE'], network_type: ['WIFI'] } },
    }),
  })
  expect(((await made.json()) as { code: number }).code).toBe(0)
  const read = () => app.admin.get(mirror.refreshTargetings, { body: { advertiser_id: ads } })
  const rows = async () => (await app.admin.get(contract.listTargetings, { body: { platform: SOCIAL } })).list
  const granted = (scope_list: string[]) =>
    db
      .updateTable('platform_account')
      .set({ scope_list: JSON.stringify(scope_list) })
      .where('id', '=', ads)
      .execute()
  await granted(['audience_management'])
  const { fail_outcome } = await read()
  expect(fail_outcome && sentenceOf(fail_outcome)).toContain('广告投放')
  expect(await rows()).toEqual([])
  await granted(['ads_management'])
  expect((await read()).fail_outcome).toBeNull()
  const row = (await rows()).find(({ name }) => name === `平台的${taken}`)
  expect(row).toMatchObject({
    ...{ origin: 'platform', status: 1, plans_there: null },
    left_out: [{ label: '联网方式', words: ['Wi-Fi'] }],
  })
  // To make one here is a matter of the scope of crowds.
  await granted(['ads_management', 'audience_management'])
  const copy = await app.admin.get(contract.copyTargeting, { body: { id: row?.id ?? 0 } })
  expect(await packageDetail(app, copy.id)).toMatchObject({ is_local: true, targeting: { gender: ['MALE'] } })
})

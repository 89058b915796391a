import { afterAll, beforeEach, expect, test } from 'vitest'
import { changesSomething, type Endpoint, type InputOf } from '#contract/endpoint.ts'
import { FAULTS } from '#contract/errors.ts'
import * as plans from '#contract/region-plan.ts'
import * as copies from '#contract/targeting-copy.ts'
import * as mirror from '#contract/targeting-mirror.ts'
import * as packages from '#contract/targeting-package.ts'
import * as templates from '#contract/targeting-template.ts'
import { listViewers, updateViewer } from '#contract/viewer.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import type { Caller } from '../../testing/caller.ts'
import { COMMERCE } from '../../testing/platforms.ts'
import { aCommerceAccount, aPackage } from '../../testing/targeting.ts'
import { testApp } from '../../testing/test-app.ts'

const app = await testApp()
afterAll(() => app.close())
const { db } = app.stores.postgres

interface World {
  account: number
  package: number
  template: number
  plan: number
}
let adv_id: number
let world: World
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  const account = await aCommerceAccount(app, adv_id, '旗舰店')
  const id = await aPackage(app, account, { targeting_name: '老客' })
  const template = await app.admin.get(templates.addTemplate, { body: { package_id: id, name: '模板' } })
  const regions = ['320000', '330000']
  const plan = await app.admin.get(plans.addRegionPlan, { body: { advertiser_id: account, name: '华东', regions } })
  world = { account, package: id, template: template.id, plan: plan.id }
})

interface Change {
  endpoint: Endpoint
  send(as: Caller): Promise<{ code: number; msg: string; data: unknown }>
  /** Templates and region plans are the advertiser's, so what an account was granted does not matter. */
  isOfAccount: boolean
}
const change = <E extends Endpoint>(endpoint: E, input: (world: World) => InputOf<E>, isOfAccount = true): Change => ({
  endpoint,
  send: (as) => as.call(endpoint, input(world) as never),
  isOfAccount,
})

const CHANGES: Change[] = [
  change(packages.addTargeting, ({ account }) => ({
    body: { targeting_name: '新客', dir_id: 1, advertiser_id: account, targeting: { landing_type: 'LIVE' } },
  })),
  change(packages.checkNewTargeting, ({ account }) => ({
    body: { targeting_name: '新客', dir_id: 1, advertiser_id: account },
  })),
  change(packages.updateTargeting, ({ package: id }) => ({ body: { id, targeting_name: '改名' } })),
  change(packages.copyTargeting, ({ package: id }) => ({ body: { id } })),
  change(packages.moveTargetings, ({ package: id }) => ({ body: { id: [id], dir_id: 1 } })),
  change(packages.deleteTargetings, ({ package: id }) => ({ query: { id: String(id) } })),
  change(packages.restoreTargeting, ({ package: id }) => ({ body: { id, ver: 1 } })),
  change(mirror.syncTargeting, ({ package: id }) => ({ body: { id } })),
  change(mirror.adoptTargeting, ({ package: id }) => ({ body: { id } })),
  change(mirror.overwriteTargeting, ({ package: id }) => ({ body: { id } })),
  change(plans.addRegionPlan, ({ account }) => ({
    body: { advertiser_id: account, name: '华北', regions: ['110000'] },
  })),
  change(plans.renameRegionPlan, ({ plan: id }) => ({ body: { id, name: '改名' } }), false),
  change(plans.deleteRegionPlan, ({ plan: id }) => ({ body: { id } }), false),
  change(templates.addTemplate, ({ package: package_id }) => ({ body: { package_id, name: '新模板' } }), false),
  change(templates.renameTemplate, ({ template: id }) => ({ body: { id, name: '改名' } }), false),
  change(templates.deleteTemplate, ({ template: id }) => ({ body: { id } }), false),
]
const rows = CHANGES.map((one) => [one.endpoint.path, one] as const)

/** All that a change could have touched. */
const everything = async () => {
  const [kept, versions, saved, regions, mirrors] = await Promise.all([
    db.selectFrom('targeting_package').selectAll().orderBy('id').execute(),
    db.selectFrom('targeting_version').selectAll().orderBy('ver').execute(),
    db.selectFrom('targeting_template').selectAll().orderBy('id').execute(),
    db.selectFrom('region_plan').selectAll().orderBy('id').execute(),
    db.selectFrom('targeting_mirror').selectAll().orderBy('package_id').execute(),
  ])
  return { kept, versions, saved, regions, mirrors }
}
const mustRefuse = async (sent: Change, as: Caller, fault: keyof typeof FAULTS) => {
  const before = await everything()
  const { code, msg } = await sent.send(as)
  expect([code, msg]).toEqual([FAULTS[fault].code, expect.any(String)])
  expect(await everything()).toEqual(before)
  return msg
}

test('every call that changes packages, templates or region plans is in the table', () => {
  const declared = [packages, copies, mirror, templates, plans].flatMap((file) =>
    Object.values(file).filter((one): one is Endpoint => typeof one === 'object' && 'method' in one),
  )
  const changing = declared.filter((one) => changesSomething(one) && !one.readers)
  expect(changing.map(({ path }) => path).toSorted()).toEqual(rows.map(([path]) => path).toSorted())
})

test.each(rows)('%s is refused to a member of another advertiser', async (_, sent) => {
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  await mustRefuse(sent, stranger, 'notFound')
})

test.each(rows)('%s is refused to a member who may only look', async (_, sent) => {
  const reader = await app.viewer('reader', [adv_id])
  const { list } = await app.admin.get(listViewers)
  const id = list.find(({ username }) => username === 'reader')?.id ?? 0
  await app.admin.get(updateViewer, { params: { id }, body: { read_only_adv_ids: [adv_id] } })
  await mustRefuse(sent, reader, 'readOnly')
})

test.each(rows.filter(([, { isOfAccount }]) => isOfAccount))(
  '%s is refused on an account that was not granted what packages need',
  async (_, sent) => {
    await db.updateTable('platform_account').set({ scope_list: '["audience_management"]' }).execute()
    const msg = await mustRefuse(sent, app.admin, 'platformClosed')
    expect(msg).toBe('账户「旗舰店」没有定向包所需的权限（全部权限），请到「广告主授权」重新授权')
  },
)

test('of packages of two accounts, the deletion keeps those of the account without the permission and says why', async () => {
  const other = await aCommerceAccount(app, adv_id, '分店')
  const second = await aPackage(app, other)
  await db.updateTable('platform_account').set({ scope_list: '[]' }).where('id', '=', other).execute()
  const id = `${world.package},${second}`
  const { list } = await app.admin.get(packages.deleteTargetings, { query: { id } })
  expect(list.map(({ is_deleted, msg }) => [is_deleted, msg])).toEqual([
    [true, 'OK'],
    [false, '账户「分店」没有定向包所需的权限（全部权限），请到「广告主授权」重新授权'],
  ])
})

test('packages of an account whose authorisation ended can still be changed; new ones wait for it', async () => {
  await db.updateTable('platform_account').set({ login_id: null, scope_list: '[]' }).execute()
  const renamed = await app.admin.call(packages.updateTargeting, {
    body: { id: world.package, targeting_name: '改名' },
  })
  expect(renamed.code).toBe(0)
  const listed = await app.admin.get(packages.listTargetings, { body: { platform: COMMERCE } })
  expect(listed.list.map(({ name }) => name)).toEqual(['改名'])
  const body = { targeting_name: '新客', dir_id: 1, advertiser_id: world.account, targeting: { landing_type: 'LIVE' } }
  expect((await app.admin.call(packages.addTargeting, { body })).code).toBe(FAULTS.platformClosed.code)
})

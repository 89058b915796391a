import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createActivity } from '#contract/activity.ts'
import { saveActivityAsset } from '#contract/activity-asset.ts'
import { remarkAccount } from '#contract/advertiser.ts'
import { updateCustomCrowd } from '#contract/custom-crowd.ts'
import { createCustomFolder, updateCustomFolder } from '#contract/custom-folder.ts'
import { changesSomething, urlOf } from '#contract/endpoint.ts'
import { FAULTS } from '#contract/errors.ts'
import { createAssetFolder, updateAssetFolder } from '#contract/folder.ts'
import { startImport } from '#contract/import.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { outcome } from '#contract/outcome.ts'
import { PLAIN_CALLS } from '#contract/plain-calls.ts'
import { addProduct } from '#contract/product.ts'
import { addRegionPlan } from '#contract/region-plan.ts'
import { copyRuleCrowd, countRule, getRuleCrowd, openRule, updateRuleCrowd } from '#contract/rule-crowd.ts'
import { setConsent } from '#contract/suppression.ts'
import { createCategory, createTag, deleteTag, listTags, updateCategory, updateTag } from '#contract/tag.ts'
import { updateAttribute, updateEvent } from '#contract/tag-field.ts'
import { addTemplate } from '#contract/targeting-template.ts'
import { makeWriteKey } from '#contract/tracking.ts'
import { phoneForms } from '../features/suppression/lines.ts'
import { aCrowd, anAdvertiser, leaf, tagged } from '../testing/builders.ts'
import type { Caller } from '../testing/caller.ts'
import { aChild, aCustomCrowd } from '../testing/custom-crowds.ts'
import { COMMERCE, SOCIAL } from '../testing/platforms.ts'
import { suppressFor } from '../testing/suppression.ts'
import { aCommerceAccount, aPackage } from '../testing/targeting.ts'
import { testApp } from '../testing/test-app.ts'
import { track } from '../testing/tracking.ts'
import { uploadTo } from '../testing/upload.ts'
import { now } from '../time/clock.ts'

/** A phone in every place where people or files may have written one; a viewer who may not see phones reads everything. */
const PLACES = [
  ...[
    'value',
    'label',
    'column',
    'displayName',
    'eventName',
    'eventDisplay',
    'property',
    'propertyDisplay',
    'propertyValue',
    'oneId',
  ],
  ...['tag', 'tagDefinition', 'eventDefinition', 'category', 'folder', 'customFolder', 'ruleCrowd', 'customCrowd'],
  ...[
    'importFile',
    'crowdFile',
    'malformed',
    'refusedRow',
    'account',
    'remark',
    'suppressed',
    'suppressedHash',
    'note',
  ],
  ...[
    'consent',
    'task',
    'taskError',
    'pushError',
    'oauth',
    'deletedCrowd',
    'shop',
    'targeting',
    'template',
    'namedPlan',
    'regionPlan',
    'author',
    'platformCrowd',
    'platformTree',
    'writeKey',
    'trackedId',
    'trackedValue',
    'trackedRefusal',
    'activity',
    'plan',
    'activityAsset',
    'product',
  ],
] as const
type Place = (typeof PLACES)[number]
const phone = (place: Place) => String(13_912_340_000 + PLACES.indexOf(place) * 7)
const forms = (place: Place) => phoneForms(phone(place)).forms.map(({ text }) => text)
const SECRETS = PLACES.flatMap((place) => [phone(place), ...forms(place)].map((text) => ({ place, text })))

const app = await testApp()
afterAll(() => app.close())

interface Ids {
  adv_id: number
  tag: number
  category: number
  crowd: number
  rId: number
  custom: number
  file: number
  import: number
  account: number
  child: number
  push: number
  folder: number
  customFolder: number
  oauth: number
  forgetting: number
  shop: number
  targeting: number
  template: number
  activity: number
}
let ids: Ids
let viewer: Caller

/** The input of each call that needs one; the others are called as they are. */
const INPUTS: Record<string, () => { params?: object; query?: object }[]> = {
  listAdvertisers: () => [{ query: { auth_type: -1 } }, { query: { auth_type: SOCIAL } }],
  getAuthorisationOutcome: () => [{ params: { id: ids.oauth } }],
  getCustomCrowd: () => [{ query: { id: ids.custom } }],
  listCrowdFiles: () => [{ query: { id: ids.custom } }],
  listCrowdLogs: () => [{ query: { id: ids.custom } }],
  getCustomFolder: () => [{ params: { id: ids.customFolder } }],
  getCustomQuota: () => [{ query: { adv_id: ids.account, cnt_type: SOCIAL } }],
  listRuleChildren: () => [{ query: { id: ids.crowd } }],
  getAudiencePack: () => [{ params: { cnt_type: SOCIAL }, query: { id: ids.child } }],
  getAudiencePackQuota: () => [{ params: { cnt_type: SOCIAL }, query: { advertiser_id: ids.account } }],
  listAudiencePacks: () => [{ params: { cnt_type: SOCIAL } }],
  getTargetingOptions: () => [{ params: { platform: COMMERCE } }],
  getTargeting: () => [{ query: { id: ids.targeting } }],
  getTemplate: () => [{ query: { id: ids.template } }],
  listTemplates: () => [{ query: { platform: COMMERCE } }],
  listLandingTypes: () => [{ query: { platform: COMMERCE } }],
  listTargetingHistory: () => [{ query: { id: ids.targeting } }],
  getEstimateGoals: () => [{ query: { advertiser_id: ids.shop } }],
  getTags: () => [
    { query: { advertiser_id: ids.shop, type: 'AWEME' } },
    { query: { advertiser_id: ids.shop, type: 'REGION_PLAN' } },
  ],
  listTargetingCrowds: () => [{ query: { advertiser_id: ids.shop } }],
  getTargetingQuota: () => [{ query: { advertiser_id: ids.shop } }],
  getPush: () => [{ params: { id: ids.push } }],
  listPushes: () => [{ query: { id: ids.custom } }],
  compareControlGroups: () => [{ query: { campaign_id: ids.activity } }],
  getControlGroup: () => [{ query: { kind: 'rule', id: ids.crowd } }],
  getConsent: () => [{ query: { adv_id: ids.adv_id } }],
  listSuppression: () => [
    { query: { adv_id: ids.adv_id } },
    { query: { adv_id: ids.adv_id, keyword: forms('suppressedHash')[0] } },
  ],
  listLinkUsers: () => [{ query: { adv_id: ids.adv_id } }],
  listForgettings: () => [{ query: { adv_id: ids.adv_id } }],
  getForgetting: () => [{ params: { id: ids.forgetting } }],
  getLinkUser: () => [{ query: { adv_id: ids.adv_id, oneID: 'u1' } }],
  getCrowdColumns: () => [{ params: { id: ids.crowd } }],
  getCrowdSizes: () => [{ params: { id: ids.crowd } }],
  getCrowdChanges: () => [{ params: { id: ids.crowd }, query: { from: 1, to: 1 } }],
  getCrowdProfile: () => [{ params: { id: ids.crowd } }],
  getLinkUserProfile: () => [{ query: { adv_id: ids.adv_id, oneID: 'u1' } }],
  explainLinkUser: () => [{ query: { adv_id: ids.adv_id, oneID: 'u1', crowd_id: ids.crowd } }],
  listWebhooks: () => [{ query: { adv_id: ids.adv_id } }],
  listWriteKeys: () => [{ query: { adv_id: ids.adv_id } }],
  listLately: () => [{ query: { adv_id: ids.adv_id } }],
  getTagTree: () => [{ query: { adv_id: ids.adv_id } }, { query: { adv_id: ids.adv_id, tag_type: 2 } }],
  getTagUsage: () => [{ params: { id: ids.tag } }],
  listCategories: () => [{ query: { adv_id: ids.adv_id } }],
  listTags: () => [{ query: { adv_id: ids.adv_id, page_size: 500 } }],
  getCategoryUsage: () => [{ params: { id: ids.category } }],
  getAttribute: () => [{ query: { adv_id: ids.adv_id, name: '备用电话' } }],
  getEvent: () => [{ query: { adv_id: ids.adv_id, name: '致电' } }],
  getPropertyValues: () => [{ query: { adv_id: ids.adv_id, name: '致电', property: '号码' } }],
  listFieldValues: () => [
    { query: { adv_id: ids.adv_id, attribute: '备用电话' } },
    { query: { adv_id: ids.adv_id, event: '致电', property: '号码' } },
  ],
  listFields: () => [{ query: { adv_id: ids.adv_id } }],
  getRule: () => [{ params: { rId: ids.rId } }],
  getRuleCrowd: () => [{ params: { id: ids.crowd } }],
  getRuleCrowdQuota: () => [{ query: { advertiser_id: ids.adv_id } }],
  getImport: () => [{ params: { id: ids.import } }],
  previewUndo: () => [{ params: { id: ids.import } }],
  compareActivities: () => [{ query: { id: ids.activity } }],
  listReportLinks: () => [{ query: { campaign_id: ids.activity } }],
  getDayReport: () => [{ query: { campaign_id: ids.activity } }],
  getReportSync: () => [{ query: { campaign_id: ids.activity } }],
  listUnlinkedPlans: () => [{ query: { adv_id: ids.adv_id } }],
  listReportMarks: () => [{ query: { campaign_id: ids.activity } }],
  listActivityTrends: () => [{ query: { campaign_id: ids.activity } }],
  listDayMarks: () => [{ query: { campaign_id: ids.activity } }],
  getActivity: () => [{ query: { campaign_id: ids.activity } }],
  findSameName: () => [{ query: { adv_id: ids.adv_id, name: '双11' } }],
  listActivityLog: () => [{ query: { campaign_id: ids.activity } }],
  listProducts: () => [{ query: { adv_id: ids.adv_id } }],
  listPlanCrowds: () => [{ query: { account_id: ids.account } }],
  searchEverything: () => [{ query: { q: '客户' } }],
}

const insert = async (table: 'attribute' | 'event_name', values: object) => {
  await app.stores.postgres.db
    .insertInto(table)
    .values(values as never)
    .execute()
}

async function importFile(name: string, text: string, mapping: object) {
  const upload_id = await uploadTo(app, app.admin, text, name)
  const { id } = await app.admin.get(startImport, {
    body: { adv_id: ids.adv_id, upload_id, mapping: mapping as never },
  })
  await app.settled()
  return id
}

async function plantData() {
  const { adv_id } = ids
  const value = phone('value')
  const rows = [
    `u1,${value},${phone('suppressed')}`,
    `u2,无,`,
    `${phone('oneId')},无,`,
    `,${phone('refusedRow')},${forms('refusedRow')[0]}`,
  ]
  ids.import = await importFile(`客户${phone('importFile')}.csv`, `id,备用电话,手机\n${rows.join('\n')}\n`, {
    kind: 'users',
    id: 'id',
    phone: '手机',
    identifiers: [],
    skip: [],
  })
  const cells = `u1,致电,2026-01-01 10:00:00,${phone('propertyValue')}`
  await importFile('events.csv', `id,event,time,号码\n${cells}\n`, {
    kind: 'events',
    id: 'id',
    event: 'event',
    time: 'time',
    skip: [],
  })
  const dictionary = [{ value, label: `老板${phone('label')}` }]
  const attribute = { adv_id, name: '备用电话', display_name: `电话${phone('displayName')}`, dictionary }
  await app.admin.get(updateAttribute, { body: attribute })
  const properties = [{ name: '号码', display_name: `号码${phone('propertyDisplay')}` }]
  await app.admin.get(updateEvent, {
    body: { adv_id, name: '致电', display_name: `致电${phone('eventDisplay')}`, properties },
  })
  // As a file without a header leaves them.
  const display_name = '无表头'
  await app.stores.warehouse.load.acrossShards.command('ALTER TABLE person_row ADD COLUMN IF NOT EXISTS a90 String')
  await insert('attribute', { adv_id, name: phone('column'), slot: 90, type: 'text', display_name, values: '[]' })
  await insert('event_name', {
    adv_id,
    name: phone('eventName'),
    display_name,
    properties: JSON.stringify([phone('property')]),
  })
  await app.admin.get(setConsent, { body: { adv_id, attribute: '备用电话', refused_values: [phone('consent')] } })
  await app.settled()
}

async function plantNames() {
  const { adv_id } = ids
  const { db } = app.stores.postgres
  const category = { adv_id, icon: 'other' as const, tag_type: 1 as const }
  ids.category = (await app.admin.get(createCategory, { body: { ...category, name: `客户${phone('category')}` } })).id
  const condition = { is: 'equals' as const, value: phone('tagDefinition') }
  const definition = { kind: 'attribute' as const, attribute: '备用电话', condition }
  const tag = { adv_id, category_id: ids.category, name: `客户${phone('tag')}`, definition }
  ids.tag = (await app.admin.get(createTag, { body: tag })).id
  const events = await app.admin.get(createCategory, { body: { ...category, tag_type: 2, name: '致电的客户' } })
  const asked = { property: '号码', condition: { is: 'in' as const, values: [phone('eventDefinition')] } }
  const did = { kind: 'event' as const, event: '致电', window_days: null, at_least: 1, negated: false }
  await app.admin.get(createTag, {
    body: { adv_id, category_id: events.id, name: '致电', definition: { ...did, properties: [asked] } },
  })
  await app.settled()
  ids.folder = (await app.admin.get(createAssetFolder, { body: { name: `客户${phone('folder')}`, parentId: null } })).id
  ids.customFolder = (
    await app.admin.get(createCustomFolder, {
      body: { name: `客户${phone('customFolder')}`, parent_id: null } as never,
    })
  ).id
  const rule = leaf('a', 'n', tagged(ids.tag))
  const crowd = await aCrowd(app, adv_id, rule, { name: `客户${phone('ruleCrowd')}`, dirId: ids.folder })
  Object.assign(ids, { crowd: crowd.id, rId: crowd.rId })
  const gone = await aCrowd(app, adv_id, rule, { name: `客户${phone('deletedCrowd')}` })
  await db.updateTable('people').set({ deleted_at: now() }).where('id', '=', gone.id).execute()
  const content = `${forms('suppressed')[0]}\n${phone('malformed')},${forms('malformed')[1]}\n`
  ids.custom = await aCustomCrowd(app, adv_id, [{ name: `客户${phone('crowdFile')}.txt`, content }], {
    name: `客户${phone('customCrowd')}`,
    dir_id: ids.customFolder,
  })
  await app.settled()
  ids.file = (await db.selectFrom('crowd_file').select('id').executeTakeFirstOrThrow()).id
}

async function plantMessages() {
  const { adv_id } = ids
  const body = { adv_id, name: `小程序${phone('writeKey')}` }
  const { key } = await app.admin.get(makeWriteKey, { body })
  const event = { type: 'track', event: '致电', userId: phone('trackedId') }
  const batch = [
    { ...event, properties: { 号码: phone('trackedValue') } },
    { ...event, event: `致电${phone('trackedRefusal')}`, timestamp: '昨天' },
  ]
  expect(await track(app, '/v1/batch', key, { batch })).toMatchObject({
    data: { accepted: 1, refused: [{ index: 1 }] },
  })
  await app.settled()
  const { db } = app.stores.postgres
  await vi.waitUntil(() => db.selectFrom('tracking_refusal').select('id').executeTakeFirst(), { timeout: 10_000 })
}

async function plantRest() {
  const { adv_id } = ids
  const { db } = app.stores.postgres
  const { id: account } = await db
    .insertInto('platform_account')
    .values({
      adv_id,
      platform: SOCIAL,
      external_id: '55500001',
      name: `客户${phone('account')}`,
      scope_list: '["all"]',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.admin.get(remarkAccount, { params: { id: account }, body: { remark: `致电${phone('remark')}` } })
  const child = await aChild(app, ids.custom, account, SOCIAL)
  const failed = JSON.stringify(outcome('input_refused', { text: `致电 ${phone('pushError')}` }))
  const { id: push } = await db
    .insertInto('push')
    .values({
      child_id: child,
      version: 1,
      status: 'failed',
      step: 'plan',
      state: '{}',
      reason: failed as never,
      created_at: now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const accounts = [{ id: account, is_new: true, external_id: '1', name: `客户${phone('oauth')}` }]
  const { id: viewer_id } = await db
    .selectFrom('viewer')
    .select('id')
    .where('username', '=', 'blind')
    .executeTakeFirstOrThrow()
  const { id: oauth } = await db
    .insertInto('oauth_state')
    .values({
      state_hash: 'x',
      viewer_id,
      adv_id,
      platform: SOCIAL,
      back: '/',
      redirect_uri: '/',
      created_at: now(),
      expires_at: now(),
      result: JSON.stringify({ platform: SOCIAL, adv_id, error: null, accounts, lost: [], elsewhere: [] }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const shop = await aCommerceAccount(app, adv_id, `店铺${phone('shop')}`)
  const plan = { id: 1, name: `门店${phone('regionPlan')}`, regions: ['11'] }
  const targeting = await aPackage(app, shop, {
    targeting_name: `客户${phone('targeting')}`,
    targeting: {
      landing_type: 'LIVE',
      district: ['CITY'],
      regions: { regions: [], regionsPlan: [plan] },
      aweme_fan_by: 1,
      user_aweme_fan: [{ type: 'account', label_id: '7', author_name: `达人${phone('author')}` }],
    },
  })
  const { id: template } = await app.admin.get(addTemplate, {
    body: { package_id: targeting, name: `模板${phone('template')}` },
  })
  await app.admin.get(addRegionPlan, {
    body: { advertiser_id: shop, name: `门店${phone('namedPlan')}`, regions: ['11'] },
  })
  const { id: product_id } = await app.admin.get(addProduct, { body: { adv_id, name: `产品${phone('product')}` } })
  const plans = [
    {
      name: `计划${phone('plan')}`,
      platform: COMMERCE,
      account_id: shop,
      package_id: targeting,
      plan_id: '7500000000000001',
    },
  ]
  const { id: activity } = await app.admin.get(createActivity, {
    body: { advertiser_id: adv_id, name: `活动${phone('activity')}`, product_id, plans },
  })
  const asset = { id: activity, name: `资产${phone('activityAsset')}` }
  await app.admin.get(saveActivityAsset, { body: asset })
  const { id: forgetting } = await db
    .insertInto('forget')
    .values({ adv_id, token: 'x', person: 1, viewer_id: null, status: 'done', asked_at: now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  Object.assign(ids, { activity, forgetting, account, child, push, oauth, shop, targeting, template })
  const crowd = {
    retargeting_tags_id: '7',
    name: `客户${phone('platformCrowd')}`,
    is_common: 1,
    retargeting_tags_op: 'ALL',
  }
  const category = { value: '8', label: `达人${phone('platformTree')}`, num: null, children: [] }
  const copy = (key: string, content: object) => ({
    key,
    content: JSON.stringify([content]),
    read_at: now(),
    used_at: now(),
  })
  await db
    .insertInto('dictionary_copy')
    .values([copy(`crowds of ${shop}`, crowd), copy(`${COMMERCE} AWEME`, category)])
    .execute()
  await db
    .insertInto('task')
    .values({
      kind: 'x',
      title: `导入「${phone('task')}」`,
      adv_id,
      viewer_id,
      status: 'failed',
      error: JSON.stringify(outcome('input_refused', { text: `请致电 ${phone('taskError')}` })) as never,
      created_at: now(),
    })
    .execute()
  await suppressFor(app, {
    adv_id,
    type: 'HASH_MOBILE_PHONE',
    lines: [phone('suppressed')],
    note: `致电${phone('note')}`,
  })
  await suppressFor(app, { adv_id, type: 'SHA256_MOBILE_PHONE', lines: [forms('suppressedHash')[1] ?? ''], note: '' })
}

beforeAll(async () => {
  ids = { adv_id: await anAdvertiser(app, '客户资料') } as Ids
  viewer = await app.viewer('blind', [ids.adv_id])
  await plantData()
  await plantNames()
  await plantRest()
  await plantMessages()
})

/** Where a text tells one of the planted phones. */
const told = (text: string) => SECRETS.filter((one) => text.toLowerCase().includes(one.text)).map(({ place }) => place)

async function answered(caller: Caller, url: string) {
  const answer = await app.app.inject({ url, headers: { cookie: caller.cookie, 'sec-fetch-site': 'same-origin' } })
  return {
    status: answer.statusCode,
    text: answer.body + decodeURIComponent(String(answer.headers['content-disposition'])),
  }
}

const calls = Object.entries(ENDPOINTS).filter(
  ([, e]) => e.method === 'GET' && !changesSomething(e) && e.access !== 'admin',
)
const reads = calls.map(([name]) => name)

test.each(reads)('%s tells no phone and no hash of one', async (name) => {
  const endpoint = ENDPOINTS[name]
  if (!endpoint) throw new Error(name)
  for (const input of INPUTS[name]?.() ?? [{}]) {
    const url = urlOf(endpoint, input as never)
    const { status, text } = await answered(viewer, url)
    expect([url, told(text)]).toEqual([url, []])
    expect([url, status]).toEqual([url, 200])
  }
})

/** The paths of the downloads, and of those that answer no data of people. */
const PLAIN: Record<string, () => string | null> = {
  '/api/v1/gdtcrowd/crowd/custom/files/{id}/malformed': () =>
    `/api/v1/gdtcrowd/crowd/custom/files/${ids.file}/malformed`,
  '/api/import/{id}/refused': () => `/api/import/${ids.import}/refused`,
  '/api/suppression/export': () => `/api/suppression/export?adv_id=${ids.adv_id}`,
  '/api/linkuser/download': () => `/api/linkuser/download?adv_id=${ids.adv_id}&oneID=u1`,
  '/api/people/{id}/export': () => `/api/people/${ids.crowd}/export`,
  '/api/people/export': () => '/api/people/export',
  '/api/v1/gdtcrowd/crowd/custom/export': () => '/api/v1/gdtcrowd/crowd/custom/export',
  '/api/campaign/export': () => '/api/campaign/export?columns=all',
  '/api/campaign/day_report/export': () => `/api/campaign/day_report/export?campaign_id=${ids.activity}`,
  '/api/oauth/callback/{platform}': () => null,
  '/v1/projects/{key}/settings': () => null,
}

test.each(PLAIN_CALLS.filter(({ method }) => method === 'GET').map(({ path }) => path))(
  'the download %s tells no phone and no hash of one',
  async (path) => {
    const url = PLAIN[path]?.()
    if (url === null) return
    const { status, text } = await answered(viewer, url ?? path)
    expect([url, status, told(text)]).toEqual([url, 200, []])
  },
)

async function toldTo(caller: Caller): Promise<ReadonlySet<Place>> {
  const all = new Set<Place>()
  for (const name of reads) {
    const endpoint = ENDPOINTS[name]
    for (const input of INPUTS[name]?.() ?? [{}]) {
      const { text } = await answered(caller, urlOf(endpoint as never, input as never))
      for (const place of told(text)) all.add(place)
    }
  }
  for (const path of Object.values(PLAIN)) {
    const url = path()
    if (url) for (const place of told((await answered(caller, url)).text)) all.add(place)
  }
  return all
}

test('each planted phone is told to somebody who may see phones', async () => {
  const all = await toldTo(app.admin)
  // The outcome of an authorisation is for the viewer who began it.
  expect(PLACES.filter((place) => !all.has(place))).toEqual(['oauth'])
})

test('a name that a form sends back as it was shown stays what it is', async () => {
  const shown = (place: Place, words = '客户') => `${words}${phone(place).slice(0, 3)}****${phone(place).slice(-4)}`
  const { adv_id } = ids
  const params = { id: ids.crowd }
  const { ver } = await viewer.get(getRuleCrowd, { params })
  await viewer.get(updateRuleCrowd, { params, body: { name: shown('ruleCrowd'), ver } })
  await viewer.get(updateCustomCrowd, { body: { id: ids.custom, name: shown('customCrowd') } })
  await viewer.get(updateCustomFolder, { params: { id: ids.customFolder }, body: { name: shown('customFolder') } })
  await viewer.get(updateAssetFolder, { params: { id: ids.folder }, body: { name: shown('folder') } })
  await viewer.get(updateCategory, { params: { id: ids.category }, body: { name: shown('category') } })
  await viewer.get(remarkAccount, { params: { id: ids.account }, body: { remark: shown('remark', '致电') } })
  const display_name = shown('displayName', '电话')
  await viewer.get(updateAttribute, { body: { adv_id, name: '备用电话', display_name } })
  const properties = [{ name: '号码', display_name: shown('propertyDisplay', '号码') }]
  const event = { adv_id, name: '致电', display_name: shown('eventDisplay', '致电') }
  await viewer.get(updateEvent, { body: { ...event, properties } })
  const kept: Place[] = [
    'ruleCrowd',
    'customCrowd',
    'customFolder',
    'folder',
    'category',
    'remark',
    'displayName',
    'eventDisplay',
  ]
  const all = await toldTo(app.admin)
  expect([...kept, 'propertyDisplay' as const].filter((place) => !all.has(place))).toEqual([])
})

test('a refusal names nothing that is masked', async () => {
  const { db } = app.stores.postgres
  const { name, definition } = await db
    .selectFrom('tag')
    .select(['name', 'definition'])
    .where('id', '=', ids.tag)
    .executeTakeFirstOrThrow()
  const tag = {
    adv_id: ids.adv_id,
    name: `${name}二`,
    tag_type: 1 as const,
    category_id: ids.category,
    created_at: now(),
  }
  const { id } = await db
    .insertInto('tag')
    .values({ ...tag, definition: JSON.stringify(definition), is_automatic: false, is_built_in: false })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { rId } = await viewer.get(openRule, { body: { advId: ids.adv_id } })
  const rule = leaf('a', 'n', tagged(id))
  const waits = await viewer.call(countRule, { params: { rId }, body: { advId: ids.adv_id, rule } })
  expect([waits.code, told(JSON.stringify(waits))]).toEqual([FAULTS.tagNotReady.code, []])
  const used = await viewer.call(deleteTag, { params: { id: ids.tag } })
  expect([used.code, told(JSON.stringify(used))]).toEqual([FAULTS.tagInUse.code, []])
  expect(used.msg).toContain('139****')
})

test('a phone is not guessed by giving it as a name that may be taken', async () => {
  const { adv_id } = ids
  const name = phone('ruleCrowd')
  const { ver } = await viewer.get(getRuleCrowd, { params: { id: ids.crowd } })
  const category = { adv_id, name, icon: 'other' as const, tag_type: 1 as const }
  const definition = { kind: 'attribute' as const, attribute: '备用电话', condition: { is: 'exists' as const } }
  const answers = [
    await viewer.call(updateRuleCrowd, { params: { id: ids.crowd }, body: { name, ver } }),
    await viewer.call(copyRuleCrowd, { params: { id: ids.crowd }, body: { name } }),
    await viewer.call(updateCustomCrowd, { body: { id: ids.custom, name } }),
    await viewer.call(createAssetFolder, { body: { name, parentId: null } }),
    await viewer.call(updateCustomFolder, { params: { id: ids.customFolder }, body: { name } }),
    await viewer.call(createCategory, { body: category }),
    await viewer.call(updateCategory, { params: { id: ids.category }, body: { name } }),
    await viewer.call(createTag, { body: { adv_id, category_id: ids.category, name, definition } }),
    await viewer.call(updateTag, { params: { id: ids.tag }, body: { name } }),
  ]
  expect(answers.map(({ code, msg }) => [code, msg])).toEqual(
    answers.map(() => [FAULTS.phonesHidden.code, '您没有查看手机号的权限，名称中不能写手机号']),
  )
})

test('a phone is not guessed by naming it in the dictionary of an import', async () => {
  const upload_id = await uploadTo(app, viewer, 'id,备用电话\nu900,无\n', 'own.csv')
  const fields = [{ column: '备用电话', dictionary: [{ value: phone('value'), label: '猜' }] }]
  const mapping = { kind: 'users' as const, id: 'id', identifiers: [], skip: [], fields }
  const refused = await viewer.call(startImport, { body: { adv_id: ids.adv_id, upload_id, mapping } })
  expect(refused.code).toBe(FAULTS.phonesHidden.code)
})

test('a masked name is found by what is shown of it, and not by its hidden digits', async () => {
  const found = async (keyword: string) =>
    (await viewer.get(listTags, { query: { adv_id: ids.adv_id, keyword } })).list.map(({ id }) => id)
  const whole = phone('tag')
  expect(await found('客户')).toContain(ids.tag)
  expect(await found(whole.slice(0, 3))).toContain(ids.tag)
  expect(await found(`${whole.slice(0, 3)}****${whole.slice(-4)}`)).toContain(ids.tag)
  for (const guess of [whole, whole.slice(0, 4), whole.slice(3, 7)]) expect(await found(guess)).not.toContain(ids.tag)
})

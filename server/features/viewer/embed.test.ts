import { afterAll, beforeEach, expect, test } from 'vitest'
import { ACTIVITY_EXPORT_PATH, DAY_REPORT_EXPORT_PATH } from '#contract/activity-export.ts'
import { listAdvertisers } from '#contract/advertiser.ts'
import { CROWD_EXPORT_PATH } from '#contract/crowd-export.ts'
import { CUSTOM_LIST_EXPORT_PATH, RULE_LIST_EXPORT_PATH } from '#contract/crowd-list-export.ts'
import { MALFORMED_PATH } from '#contract/custom-crowd.ts'
import { createEmbedToken, EMBED_SESSION_SECONDS, type FramedPage, openEmbedSession } from '#contract/embed.ts'
import { EMBEDDED_CALLS } from '#contract/embedded-calls.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { FAULTS } from '#contract/errors.ts'
import { REFUSED_PATH } from '#contract/import.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { openRule } from '#contract/rule-crowd.ts'
import { SUPPRESSION_EXPORT_PATH } from '#contract/suppression.ts'
import { listTags } from '#contract/tag.ts'
import {
  changePassword,
  createToken,
  deleteToken,
  getViewer,
  listViewers,
  logout,
  resetViewerPassword,
  updateViewer,
} from '#contract/viewer.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import type { Caller } from '../../testing/caller.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'
import { embedService } from './embed.ts'

const HOST = 'https://ads.test'
const app = await testApp({ EMBED_ORIGINS: `${HOST}, https://other.test` })
const { db } = app.stores.postgres
let adv = 0
let viewer: Caller
afterAll(() => app.close())
beforeEach(async () => {
  await app.reset()
  adv = await anAdvertiser(app)
  viewer = await app.viewer('运营', [adv, await anAdvertiser(app)])
})

/** Calls as the embedded page does: with its session as bearer, or with an API token. */
async function asked(bearer: string, endpoint: Endpoint, query = '', payload?: object) {
  const headers = { authorization: `Bearer ${bearer}` }
  const url = endpoint.path + query
  return (await app.app.inject({ method: endpoint.method, url, headers, ...(payload ? { payload } : {}) })).json()
}
const apiToken = async (name = '工作台') => viewer.get(createToken, { body: { name } })
const embedded = (token: string, more: object = {}) =>
  asked(token, createEmbedToken, '', { adv_id: adv, origin: HOST, ...more })
const opened = (token: string) => app.nobody.get(openEmbedSession, { body: { token } })

test('an API token makes a one-time token, and the frame that redeems it works for one viewer and one advertiser', async () => {
  const { data } = await embedded((await apiToken()).token, { crowd_id: 7, view: 'watch' })
  expect(data.url).toBe(`/embed#${data.token}`)
  const { session, expires_at, ...named } = await opened(data.token)
  expect(named).toEqual({ adv_id: adv, origin: HOST, page: 'crowd', id: 7, view: 'watch' })
  expect(expires_at).toBeGreaterThan(now() + EMBED_SESSION_SECONDS - 60)
  expect((await asked(session, getViewer)).data).toMatchObject({ username: '运营', is_admin: false })
  const { data: seen } = (await asked(session, listAdvertisers)).data
  expect(seen.map((one: { id: number }) => one.id)).toEqual([adv])
  expect((await asked(session, listTags, `?adv_id=${adv}`)).code).toBe(0)
  expect((await asked(session, listTags, `?adv_id=${adv + 1}`)).code).toBe(FAULTS.notMember.code)
})

test('a frame that was opened to watch reads and changes nothing', async () => {
  const { token } = await apiToken()
  const sessionFor = async (view: 'edit' | 'watch') => {
    const { data } = await embedded(token, { view })
    return (await opened(data.token)).session
  }
  const codesOf = async (session: string) => {
    const { code: reading } = await asked(session, listTags, `?adv_id=${adv}`)
    const { code: changing } = await asked(session, openRule, '', { advId: adv })
    return { reading, changing }
  }
  expect(await codesOf(await sessionFor('watch'))).toEqual({ reading: 0, changing: FAULTS.readOnly.code })
  expect(await codesOf(await sessionFor('edit'))).toEqual({ reading: 0, changing: 0 })
})

test('other sites may frame the pages of the rule editor and of the workbench, and no other', async () => {
  const framedBy = async (url: string) => {
    const { headers } = await app.app.inject({ url, headers: { accept: 'text/html' } })
    return /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]?.trim()
  }
  const sites = `'self' ${HOST} https://other.test`
  for (const page of [
    '/embed?crowd=1',
    '/cowd-manage/cowd-assets/edit/0?entry=workbench',
    '/cowd-manage/cowd-assets/watch/7',
    '/campaign-manage/work-bench',
    '/campaign-manage/work-bench?campaign_id=7',
  ])
    expect([page, await framedBy(page)]).toEqual([page, sites])
  for (const page of [
    '/',
    '/login',
    '/basic-manage/index/users',
    '/cowd-manage/cowd-assets',
    '/embedded',
    '/users?x=/embed',
    '/campaign-manage/list',
    '/campaign-manage/work-bench/x',
    '/campaign-manage/day-report?campaign_id=7',
  ])
    expect([page, await framedBy(page)]).toEqual([page, "'self'"])
})

test('a one-time token works once, also when it is redeemed twice at the same time', async () => {
  const { data } = await embedded((await apiToken()).token)
  const answers = await Promise.all(
    [1, 2, 3].map(() => app.nobody.call(openEmbedSession, { body: { token: data.token } })),
  )
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([
    0,
    FAULTS.embedTokenGone.code,
    FAULTS.embedTokenGone.code,
  ])
})

test('tokens and sessions are stored as hashes, and an old token is refused', async () => {
  const { data } = await embedded((await apiToken()).token)
  const stored = await db.selectFrom('embed_token').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(data.token)
  await db
    .updateTable('embed_token')
    .set({ expires_at: now() - 1 })
    .execute()
  expect(await app.nobody.call(openEmbedSession, { body: { token: data.token } })).toMatchObject({
    status: 401,
    msg: '嵌入令牌已使用或已失效，请重新打开',
  })
})

test('an embedded session ends when its API token is deleted, when its viewer’s password changes, and when it expires', async () => {
  const api = await apiToken()
  const open = async (token: string) => (await opened((await embedded(token)).data.token)).session
  const first = await open(api.token)
  await viewer.get(deleteToken, { params: { id: api.id } })
  expect((await asked(first, getViewer)).code).toBe(FAULTS.signedOut.code)

  const second = await open((await apiToken('再一个')).token)
  const waiting = (await embedded((await apiToken('又一个')).token)).data.token
  await db
    .updateTable('session')
    .set({ last_seen: now() - 1000 })
    .execute()
  const [before] = await db.selectFrom('session').select('expires_at').where('adv_id', 'is not', null).execute()
  expect((await asked(second, getViewer)).code).toBe(0)
  expect(await db.selectFrom('session').select('expires_at').where('adv_id', 'is not', null).execute()).toEqual([
    before,
  ])
  const id = (await app.admin.get(listViewers)).list.find((one) => one.username === '运营')?.id ?? 0
  await app.admin.get(resetViewerPassword, { params: { id }, body: { password: 'brand-new-one' } })
  expect((await asked(second, getViewer)).code).toBe(FAULTS.signedOut.code)
  expect((await app.nobody.call(openEmbedSession, { body: { token: waiting } })).code).toBe(FAULTS.embedTokenGone.code)
})

test('a token that waits ends when its viewer changes the password, though the API tokens stay', async () => {
  const waiting = (await embedded((await apiToken()).token)).data.token
  await viewer.get(changePassword, { body: { old_password: 'right-password', password: 'another-password' } })
  expect((await app.nobody.call(openEmbedSession, { body: { token: waiting } })).code).toBe(FAULTS.embedTokenGone.code)
})

test('an embedded session is not accepted as a cookie, nor a cookie as one, and a frame makes no tokens', async () => {
  const { session } = await opened((await embedded((await apiToken()).token)).data.token)
  for (const cookie of [session, session.replace('rqf_', '')]) {
    const answer = await app.app.inject({ url: getViewer.path, cookies: { renqun_session: cookie } })
    expect(answer.statusCode).toBe(401)
  }
  const cookie = viewer.cookie.replace('renqun_session=', '')
  expect((await asked(`rqf_${cookie}`, getViewer)).code).toBe(FAULTS.signedOut.code)
  expect((await asked(session, createToken, '', { name: '留下' })).code).toBe(FAULTS.embeddedCannot.code)
  expect((await embedded(session)).code).toBe(FAULTS.embeddedCannot.code)
})

test('only an admin opens a frame for another member, and an admin’s own frame has no admin rights', async () => {
  const { list } = await app.admin.get(listViewers)
  const [admin, other] = list
  expect((await embedded((await apiToken()).token, { viewer_id: admin?.id })).code).toBe(FAULTS.forbidden.code)
  const body = { adv_id: adv, origin: HOST }
  const theirs = await app.admin.get(createEmbedToken, { body: { ...body, viewer_id: other?.id } })
  expect((await asked((await opened(theirs.token)).session, getViewer)).data.username).toBe('运营')
  const elsewhere = { ...body, adv_id: await anAdvertiser(app), viewer_id: other?.id }
  expect((await app.admin.call(createEmbedToken, { body: elsewhere })).code).toBe(FAULTS.notMember.code)
  const { session } = await opened((await app.admin.get(createEmbedToken, { body })).token)
  expect((await asked(session, listViewers)).code).toBe(FAULTS.embeddedCannot.code)
  expect((await asked(session, getViewer)).data).toMatchObject({ is_admin: false, see_phones: false })
})

/** Calls that no page in a frame makes. A new call belongs here or in EMBEDDED_CALLS. */
const REFUSED_IN_FRAMES = new Set([
  ...['listActivities', 'totalActivities', 'compareActivities', 'getDayReport'],
  ...['listReportLinks', 'makeReportLink', 'revokeReportLink', 'openReportLink'],
  'openReportLinkControl',
  ...['switchActivity', 'switchPlan', 'deleteActivity', 'copyActivity', 'listActivityLog'],
  ...['setPlanOperator', 'retryPlan', 'settlePlan'],
  ...['listActivityAssets', 'saveActivityAsset', 'startFromAsset', 'deleteActivityAsset', 'getColumns'],
  ...['chooseColumns', 'deleteProduct'],
  ...['getReportSync', 'syncReports', 'listReportMarks', 'listDayMarks', 'listActivityTrends'],
  'listUnlinkedPlans',
  ...['getTargetingOptions', 'addTargeting', 'updateTargeting', 'copyTargeting', 'getTargeting'],
  ...['syncTargeting', 'adoptTargeting', 'overwriteTargeting', 'refreshTargetings'],
  ...['deleteTargetings', 'moveTargetings', 'getTargetingQuota', 'listTargetingHistory', 'restoreTargeting'],
  ...['previewTargetingCopy', 'checkNewTargeting', 'listLandingTypes'],
  ...['listTemplates', 'getTemplate', 'addTemplate', 'renameTemplate', 'deleteTemplate'],
  ...['getControlGroup', 'setControlGroup', 'compareControlGroups'],
  ...['addRegionPlan', 'renameRegionPlan', 'deleteRegionPlan'],
  ...['getTags', 'findTags', 'listTargetingCrowds', 'estimateReach', 'getEstimateGoals', 'setEstimateGoals'],
  'getCustomFolder',
  'cancelPush',
  'deleteTags',
  'getCategoryUsage',
  'hideTags',
  'moveTags',
  'previewUndo',
  'undoImport',
  'seeTasks',
  'listFieldValues',
  'changePassword',
  'createToken',
  'createViewer',
  'deleteToken',
  'deleteViewer',
  'endSession',
  'listSessions',
  'listTokens',
  'listViewers',
  'login',
  'resetViewerPassword',
  'updateViewer',
  'createEmbedToken',
  'createAdvertiser',
  'listAdvertiserData',
  'renameAdvertiser',
  'getAuthorisationOutcome',
  'listPlatforms',
  'revokeAuthorisation',
  'startAuthorisation',
  'createAssetFolder',
  'deleteAssetFolder',
  'deleteAssetFolders',
  'updateAssetFolder',
  'addCustomCrowd',
  'deleteCustomCrowd',
  'getCustomCrowd',
  'listCrowdFiles',
  'listCrowdLogs',
  'listCustomCrowds',
  'listDeletedCustomCrowds',
  'moveCustomCrowds',
  'restoreCrowdVersion',
  'undeleteCustomCrowds',
  'updateCustomCrowd',
  'createCustomFolder',
  'deleteCustomFolder',
  'listCustomFolders',
  'updateCustomFolder',
  'getCustomQuota',
  'listRuleChildren',
  'setKeepsStep',
  'addAudiencePack',
  'copyAudiencePack',
  'deleteAudiencePack',
  'getAudiencePack',
  'getAudiencePackQuota',
  'listAudiencePacks',
  'updateAudiencePack',
  'getPush',
  'listPushes',
  'retryPush',
  'startPush',
  'remarkAccount',
  'addSuppressedCrowd',
  'addSuppression',
  'getConsent',
  'listSuppression',
  'listLinkUsers',
  'forgetPerson',
  'listForgettings',
  'getForgetting',
  'getLinkUser',
  'getCrowdProfile',
  'getCrowdColumns',
  'getCrowdSizes',
  'getCrowdChanges',
  'countOverlap',
  'getLinkUserProfile',
  'explainLinkUser',
  'removeSuppression',
  'removeSuppressionEntries',
  'setConsent',
  'deleteWebhook',
  'listWebhooks',
  'saveWebhook',
  'tryWebhook',
  'listLately',
  'listWriteKeys',
  'makeWriteKey',
  'revokeWriteKey',
  'showWriteKey',
  'createCategory',
  'createTag',
  'deleteCategory',
  'deleteTag',
  'getTagUsage',
  'listCategories',
  'listFields',
  'getAttribute',
  'updateAttribute',
  'deleteAttribute',
  'getEvent',
  'getPropertyValues',
  'updateEvent',
  'previewTag',
  'rebuildTags',
  'updateCategory',
  'updateTag',
  'checkCrowdUse',
  'checkRuleCrowdApplied',
  'computeRuleCrowd',
  'setCrowdUpdates',
  'copyRuleCrowd',
  'deleteRuleCrowd',
  'deleteRuleCrowds',
  'listCreators',
  'listDeletedRuleCrowds',
  'moveRuleCrowds',
  'restoreRuleCrowds',
  'getImport',
  'listImports',
  'previewImport',
  'startImport',
  'createUpload',
  'finishUpload',
  'getUploadCredentials',
  'removeUpload',
  'signUpload',
  'listTasks',
  'retryTask',
  'searchEverything',
])

/** Calls that only one of the two pages makes. */
const ONLY_IN: Record<FramedPage, ReadonlySet<string>> = {
  crowd: new Set(['storeRuleByPost', 'compareRule', 'getRuleCrowdQuota', 'updateRuleCrowd']),
  activity: new Set([
    ...['getActivity', 'findSameName', 'createActivity', 'updateActivity', 'listProducts', 'addProduct'],
    ...['listTargetings', 'listPlanCrowds', 'listPlanPlatforms', 'checkPush', 'startPushes'],
  ]),
}
const FRAMES = [
  ['crowd', ONLY_IN.activity, { crowd_id: 0 }],
  ['activity', ONLY_IN.crowd, { campaign_id: 0 }],
] as const

test.each(FRAMES)('every call is either made by the page of the %s in a frame, or refused there', (page, others) => {
  const decided = Object.entries(ENDPOINTS).map(([name, endpoint]) => [
    name,
    EMBEDDED_CALLS[page].has(endpoint) !== (REFUSED_IN_FRAMES.has(name) || others.has(name)),
  ])
  expect(decided.filter(([, isDecided]) => !isDecided)).toEqual([])
})

test.each(FRAMES)('the session of a frame of the %s is refused what its page does not do', async (_, others, shown) => {
  const { session } = await opened((await embedded((await apiToken()).token, shown)).data.token)
  // Signing out is one of the page's calls, and the last one.
  const calls = Object.entries(ENDPOINTS).filter(([name]) => name !== 'logout')
  for (const [name, endpoint] of [...calls, ['logout', logout] as const]) {
    const answer = await asked(session, endpoint, '', endpoint.method === 'GET' ? undefined : {})
    const isRefused = REFUSED_IN_FRAMES.has(name) || others.has(name)
    if (isRefused) expect([name, answer.code]).toEqual([name, FAULTS.embeddedCannot.code])
    else expect([name, answer.code]).not.toEqual([name, FAULTS.embeddedCannot.code])
  }
})

test.each([
  REFUSED_PATH,
  MALFORMED_PATH,
  SUPPRESSION_EXPORT_PATH,
  CROWD_EXPORT_PATH,
  RULE_LIST_EXPORT_PATH,
  CUSTOM_LIST_EXPORT_PATH,
  ACTIVITY_EXPORT_PATH,
  DAY_REPORT_EXPORT_PATH,
])('a frame’s session downloads nothing: %s', async (path) => {
  const { session } = await opened((await embedded((await apiToken()).token)).data.token)
  const headers = { authorization: `Bearer ${session}` }
  const answer = await app.app.inject({ url: path.replace('{id}', '1'), headers })
  expect(answer.json().code).toBe(FAULTS.embeddedCannot.code)
})

test('a frame of a member who may only look changes nothing', async () => {
  const { list } = await app.admin.get(listViewers)
  const id = list.find((one) => one.username === '运营')?.id ?? 0
  await app.admin.get(updateViewer, { params: { id }, body: { read_only_adv_ids: [adv] } })
  const { session } = await opened((await embedded((await apiToken()).token)).data.token)
  expect((await asked(session, listTags, `?adv_id=${adv}`)).code).toBe(0)
  expect((await asked(session, openRule, '', { advId: adv })).code).toBe(FAULTS.readOnly.code)
})

test('only listed sites may embed; without EMBED_ORIGINS none may', async () => {
  for (const origin of [undefined, 'https://evil.test']) {
    const answer = await app.admin.call(createEmbedToken, { body: { adv_id: adv, origin } })
    expect(answer.msg).toBe('origin 要写成 EMBED_ORIGINS 中的一个：https://ads.test、https://other.test')
  }
  const off = embedService({ db, embedOrigins: [], publicUrl: undefined })
  const { token } = await app.admin.get(createEmbedToken, { body: { adv_id: adv, origin: HOST } })
  await expect(off.openSession(token, { address: '', agent: '' })).rejects.toThrow(FAULTS.embedTokenGone.msg)
})

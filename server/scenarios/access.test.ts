import { afterAll, beforeAll, expect, test } from 'vitest'
import { createActivity } from '#contract/activity.ts'
import { saveActivityAsset } from '#contract/activity-asset.ts'
import { ID_MAX } from '#contract/common.ts'
import { changesSomething, type Endpoint } from '#contract/endpoint.ts'
import { FAULTS } from '#contract/errors.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { addProduct } from '#contract/product.ts'
import { addRegionPlan } from '#contract/region-plan.ts'
import { makeReportLink } from '#contract/report-link.ts'
import { ATTRIBUTE_TAG } from '#contract/tag.ts'
import { addTemplate } from '#contract/targeting-template.ts'
import { listViewers, updateViewer } from '#contract/viewer.ts'
import { routesOf } from '../app.ts'
import { aCrowd, anAdvertiser, aTag, leaf, tagged } from '../testing/builders.ts'
import type { Caller } from '../testing/caller.ts'
import { aChild, aCustomCrowd } from '../testing/custom-crowds.ts'
import { COMMERCE, SOCIAL } from '../testing/platforms.ts'
import { aCommerceAccount, aPackage } from '../testing/targeting.ts'
import { testApp } from '../testing/test-app.ts'
import { now } from '../time/clock.ts'

const app = await testApp()
afterAll(() => app.close())

interface OthersIds {
  adv_id: number
  tag: number
  category: number
  crowd: number
  rId: number
  task: number
  import: number
  viewer: number
  session: number
  token: number
  upload: string
  crowdUpload: string
  custom: number
  child: number
  account: number
  outcome: number
  push: number
  webhook: number
  writeKey: number
  /** An account of a platform with targeting packages, and a package of it. */
  commerce: number
  targeting: number
  /** A template of the advertiser. */
  template: number
  regionPlan: number
  forgetting: number
  activity: number
  plan: number
  activityAsset: number
  reportLink: number
  product: number
}
type Input = { params?: object; query?: object; body?: object }

/**
 * For each call that names something of an advertiser or of another viewer: the input a stranger would send. A call is
 * either here or in CALLS_WITHOUT_OWNER.
 */
const definition = { kind: 'attribute', attribute: 'city', condition: { is: 'exists' } }
const CALLS_ON_OTHERS: Record<string, (ids: OthersIds) => Input> = {
  getTagTree: ({ adv_id }) => ({ query: { adv_id } }),
  listTags: ({ adv_id }) => ({ query: { adv_id } }),
  createTag: ({ adv_id, category }) => ({ body: { adv_id, name: '偷', category_id: category, definition } }),
  updateTag: ({ tag }) => ({ params: { id: tag }, body: { name: '偷' } }),
  deleteTag: ({ tag }) => ({ params: { id: tag } }),
  listDeletedRuleCrowds: ({ adv_id }) => ({ query: { adv_id } }),
  listDeletedCustomCrowds: ({ adv_id }) => ({ query: { adv_id } }),
  deleteTags: ({ tag, adv_id }) => ({ body: { adv_id, ids: [tag] } }),
  hideTags: ({ tag, adv_id }) => ({ body: { adv_id, ids: [tag], hidden: true } }),
  moveTags: ({ tag, adv_id, category }) => ({ body: { adv_id, ids: [tag], category_id: category } }),
  getCategoryUsage: ({ category }) => ({ params: { id: category } }),
  getTagUsage: ({ tag }) => ({ params: { id: tag } }),
  previewTag: ({ adv_id }) => ({ body: { adv_id, definition } }),
  rebuildTags: ({ adv_id }) => ({ body: { adv_id } }),
  listCategories: ({ adv_id }) => ({ query: { adv_id } }),
  createCategory: ({ adv_id }) => ({ body: { adv_id, name: '偷', icon: 'other', tag_type: ATTRIBUTE_TAG } }),
  updateCategory: ({ category }) => ({ params: { id: category }, body: { name: '偷' } }),
  deleteCategory: ({ category }) => ({ params: { id: category } }),
  listFields: ({ adv_id }) => ({ query: { adv_id } }),
  getAttribute: ({ adv_id }) => ({ query: { adv_id, name: 'city' } }),
  updateAttribute: ({ adv_id }) => ({ body: { adv_id, name: 'city', display_name: '偷' } }),
  deleteAttribute: ({ adv_id }) => ({ query: { adv_id, name: 'city' } }),
  getEvent: ({ adv_id }) => ({ query: { adv_id, name: 'pay' } }),
  getPropertyValues: ({ adv_id }) => ({ query: { adv_id, name: 'pay', property: 'price' } }),
  updateEvent: ({ adv_id }) => ({ body: { adv_id, name: 'pay', display_name: '偷' } }),
  listFieldValues: ({ adv_id }) => ({ query: { adv_id, attribute: 'city' } }),

  setCrowdUpdates: ({ crowd }) => ({ params: { id: crowd }, body: { schedule: { every: 'day', hour: 8 } } }),
  getRuleCrowd: ({ crowd }) => ({ params: { id: crowd } }),
  createRuleCrowd: ({ rId }) => ({ body: { rId, name: '偷', invalidTime: now() + 86_400, dirId: 1 } }),
  updateRuleCrowd: ({ crowd }) => ({ params: { id: crowd }, body: { name: '偷', ver: 1 } }),
  deleteRuleCrowd: ({ crowd }) => ({ params: { id: crowd } }),
  deleteRuleCrowds: ({ crowd }) => ({ body: { ids: [crowd] } }),
  restoreRuleCrowds: ({ crowd }) => ({ body: { ids: [crowd] } }),
  moveRuleCrowds: ({ crowd }) => ({ body: { ids: [crowd], dirId: 1 } }),
  copyRuleCrowd: ({ crowd }) => ({ params: { id: crowd } }),
  computeRuleCrowd: ({ crowd }) => ({ params: { id: crowd } }),
  getRuleCrowdQuota: ({ adv_id }) => ({ query: { advertiser_id: adv_id } }),
  checkCrowdUse: ({ crowd }) => ({ body: { type: 1, crowd_id: crowd } }),
  checkRuleCrowdApplied: ({ crowd }) => ({ body: { people_id: crowd } }),
  openRule: ({ adv_id, rId }) => ({ body: { advId: adv_id, from: rId } }),
  getRule: ({ rId }) => ({ params: { rId } }),
  storeRule: ({ rId, adv_id, tag }) => ({
    params: { rId },
    body: { advId: adv_id, rule: leaf('a', 'n', tagged(tag)) },
  }),
  storeRuleByPost: (ids) => CALLS_ON_OTHERS.storeRule?.(ids) ?? {},
  countRule: (ids) => CALLS_ON_OTHERS.storeRule?.(ids) ?? {},

  listCustomCrowds: ({ adv_id }) => ({ query: { adv_id } }),
  getCustomCrowd: ({ custom }) => ({ query: { id: custom } }),
  addCustomCrowd: ({ adv_id }) => ({
    body: { user_id_type: 'HASH_IMEI', name: '偷', dir_id: 1, adv_id, files: [{ name: 'a.txt', size: 1, uri: 'x' }] },
  }),
  updateCustomCrowd: ({ custom }) => ({ body: { id: custom, name: '偷' } }),
  compareControlGroups: ({ activity }) => ({ query: { campaign_id: activity } }),
  getControlGroup: ({ custom }) => ({ query: { kind: 'custom', id: custom } }),
  setControlGroup: ({ crowd }) => ({ body: { kind: 'rule', id: crowd, share: 10 } }),
  moveCustomCrowds: ({ custom }) => ({ body: { id: [custom], dir_id: 1 } }),
  deleteCustomCrowd: ({ custom, adv_id }) => ({ query: { id: custom, advertiser_id: adv_id } }),
  undeleteCustomCrowds: ({ custom }) => ({ body: { ids: [custom] } }),
  listCrowdFiles: ({ child }) => ({ query: { id: child, cnt_type: SOCIAL } }),
  listCrowdLogs: ({ custom }) => ({ query: { id: custom } }),
  restoreCrowdVersion: ({ custom }) => ({ body: { id: custom, version: 1 } }),
  getCustomQuota: ({ account }) => ({ query: { adv_id: account, cnt_type: SOCIAL } }),

  getAudiencePack: ({ child }) => ({ params: { cnt_type: SOCIAL }, query: { id: child } }),
  addAudiencePack: ({ custom, account }) => ({
    params: { cnt_type: SOCIAL },
    body: { id: custom, advertiser_id: account },
  }),
  updateAudiencePack: ({ child }) => ({ params: { cnt_type: SOCIAL }, body: { id: child } }),
  copyAudiencePack: ({ child, account }) => ({
    params: { cnt_type: SOCIAL },
    body: { id: child, advertiser_id: account },
  }),
  deleteAudiencePack: ({ child, account }) => ({
    params: { cnt_type: SOCIAL },
    query: { id: child, advertiser_id: account },
  }),
  getAudiencePackQuota: ({ account }) => ({ params: { cnt_type: SOCIAL }, query: { advertiser_id: account } }),

  checkNewTargeting: ({ commerce }) => ({ body: { targeting_name: '偷', dir_id: 1, advertiser_id: commerce } }),
  addTargeting: ({ commerce }) => ({
    body: { targeting_name: '偷', dir_id: 1, advertiser_id: commerce, targeting: { landing_type: 'LIVE' } },
  }),
  updateTargeting: ({ targeting }) => ({ body: { id: targeting, targeting_name: '偷' } }),
  getTemplate: ({ template }) => ({ query: { id: template } }),
  addTemplate: ({ targeting }) => ({ body: { package_id: targeting, name: '偷' } }),
  renameTemplate: ({ template }) => ({ body: { id: template, name: '偷' } }),
  addRegionPlan: ({ commerce }) => ({ body: { advertiser_id: commerce, name: '偷', regions: ['110000'] } }),
  renameRegionPlan: ({ regionPlan }) => ({ body: { id: regionPlan, name: '偷' } }),
  deleteRegionPlan: ({ regionPlan }) => ({ body: { id: regionPlan } }),
  deleteTemplate: ({ template }) => ({ body: { id: template } }),
  previewTargetingCopy: ({ targeting, commerce }) => ({ body: { id: targeting, advertiser_id: commerce } }),
  copyTargeting: ({ targeting }) => ({ body: { id: targeting } }),
  getTargeting: ({ targeting }) => ({ query: { id: targeting } }),
  deleteTargetings: ({ targeting }) => ({ query: { id: targeting } }),
  moveTargetings: ({ targeting }) => ({ body: { id: [targeting], dir_id: 1 } }),
  getTargetingQuota: ({ commerce }) => ({ query: { advertiser_id: commerce } }),
  listTargetingHistory: ({ targeting }) => ({ query: { id: targeting } }),
  getTags: ({ commerce }) => ({ query: { advertiser_id: commerce, type: 'REGION' } }),
  findTags: ({ commerce }) => ({ body: { advertiser_id: commerce, type: 'REGION' } }),
  estimateReach: ({ commerce }) => ({ body: { advertiser_id: commerce, targeting: { landing_type: 'LIVE' } } }),
  getEstimateGoals: ({ commerce }) => ({ query: { advertiser_id: commerce } }),
  setEstimateGoals: ({ commerce }) => ({ body: { advertiser_id: commerce, LIVE: null, VIDEO: null } }),
  listTargetingCrowds: ({ commerce }) => ({ query: { advertiser_id: commerce } }),
  restoreTargeting: ({ targeting }) => ({ body: { id: targeting, ver: 1 } }),
  syncTargeting: ({ targeting }) => ({ body: { id: targeting } }),
  adoptTargeting: ({ targeting }) => ({ body: { id: targeting } }),
  overwriteTargeting: ({ targeting }) => ({ body: { id: targeting } }),
  refreshTargetings: ({ commerce }) => ({ body: { advertiser_id: commerce } }),

  compareActivities: ({ activity }) => ({ query: { id: activity } }),
  listReportLinks: ({ activity }) => ({ query: { campaign_id: activity } }),
  makeReportLink: ({ activity }) => ({ body: { campaign_id: activity, days: 7 } }),
  revokeReportLink: ({ reportLink }) => ({ query: { id: reportLink } }),
  getDayReport: ({ activity }) => ({ query: { campaign_id: activity } }),
  listDayMarks: ({ activity }) => ({ query: { campaign_id: activity } }),
  getReportSync: ({ activity }) => ({ query: { campaign_id: activity } }),
  listUnlinkedPlans: ({ adv_id }) => ({ query: { adv_id } }),
  syncReports: ({ activity }) => ({ body: { campaign_id: activity } }),
  getActivity: ({ activity }) => ({ query: { campaign_id: activity } }),
  createActivity: ({ adv_id }) => ({ body: { advertiser_id: adv_id, name: '偷' } }),
  findSameName: ({ adv_id }) => ({ query: { adv_id, name: '偷' } }),
  updateActivity: ({ activity }) => ({ body: { id: activity, ver: 1, name: '偷' } }),
  switchActivity: ({ activity }) => ({ body: { id: activity, is_open: 1 } }),
  switchPlan: ({ plan }) => ({ body: { id: plan, is_open: 0 } }),
  deleteActivity: ({ activity }) => ({ query: { campaign_id: activity } }),
  retryPlan: ({ plan }) => ({ body: { id: plan } }),
  settlePlan: ({ plan }) => ({ body: { id: plan, keep: 'ours' } }),
  setPlanOperator: ({ commerce }) => ({ body: { account_id: commerce, user_token: 'x' } }),
  copyActivity: ({ activity }) => ({ body: { id: activity } }),
  listActivityLog: ({ activity }) => ({ query: { campaign_id: activity } }),
  saveActivityAsset: ({ activity }) => ({ body: { id: activity, name: '偷' } }),
  startFromAsset: ({ activityAsset }) => ({ body: { valuable_id: activityAsset } }),
  deleteActivityAsset: ({ activityAsset }) => ({ query: { valuable_id: activityAsset } }),
  listProducts: ({ adv_id }) => ({ query: { adv_id } }),
  addProduct: ({ adv_id }) => ({ body: { adv_id, name: '偷' } }),
  deleteProduct: ({ product }) => ({ query: { id: product } }),
  listPlanCrowds: ({ account }) => ({ query: { account_id: account } }),

  previewImport: ({ upload }) => ({ body: { upload_id: upload, kind: 'users' } }),
  startImport: ({ adv_id, upload }) => ({
    body: { adv_id, upload_id: upload, mapping: { kind: 'users', id: 'row' } },
  }),
  getImport: (ids) => ({ params: { id: ids.import } }),
  previewUndo: (ids) => ({ params: { id: ids.import } }),
  undoImport: (ids) => ({ params: { id: ids.import } }),

  signUpload: (ids) => ({ params: { uri: ids.crowdUpload }, body: { step: 'create' } }),
  finishUpload: (ids) => ({ params: { uri: ids.crowdUpload } }),
  removeUpload: (ids) => ({ params: { uri: ids.crowdUpload } }),
  createUpload: () => ({ body: { name: 'a.txt', size: 1, prefix: 'crowd-uploads/999/0123456789abcdef/' } }),

  retryTask: ({ task }) => ({ params: { id: task } }),
  seeTasks: ({ task }) => ({ body: { ids: [task] } }),
  endSession: ({ session }) => ({ params: { id: session } }),
  deleteToken: ({ token }) => ({ params: { id: token } }),

  createEmbedToken: ({ adv_id }) => ({ body: { adv_id } }),

  startAuthorisation: ({ adv_id }) => ({ body: { adv_id, platform: SOCIAL } }),
  getAuthorisationOutcome: ({ outcome }) => ({ params: { id: outcome } }),
  revokeAuthorisation: ({ account }) => ({ params: { id: account } }),

  checkPush: ({ custom, account }) => ({
    body: { source: { kind: 'custom', id: custom }, cnt_type: SOCIAL, account_id: account },
  }),
  startPush: ({ custom, account }) => ({ params: { cnt_type: SOCIAL }, body: { id: custom, advertiser_id: account } }),
  listPushes: ({ custom }) => ({ query: { id: custom } }),
  getPush: ({ push }) => ({ params: { id: push } }),
  cancelPush: ({ push }) => ({ params: { id: push } }),
  startPushes: ({ custom, account }) => ({
    body: { source: { kind: 'custom', id: custom }, accounts: [{ cnt_type: SOCIAL, account_id: account }] },
  }),
  retryPush: ({ push }) => ({ params: { id: push } }),
  setKeepsStep: ({ child }) => ({ params: { id: child }, body: { keeps_step: true } }),
  listRuleChildren: ({ crowd }) => ({ query: { id: crowd } }),
  listSuppression: ({ adv_id }) => ({ query: { adv_id } }),
  listLinkUsers: ({ adv_id }) => ({ query: { adv_id } }),
  forgetPerson: ({ adv_id }) => ({ body: { adv_id, oneID: 'u1', confirm: 'u1' } }),
  listForgettings: ({ adv_id }) => ({ query: { adv_id } }),
  getForgetting: ({ forgetting }) => ({ params: { id: forgetting } }),
  getLinkUser: ({ adv_id }) => ({ query: { adv_id, oneID: 'u1' } }),
  compareRule: ({ crowd }) => ({
    params: { id: crowd },
    body: { rule: { id: 'n1', op: 'n', subTags: [], exps: [] } },
  }),
  getCrowdProfile: ({ crowd }) => ({ params: { id: crowd } }),
  getCrowdColumns: ({ crowd }) => ({ params: { id: crowd } }),
  getCrowdSizes: ({ crowd }) => ({ params: { id: crowd } }),
  getCrowdChanges: ({ crowd }) => ({ params: { id: crowd }, query: { from: 1, to: 1 } }),
  countOverlap: ({ crowd, custom }) => ({ body: { ids: [crowd, custom] } }),
  getLinkUserProfile: ({ adv_id }) => ({ query: { adv_id, oneID: 'u1' } }),
  explainLinkUser: ({ adv_id, crowd }) => ({ query: { adv_id, oneID: 'u1', crowd_id: crowd } }),
  addSuppression: ({ adv_id }) => ({ body: { adv_id, type: 'QQ', lines: ['12345'] } }),
  remarkAccount: ({ account }) => ({ params: { id: account }, body: { remark: '备注' } }),
  addSuppressedCrowd: ({ adv_id }) => ({ body: { adv_id, crowd_id: 1 } }),
  removeSuppressionEntries: ({ adv_id }) => ({ body: { adv_id, count: 0 } }),
  removeSuppression: ({ adv_id }) => ({ body: { adv_id, type: 'QQ', values: ['12345'] } }),
  getConsent: ({ adv_id }) => ({ query: { adv_id } }),
  setConsent: ({ adv_id }) => ({ body: { adv_id, attribute: null, refused_values: [] } }),
  listWebhooks: ({ adv_id }) => ({ query: { adv_id } }),
  saveWebhook: ({ adv_id, webhook }) => ({ body: { id: webhook, adv_id, kind: 'json' } }),
  deleteWebhook: ({ webhook }) => ({ params: { id: webhook } }),
  tryWebhook: ({ webhook }) => ({ params: { id: webhook } }),
  listWriteKeys: ({ adv_id }) => ({ query: { adv_id } }),
  makeWriteKey: ({ adv_id }) => ({ body: { adv_id, name: '密钥' } }),
  showWriteKey: ({ writeKey }) => ({ params: { id: writeKey } }),
  revokeWriteKey: ({ writeKey }) => ({ params: { id: writeKey } }),
  listLately: ({ adv_id }) => ({ query: { adv_id } }),

  // For admins only.
  listViewers: () => ({}),
  createViewer: () => ({ body: { username: '偷', password: 'long-enough' } }),
  updateViewer: ({ viewer }) => ({ params: { id: viewer }, body: { is_admin: true } }),
  deleteViewer: ({ viewer }) => ({ params: { id: viewer } }),
  resetViewerPassword: ({ viewer }) => ({ params: { id: viewer }, body: { password: 'long-enough' } }),
  createAdvertiser: () => ({ body: { name: '偷' } }),
  renameAdvertiser: ({ adv_id }) => ({ params: { id: adv_id }, body: { name: '偷' } }),
}

/** Calls that name nothing with an owner: public calls, lists of one's own, and the folders, which all share. */
const CALLS_WITHOUT_OWNER = new Set([
  'getConsole',
  'login',
  'logout',
  'openEmbedSession',
  'openReportLink',
  'openReportLinkControl',
  'getViewer',
  'changePassword',
  'listSessions',
  'listTokens',
  'createToken',
  'listAdvertisers',
  'listAdvertiserData',
  'listPlatforms',
  'listAssetFolders',
  'createAssetFolder',
  'updateAssetFolder',
  'deleteAssetFolder',
  'deleteAssetFolders',
  'listCustomFolders',
  'getCustomFolder',
  'createCustomFolder',
  'updateCustomFolder',
  'deleteCustomFolder',
  'listAudiencePacks',
  'getTargetingOptions',
  'listLandingTypes',
  'listTargetings',
  'listTemplates',
  'listActivities',
  'totalActivities',
  'listReportMarks',
  'listActivityTrends',
  'listActivityAssets',
  'getColumns',
  'listPlanPlatforms',
  'chooseColumns',
  'listRuleCrowds',
  'listCreators',
  'listImports',
  'listTasks',
  'getUploadCredentials',
  'searchEverything',
])

/** Lists of one's own, which must contain nothing of others, even when asked for by id. */
const LISTS: Record<string, (ids: OthersIds) => Input> = {
  listAdvertisers: ({ adv_id }) => ({ query: { adv_id } }),
  listAdvertiserData: () => ({}),
  listRuleCrowds: () => ({ query: { page_size: 100 } }),
  listAudiencePacks: () => ({ params: { cnt_type: SOCIAL } }),
  listTargetings: () => ({ body: { platform: COMMERCE } }),
  listTemplates: () => ({ query: { platform: COMMERCE } }),
  listActivities: ({ activity }) => ({ query: { id: activity } }),
  totalActivities: ({ activity }) => ({ query: { id: activity } }),
  listReportMarks: ({ activity }) => ({ query: { campaign_id: activity } }),
  listActivityTrends: ({ activity }) => ({ query: { campaign_id: activity } }),
  listActivityAssets: () => ({}),
  listCreators: () => ({}),
  listImports: () => ({}),
  listTasks: () => ({}),
  searchEverything: () => ({ query: { q: '机密' } }),
}

/** Those that answer people and sums alone. */
const NAMELESS = new Set(['listCreators', 'totalActivities', 'listReportMarks', 'listActivityTrends'])

let ids: OthersIds
let stranger: Caller
let member: Caller
/** A member of the advertiser who may only look. */
let reader: Caller

beforeAll(async () => {
  const { db } = app.stores.postgres
  const adv_id = await anAdvertiser(app, '机密广告主')
  const tag = await aTag(app, adv_id, [1, 2, 3], '机密标签')
  const { id: crowd, rId } = await aCrowd(app, adv_id, leaf('a', 'n', tagged(tag)), { name: '机密人群' })
  await app.settled()
  const { category_id: category } = await db
    .selectFrom('tag')
    .select('category_id')
    .where('id', '=', tag)
    .executeTakeFirstOrThrow()
  const { id: task } = await db.selectFrom('task').select('id').executeTakeFirstOrThrow()
  const { id: viewer } = await db.selectFrom('viewer').select('id').executeTakeFirstOrThrow()
  const { id: session } = await db.selectFrom('session').select('id').executeTakeFirstOrThrow()
  const { id: token } = await db
    .insertInto('api_token')
    .values({ viewer_id: viewer, name: '机密', token_hash: 'x', tail: 'xxxx', created_at: now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: made } = await db
    .insertInto('import')
    .values({
      adv_id,
      kind: 'users',
      file_name: '机密.csv',
      size: 1,
      mapping: JSON.stringify({ kind: 'users', id: 'row', identifiers: [], skip: [] }),
      status: 'done',
      created_at: now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: account } = await db
    .insertInto('platform_account')
    .values({ adv_id, platform: SOCIAL, external_id: '机密账户', name: '机密账户', scope_list: '["all"]' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: outcome } = await db
    .insertInto('oauth_state')
    .values({
      state_hash: 'x',
      viewer_id: viewer,
      adv_id,
      platform: SOCIAL,
      back: '/',
      redirect_uri: '/',
      created_at: now(),
      expires_at: now(),
      result: JSON.stringify({ platform: SOCIAL, adv_id, error: '机密', accounts: [], lost: [], elsewhere: [] }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const crowdUpload = 'a'.repeat(32)
  await db
    .insertInto('upload')
    .values({
      id: crowdUpload,
      viewer_id: viewer,
      name: '机密.txt',
      size: 1,
      store: 'tus',
      object_key: null,
      multipart_id: null,
      crowd_file_id: null,
      created_at: now(),
    })
    .execute()
  const custom = await aCustomCrowd(app, adv_id, [{ name: '机密.txt', content: 'x' }], { name: '机密上传' })
  const child = await aChild(app, custom, account, SOCIAL)
  const { id: push } = await db
    .insertInto('push')
    .values({ child_id: child, version: 1, status: 'failed', step: 'plan', state: '{}', created_at: now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: webhook } = await db
    .insertInto('webhook')
    .values({ adv_id, kind: 'json', url: app.stores.secrets.seal('https://example.com/机密'), is_on: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: writeKey } = await app.services.writeKeys.make(null, { adv_id, kind: 'server', name: '机密密钥' })
  const commerce = await aCommerceAccount(app, adv_id, '机密店铺')
  const targeting = await aPackage(app, commerce, { targeting_name: '机密定向包' })
  const { id: template } = await app.admin.get(addTemplate, { body: { package_id: targeting, name: '机密模板' } })
  const { id: regionPlan } = await app.admin.get(addRegionPlan, {
    body: { advertiser_id: commerce, name: '机密地域包', regions: ['110000'] },
  })
  const { id: activity } = await app.admin.get(createActivity, {
    body: { advertiser_id: adv_id, name: '机密活动', plans: [{ name: '机密计划', platform: SOCIAL }] },
  })
  const { id: plan } = await db.selectFrom('campaign_plan').select('id').executeTakeFirstOrThrow()
  // Reports of its account were never read, which a mark says.
  await db.updateTable('campaign_plan').set({ account_id: account, plan_id: '7' }).execute()
  await db.updateTable('platform_account').set({ authorised_at: 1 }).where('id', '=', account).execute()
  const asset = { id: activity, name: '机密资产' }
  const { valuable_id: activityAsset } = await app.admin.get(saveActivityAsset, { body: asset })
  const { id: reportLink } = await app.admin.get(makeReportLink, { body: { campaign_id: activity, days: 7 } })
  const { id: product } = await app.admin.get(addProduct, { body: { adv_id, name: '机密产品' } })
  const { id: forgetting } = await db
    .insertInto('forget')
    .values({ adv_id, token: 'x', person: 1, viewer_id: null, status: 'done', asked_at: now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  ids = {
    adv_id,
    tag,
    category,
    crowd,
    rId,
    task,
    import: made,
    viewer,
    session,
    token,
    upload: 'someone-elses',
    crowdUpload,
    custom,
    child,
    account,
    outcome,
    push,
    webhook,
    writeKey,
    commerce,
    targeting,
    template,
    regionPlan,
    forgetting,
    activity,
    plan,
    activityAsset,
    reportLink,
    product,
  }
  stranger = await app.viewer('stranger', [await anAdvertiser(app, '别家')])
  member = await app.viewer('member', [adv_id])
  reader = await app.viewer('reader', [adv_id])
  const { list } = await app.admin.get(listViewers)
  const id = list.find(({ username }) => username === 'reader')?.id ?? 0
  await app.admin.get(updateViewer, { params: { id }, body: { read_only_adv_ids: [adv_id] } })
})

const all = Object.entries(ENDPOINTS)
const inputOf = (name: string): Input => (CALLS_ON_OTHERS[name] ?? LISTS[name])?.(ids) ?? {}
const call = (caller: Caller, endpoint: Endpoint, input: Input) => caller.call(endpoint, input as never)

test('every call of the contract is served exactly once', () => {
  const served = routesOf(app.services, app.stores.settings).map(({ endpoint: e }) => `${e.method} ${e.path}`)
  expect(served.toSorted()).toEqual(all.map(([, e]) => `${e.method} ${e.path}`).toSorted())
  expect(new Set(served).size).toBe(served.length)
})

/** The routes of a server by path, in the contract's spelling, read from Fastify's tree of routes. */
function servedRoutes(tree: string): string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│├└─ ]*)(.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    const depth = indent.length / 4 - 1
    above.splice(depth, above.length, part)
    const path = above.join('').replace(/:(\w+)/g, '{$1}')
    return methods.split(', ').flatMap((method) => (method ? [`${method} ${path}`] : []))
  })
}

test('every route under /api and /v1 is in the API document, and the document has no other', () => {
  const { paths = {} } = app.app.swagger()
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const served = servedRoutes(app.app.printRoutes({ commonPrefix: false }))
    .filter((route) => /^[A-Z]+ \/(api|v1)\//.test(route))
    // The document itself, and the pages of the sandbox.
    .filter((route) => !/ \/api\/(docs|oauth\/sandbox)(\/|$)/.test(route))
    // Browsers ask with it before the tracking calls.
    .filter((route) => !route.startsWith('OPTIONS '))
    // Fastify answers HEAD wherever there is a GET.
    .filter((route, _, all) => !route.startsWith('HEAD ') || !all.includes(route.replace('HEAD', 'GET')))
  expect(served.toSorted()).toEqual(described.toSorted())
})

test('every call is listed in this test', () => {
  expect(
    all.map(([name]) => name).filter((name) => !(name in CALLS_ON_OTHERS) && !CALLS_WITHOUT_OWNER.has(name)),
  ).toEqual([])
})

test.each(all.filter(([, e]) => e.access !== 'public'))(
  'a caller who is not signed in is refused: %s',
  async (name, endpoint) => {
    expect(await call(app.nobody, endpoint, inputOf(name))).toMatchObject({ status: 401, code: FAULTS.signedOut.code })
  },
)

test.each(all.filter(([name]) => name in CALLS_ON_OTHERS))('a stranger is refused: %s', async (name, endpoint) => {
  const answer = await call(stranger, endpoint, inputOf(name))
  expect([403, 404]).toContain(answer.status)
  expect(JSON.stringify(answer)).not.toContain('机密')
})

test.each(all.filter(([name]) => name in CALLS_ON_OTHERS))(
  'a stranger cannot tell what others have from what nobody has: %s',
  async (name, endpoint) => {
    const nobodys = Object.fromEntries(
      Object.entries(ids).map(([key, id]) => [key, typeof id === 'number' ? ID_MAX : 'f'.repeat(id.length)]),
    ) as unknown as OthersIds
    const said = async (of: OthersIds) => {
      const { status, code, msg } = await call(stranger, endpoint, CALLS_ON_OTHERS[name]?.(of) ?? {})
      return { status, code, msg }
    }
    expect(await said(ids)).toEqual(await said(nobodys))
  },
)

test.each(all.filter(([name]) => name in LISTS))('a stranger sees nothing of others in %s', async (name, endpoint) => {
  const answer = await call(stranger, endpoint, inputOf(name))
  expect(answer.code).toBe(0)
  expect(JSON.stringify(answer)).not.toContain('机密')
  // Otherwise there was nothing to see.
  const theirs = await call(member, endpoint, inputOf(name))
  if (NAMELESS.has(name)) expect(theirs.data).not.toEqual(answer.data)
  else expect(JSON.stringify(theirs)).toContain('机密')
})

/** Calls on things of the caller's own, or for admins: what one may do in an advertiser does not matter. */
const NOT_OF_AN_ADVERTISER = new Set([
  ...['previewImport', 'signUpload', 'finishUpload', 'removeUpload', 'createUpload', 'endSession', 'deleteToken'],
])
const ofAdvertisers = all.filter(
  ([name, e]) => name in CALLS_ON_OTHERS && e.access !== 'admin' && !NOT_OF_AN_ADVERTISER.has(name),
)
const isForReaders = (e: Endpoint) => e.readers ?? !changesSomething(e)

test.each(ofAdvertisers.filter(([, e]) => !isForReaders(e)))(
  'a member who may only look is refused: %s',
  async (name, endpoint) => {
    const answer = await call(reader, endpoint, inputOf(name))
    expect(answer).toMatchObject({ status: 403, code: FAULTS.readOnly.code })
  },
)

test.each([...ofAdvertisers.filter(([, e]) => isForReaders(e)), ...all.filter(([name]) => name in LISTS)])(
  'a member who may only look sees what other members see: %s',
  async (name, endpoint) => {
    const [theirs, full] = [await call(reader, endpoint, inputOf(name)), await call(member, endpoint, inputOf(name))]
    expect([theirs.status, theirs.code]).toEqual([full.status, full.code])
    expect(theirs.code).not.toBe(FAULTS.notMember.code)
  },
)

test.each(all.filter(([, e]) => changesSomething(e)))('a foreign origin is refused: %s', async (name, endpoint) => {
  const input = inputOf(name)
  for (const headers of [
    { origin: 'https://evil.test' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://evil.test' },
    {},
  ]) {
    const answer = await app.app.inject({
      method: endpoint.method,
      url: endpoint.path.replace(/\{\w+\}/g, '1'),
      headers: { cookie: app.admin.cookie, ...headers },
      ...(input.body ? { payload: input.body } : {}),
    })
    expect(answer.json()).toMatchObject({ code: FAULTS.foreignOrigin.code })
  }
})

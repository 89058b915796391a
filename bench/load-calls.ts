// What the people of the load benchmark look at: every list, chart and page of the console.
import * as activity from '#contract/activity.ts'
import { listActivityAssets } from '#contract/activity-asset.ts'
import { getColumns } from '#contract/activity-columns.ts'
import { compareActivities, listActivities, totalActivities } from '#contract/activity-list.ts'
import { listActivityLog } from '#contract/activity-log.ts'
import { listPlanCrowds, listPlanPlatforms } from '#contract/activity-plan.ts'
import { listActivityTrends } from '#contract/activity-trends.ts'
import { listAdvertiserData, listAdvertisers } from '#contract/advertiser.ts'
import { getCustomQuota, listRuleChildren } from '#contract/audience.ts'
import { getAudiencePack, getAudiencePackQuota, listAudiencePacks } from '#contract/audience-pack.ts'
import { listPlatforms } from '#contract/authorisation.ts'
import { compareControlGroups, getControlGroup } from '#contract/control-group.ts'
import { getCrowdColumns } from '#contract/crowd-export.ts'
import { countOverlap } from '#contract/crowd-overlap.ts'
import { getCrowdChanges, getCrowdProfile, getCrowdSizes } from '#contract/crowd-profile.ts'
import * as custom from '#contract/custom-crowd.ts'
import { getCustomFolder, listCustomFolders } from '#contract/custom-folder.ts'
import { getDayReport } from '#contract/day-report.ts'
import { type DataOf, type Endpoint, type InputOf, urlOf } from '#contract/endpoint.ts'
import { listAssetFolders } from '#contract/folder.ts'
import { listForgettings } from '#contract/forgetting.ts'
import * as imports from '#contract/import.ts'
import { getLinkUser, listLinkUsers } from '#contract/link-user.ts'
import { explainLinkUser, getLinkUserProfile } from '#contract/link-user-profile.ts'
import { isAudienceCode, type PlatformCode } from '#contract/platform.ts'
import { listProducts } from '#contract/product.ts'
import { getPush, listPushes } from '#contract/push.ts'
import * as report from '#contract/report.ts'
import { listReportLinks } from '#contract/report-link.ts'
import * as rule from '#contract/rule-crowd.ts'
import { searchEverything } from '#contract/search.ts'
import { getConsent, listSuppression } from '#contract/suppression.ts'
import * as tag from '#contract/tag.ts'
import { getCategoryUsage } from '#contract/tag-batch.ts'
import * as field from '#contract/tag-field.ts'
import { PACKAGE_CODES } from '#contract/targeting/package-codes.ts'
import { getEstimateGoals } from '#contract/targeting-estimate.ts'
import * as targeting from '#contract/targeting-package.ts'
import { getTags, listTargetingCrowds } from '#contract/targeting-tags.ts'
import { getTemplate, listTemplates } from '#contract/targeting-template.ts'
import { listTasks } from '#contract/task.ts'
import { listLately, listWriteKeys } from '#contract/tracking.ts'
import * as viewer from '#contract/viewer.ts'
import { listWebhooks } from '#contract/webhook.ts'
import type { answeredBy } from './http.ts'

type Answered = ReturnType<typeof answeredBy>

export interface Call {
  name: string
  path: string
  body?: object
}
/** A list, chart or page with the calls that show it of different things. */
export interface Look {
  name: string
  endpoint: Endpoint
  calls: Call[]
}

/** What there is to look at, of an advertiser. */
export interface Things {
  adv_id: number
  rules: { id: number; rId: number }[]
  customs: number[]
  /** A crowd with the versions that are compared. */
  versions: { id: number; from: number; to: number }[]
  accounts: { id: number; platform: PlatformCode }[]
  /** What was pushed to an account: the push, and the crowd there. */
  pushes: { id: number; child_id: number; account_id: number }[]
  people: string[]
  activities: number[]
  imports: number[]
  tags: number[]
  categories: number[]
  packages: number[]
  templates: number[]
  attributes: string[]
  events: { name: string; property: string }[]
  folders: number[]
}
const EACH = 8
const ACCOUNTS = 3

/** Calls that read and that nobody in the mix makes, each with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  getAuthorisationOutcome: 'shown once, to the person who has just authorised',
  getForgetting: 'nobody of the demo was forgotten; that would go on in the background for hours',
}

/** Calls of the contract, with its types. */
export const calling =
  (answered: Answered) =>
  <E extends Endpoint>(endpoint: E, input: InputOf<E>) =>
    answered<DataOf<E>>(urlOf(endpoint, input), input.body as object | undefined, endpoint.method)

export async function thingsOf(answered: Answered, adv_id: number): Promise<Things> {
  const read = calling(answered)
  const { res: rules } = await read(rule.listRuleCrowds, { query: { adv_id, page_size: 20 } })
  const { list: customs } = await read(custom.listCustomCrowds, { query: { adv_id } })
  const { data: people } = await read(listLinkUsers, { query: { adv_id } })
  const { list: activities } = await read(listActivities, { query: { adv_id, per_page: 20 } })
  const { list: imported } = await read(imports.listImports, { query: { adv_id } })
  const { list: advertisers } = await read(listAdvertiserData, {})
  const { list: tags } = await read(tag.listTags, { query: { adv_id } })
  const { list: categories } = await read(tag.listCategories, { query: { adv_id } })
  const { attributes, events } = await read(field.listFields, { query: { adv_id } })
  const packages = await Promise.all(
    PACKAGE_CODES.map((platform) => read(targeting.listTargetings, { body: { platform, adv_id } })),
  )
  const folders = await read(listCustomFolders, {})
  const templates = await Promise.all(
    PACKAGE_CODES.map((platform) => read(listTemplates, { query: { platform, adv_id } })),
  )
  const pushes = await Promise.all(rules.map(({ id }) => read(listPushes, { query: { kind: 'rule', id } })))
  const versions = await Promise.all(
    [...rules, ...customs].map(async ({ id }) => {
      const { sizes } = await read(getCrowdSizes, { params: { id } })
      const [from, to] = sizes.filter(({ has_members }) => has_members).map(({ version }) => version)
      return from !== undefined && to !== undefined ? [{ id, from, to }] : []
    }),
  )
  const idsOf = (list: readonly { id: number }[]) => list.map(({ id }) => id)
  const accounts = advertisers.find(({ id }) => id === adv_id)?.accounts ?? []
  return {
    adv_id,
    rules: rules.slice(0, EACH),
    customs: idsOf(customs).slice(0, EACH),
    versions: versions.flat().slice(0, EACH),
    pushes: pushes.flatMap(({ list }) => list).slice(0, EACH),
    templates: templates.flatMap(({ list }) => idsOf(list)).slice(0, EACH),
    accounts: accounts.map(({ id, platform }) => ({ id, platform })).slice(0, ACCOUNTS),
    people: people.map(({ oneID }) => oneID).slice(0, EACH),
    activities: idsOf(activities),
    imports: idsOf(imported).slice(0, ACCOUNTS),
    tags: idsOf(tags).slice(0, EACH),
    categories: idsOf(categories).slice(0, ACCOUNTS),
    packages: packages.flatMap(({ list }) => idsOf(list)).slice(0, EACH),
    attributes: attributes.map(({ name }) => name).slice(0, ACCOUNTS),
    events: events
      .flatMap(({ name, properties: [property] }) => (property ? [{ name, property }] : []))
      .slice(0, ACCOUNTS),
    folders: idsOf(folders).slice(0, ACCOUNTS),
  }
}

/** Every list, chart and page, of these things. */
export function looksAt(things: Things): Look[] {
  const { adv_id, rules, customs, versions, accounts, pushes, people, activities, tags, categories, packages } = things
  const look = <E extends Endpoint>(name: string, endpoint: E, ...inputs: InputOf<E>[]): Look => ({
    name,
    endpoint,
    calls: inputs.map((input) => ({
      name,
      path: urlOf(endpoint, input),
      ...(input.body === undefined ? {} : { body: input.body as object }),
    })),
  })
  const adv = { query: { adv_id } }
  const ofRules = rules.map(({ id }) => ({ params: { id } }))
  const ofCustoms = customs.map((id) => ({ query: { id } }))
  const ofAccounts = accounts.map(({ id }) => ({ query: { advertiser_id: id } }))
  const audiences = accounts.flatMap(({ id, platform }) =>
    isAudienceCode(platform) ? [{ query: { adv_id: id, cnt_type: platform } }] : [],
  )
  const ofAudiences = audiences.map(({ query }) => ({ query: { advertiser_id: query.adv_id } }))
  const authorised = [...new Set(pushes.map(({ account_id }) => account_id))].map((advertiser_id) => ({
    advertiser_id,
  }))
  const ofPeople = people.map((oneID) => ({ query: { adv_id, oneID } }))
  const ofActivities = activities.slice(0, EACH).map((campaign_id) => ({ query: { campaign_id } }))
  const ofPackages = packages.map((id) => ({ query: { id } }))
  const platforms = PACKAGE_CODES.map((platform) => ({ query: { platform } }))
  const [person = ''] = people
  return [
    look('部署方式', viewer.getConsole, {}),
    look('当前用户', viewer.getViewer, {}),
    look('登录会话', viewer.listSessions, {}),
    look('接口令牌', viewer.listTokens, {}),
    look('成员', viewer.listViewers, {}),
    look('任务', listTasks, {}),
    look('搜索', searchEverything, { query: { q: '女' } }),

    look('组合定向包', rule.listRuleCrowds, { query: { adv_id, page_size: 20 } }),
    look('组合定向包，按名称', rule.listRuleCrowds, { query: { adv_id, name: '女' } }),
    look('组合定向包详情', rule.getRuleCrowd, ...ofRules),
    look('规则', rule.getRule, ...rules.map(({ rId }) => ({ params: { rId } }))),
    look('已删除的组合定向包', rule.listDeletedRuleCrowds, adv),
    look('组合定向包配额', rule.getRuleCrowdQuota, { query: { advertiser_id: adv_id } }),
    look('创建人', rule.listCreators, { body: {} }, { body: { kind: 'activity' } }),
    look('人群画像', getCrowdProfile, ...ofRules),
    look('人群人数的变化', getCrowdSizes, ...ofRules),
    look(
      '两个版本之间的变化',
      getCrowdChanges,
      ...versions.map(({ id, from, to }) => ({ params: { id }, query: { from, to } })),
    ),
    look('导出名单的列', getCrowdColumns, ...ofRules),
    look('推送记录', listPushes, ...rules.map(({ id }) => ({ query: { kind: 'rule' as const, id } }))),
    look('一次推送', getPush, ...pushes.map(({ id }) => ({ params: { id } }))),
    look('规则人群的子人群', listRuleChildren, ...rules.map(({ id }) => ({ query: { id } }))),
    look('对照组', getControlGroup, ...rules.map(({ id }) => ({ query: { kind: 'rule' as const, id } }))),
    look('人群重叠', countOverlap, { body: { ids: rules.slice(0, 5).map(({ id }) => id) } }),
    look('人群资产的文件夹', listAssetFolders, {}),

    look('标签树', tag.getTagTree, adv),
    look('标签', tag.listTags, { query: { adv_id, page_size: 20 } }),
    look('标签的使用', tag.getTagUsage, ...tags.map((id) => ({ params: { id } }))),
    look('标签分类', tag.listCategories, adv),
    look('标签分类的使用', getCategoryUsage, ...categories.map((id) => ({ params: { id } }))),
    look('属性与事件', field.listFields, adv),
    look('属性', field.getAttribute, ...things.attributes.map((name) => ({ query: { adv_id, name } }))),
    look(
      '属性的值',
      field.listFieldValues,
      ...things.attributes.map((attribute) => ({ query: { adv_id, attribute } })),
    ),
    look('事件', field.getEvent, ...things.events.map(({ name }) => ({ query: { adv_id, name } }))),
    look('事件属性的值', field.getPropertyValues, ...things.events.map((one) => ({ query: { adv_id, ...one } }))),

    look('自定义人群', custom.listCustomCrowds, adv),
    look('自定义人群详情', custom.getCustomCrowd, ...ofCustoms),
    look('人群的文件', custom.listCrowdFiles, ...ofCustoms),
    look('更新记录', custom.listCrowdLogs, ...ofCustoms),
    look('已删除的自定义人群', custom.listDeletedCustomCrowds, adv),
    look('自定义人群的配额', getCustomQuota, ...audiences),
    look('自定义人群的文件夹', listCustomFolders, {}),
    look('一个文件夹', getCustomFolder, ...things.folders.map((id) => ({ params: { id } }))),
    look('人群包', listAudiencePacks, ...ofAudiences),
    look('一个人群包', getAudiencePack, ...pushes.map(({ child_id }) => ({ query: { id: child_id } }))),
    look('人群包配额', getAudiencePackQuota, ...ofAudiences),

    look('定向包', targeting.listTargetings, ...PACKAGE_CODES.map((platform) => ({ body: { platform, adv_id } }))),
    look('定向包详情', targeting.getTargeting, ...ofPackages),
    look('定向包的修改历史', targeting.listTargetingHistory, ...ofPackages),
    look('定向包的选项', targeting.getTargetingOptions, ...PACKAGE_CODES.map((platform) => ({ params: { platform } }))),
    look('定向包的类型', targeting.listLandingTypes, ...platforms),
    look('定向包配额', targeting.getTargetingQuota, ...ofAccounts),
    look('定向包模板', listTemplates, ...platforms),
    look('一个模板', getTemplate, ...things.templates.map((id) => ({ query: { id } }))),
    look('预估目标', getEstimateGoals, ...ofAccounts),
    look('地域', getTags, ...authorised.map((query) => ({ query: { ...query, type: 'REGION' as const } }))),
    look('账户的人群', listTargetingCrowds, ...authorised.map((query) => ({ query }))),

    look('用户列表', listLinkUsers, adv),
    look('用户行为', getLinkUser, ...ofPeople),
    look('个人档案', getLinkUserProfile, ...ofPeople),
    look(
      '为什么在人群里',
      explainLinkUser,
      ...rules.map(({ id }) => ({ query: { adv_id, oneID: person, crowd_id: id } })),
    ),
    look('删除记录', listForgettings, adv),

    look('活动列表', listActivities, { query: { adv_id, per_page: 20 } }),
    look('活动合计', totalActivities, adv),
    look('活动的列', getColumns, {}),
    look('活动趋势', listActivityTrends, { query: { campaign_id: activities.join() } }),
    look('对比活动', compareActivities, { query: { id: activities.slice(0, 5).join() } }),
    look('活动的标记', report.listReportMarks, { query: { campaign_id: activities.join() } }),
    look('报表同步', report.getReportSync, adv),
    look('没有关联的计划', report.listUnlinkedPlans, adv),
    look('活动资产', listActivityAssets, adv),
    look('产品', listProducts, adv),
    look('计划可用的人群', listPlanCrowds, ...accounts.map(({ id }) => ({ query: { account_id: id } }))),
    look('计划能做什么', listPlanPlatforms, {}),
    look('同名的活动', activity.findSameName, { query: { adv_id, name: '压测活动1' } }),
    look('活动', activity.getActivity, ...ofActivities),
    look('活动日志', listActivityLog, ...ofActivities),
    look('分日数据', getDayReport, ...ofActivities),
    look('每天的标记', report.listDayMarks, ...ofActivities),
    look('报表的链接', listReportLinks, ...ofActivities),
    look('对照组的对比', compareControlGroups, ...ofActivities),

    look('广告主授权', listAdvertiserData, {}),
    look('广告主', listAdvertisers, {}),
    look('平台的接入方式', listPlatforms, {}),
    look('导入记录', imports.listImports, adv),
    look('导入报告', imports.getImport, ...things.imports.map((id) => ({ params: { id } }))),
    look('撤销一次导入', imports.previewUndo, ...things.imports.map((id) => ({ params: { id } }))),
    look('实时上报', listLately, adv),
    look('写入密钥', listWriteKeys, adv),
    look('屏蔽名单', listSuppression, adv),
    look('不同意', getConsent, adv),
    look('推送通知', listWebhooks, adv),
  ]
}

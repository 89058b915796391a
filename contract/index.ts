import * as activity from './activity.ts'
import * as activityAsset from './activity-asset.ts'
import * as activityColumns from './activity-columns.ts'
import * as activityList from './activity-list.ts'
import * as activityLog from './activity-log.ts'
import * as activityPlan from './activity-plan.ts'
import * as activitySwitch from './activity-switch.ts'
import * as activityTrends from './activity-trends.ts'
import * as advertiser from './advertiser.ts'
import * as audience from './audience.ts'
import * as audiencePack from './audience-pack.ts'
import * as authorisation from './authorisation.ts'
import * as controlGroup from './control-group.ts'
import * as crowdExport from './crowd-export.ts'
import * as crowdOverlap from './crowd-overlap.ts'
import * as crowdProfile from './crowd-profile.ts'
import * as customCrowd from './custom-crowd.ts'
import * as customFolder from './custom-folder.ts'
import * as dayReport from './day-report.ts'
import * as embed from './embed.ts'
import type { Endpoint } from './endpoint.ts'
import * as folder from './folder.ts'
import * as forgetting from './forgetting.ts'
import * as imports from './import.ts'
import * as linkUser from './link-user.ts'
import * as linkUserProfile from './link-user-profile.ts'
import * as product from './product.ts'
import * as push from './push.ts'
import * as regionPlan from './region-plan.ts'
import * as report from './report.ts'
import * as reportLink from './report-link.ts'
import * as ruleCrowd from './rule-crowd.ts'
import * as search from './search.ts'
import * as suppression from './suppression.ts'
import * as tag from './tag.ts'
import * as tagBatch from './tag-batch.ts'
import * as tagField from './tag-field.ts'
import * as targetingCopy from './targeting-copy.ts'
import * as targetingEstimate from './targeting-estimate.ts'
import * as targetingMirror from './targeting-mirror.ts'
import * as targetingPackage from './targeting-package.ts'
import * as targetingTags from './targeting-tags.ts'
import * as targetingTemplate from './targeting-template.ts'
import * as task from './task.ts'
import * as tracking from './tracking.ts'
import * as upload from './upload.ts'
import * as viewer from './viewer.ts'
import * as webhook from './webhook.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'method' in value && 'data' in value

/** Every call of the API by name. OpenAPI is written from it, and a test checks that each is served exactly once. */
export const ENDPOINTS: Record<string, Endpoint> = Object.fromEntries(
  [
    viewer,
    embed,
    advertiser,
    authorisation,
    folder,
    customCrowd,
    customFolder,
    audience,
    audiencePack,
    push,
    controlGroup,
    suppression,
    forgetting,
    linkUser,
    linkUserProfile,
    webhook,
    tag,
    tagBatch,
    tagField,
    ruleCrowd,
    crowdProfile,
    crowdOverlap,
    crowdExport,
    targetingPackage,
    targetingMirror,
    targetingTemplate,
    targetingTags,
    regionPlan,
    targetingCopy,
    targetingEstimate,
    activityColumns,
    activityList,
    activityTrends,
    dayReport,
    activity,
    activitySwitch,
    activityPlan,
    activityAsset,
    activityLog,
    product,
    reportLink,
    report,
    imports,
    tracking,
    upload,
    task,
    search,
  ].flatMap((module) =>
    Object.entries(module)
      .filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1]))
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ),
)

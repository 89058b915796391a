import * as contract from '#contract/activity.ts'
import { deleteActivityAsset, listActivityAssets, saveActivityAsset, startFromAsset } from '#contract/activity-asset.ts'
import { chooseColumns, getColumns } from '#contract/activity-columns.ts'
import { compareActivities, listActivities, totalActivities } from '#contract/activity-list.ts'
import { listActivityLog } from '#contract/activity-log.ts'
import { listPlanCrowds, listPlanPlatforms, retryPlan, setPlanOperator, settlePlan } from '#contract/activity-plan.ts'
import { switchActivity, switchPlan } from '#contract/activity-switch.ts'
import { listActivityTrends } from '#contract/activity-trends.ts'
import { compareControlGroups } from '#contract/control-group.ts'
import { getDayReport } from '#contract/day-report.ts'
import { addProduct, deleteProduct, listProducts } from '#contract/product.ts'
import * as linkContract from '#contract/report-link.ts'
import { serve } from '../../http/serve.ts'
import type { ActivityService } from './service.ts'

export const activityRoutes = ({ assets, choices, links, there, exports: _, ...activities }: ActivityService) => [
  serve(listActivities, ({ viewer, query }) => activities.list(viewer, query)),
  serve(totalActivities, ({ viewer, query }) => activities.total(viewer, query)),
  serve(compareActivities, ({ viewer, query }) => activities.compare(viewer, query)),
  serve(listActivityTrends, ({ viewer, query }) => activities.trends(viewer, query)),
  serve(getDayReport, ({ viewer, query }) => activities.dayReport(viewer, query)),
  serve(compareControlGroups, ({ viewer, query }) => activities.compareControl(viewer, query)),
  serve(contract.getActivity, ({ viewer, query }) => activities.get(viewer, query.campaign_id)),
  serve(contract.findSameName, ({ viewer, query }) => choices.sameName(viewer, query)),
  serve(contract.createActivity, ({ viewer, body }) => activities.create(viewer, body)),
  serve(contract.updateActivity, ({ viewer, body }) => activities.update(viewer, body)),
  serve(switchActivity, ({ viewer, body }) => activities.switch(viewer, body)),
  serve(switchPlan, ({ viewer, body }) => activities.switchPlan(viewer, body)),
  serve(contract.deleteActivity, ({ viewer, query }) =>
    activities.remove(viewer, query.campaign_id, query.leave_running === '1'),
  ),
  serve(retryPlan, async ({ viewer, body }) => {
    await activities.retryPlan(viewer, body.id)
    return null
  }),
  serve(settlePlan, ({ viewer, body }) => activities.settlePlan(viewer, body)),
  serve(listPlanPlatforms, () => activities.planPlatforms()),
  serve(setPlanOperator, async ({ viewer, body }) => {
    await there.setOperator(viewer, body)
    return null
  }),
  serve(contract.copyActivity, ({ viewer, body }) => activities.copy(viewer, body.id)),
  serve(listActivityLog, ({ viewer, query }) => activities.log(viewer, query)),
  serve(linkContract.listReportLinks, ({ viewer, query }) => links.list(viewer, query.campaign_id)),
  serve(linkContract.makeReportLink, ({ viewer, body }) => links.make(viewer, body)),
  serve(linkContract.revokeReportLink, ({ viewer, query }) => links.revoke(viewer, query.id)),
  serve(linkContract.openReportLink, ({ body, from }) => links.open(body, from.address)),
  serve(linkContract.openReportLinkControl, ({ body }) => links.openControl(body)),
  serve(listActivityAssets, ({ viewer, query }) => assets.list(viewer, query)),
  serve(saveActivityAsset, ({ viewer, body }) => assets.save(viewer, body)),
  serve(startFromAsset, ({ viewer, body }) => assets.use(viewer, body.valuable_id)),
  serve(deleteActivityAsset, async ({ viewer, query }) => {
    await assets.remove(viewer, query.valuable_id)
    return null
  }),
  serve(listProducts, ({ viewer, query }) => assets.products(viewer, query.adv_id)),
  serve(addProduct, ({ viewer, body }) => assets.addProduct(viewer, body)),
  serve(deleteProduct, async ({ viewer, query }) => {
    await assets.removeProduct(viewer, query.id)
    return null
  }),
  serve(listPlanCrowds, ({ viewer, query }) => choices.crowds(viewer, query)),
  serve(getColumns, ({ viewer }) => choices.columns(viewer)),
  serve(chooseColumns, ({ viewer, body }) => choices.chooseColumns(viewer, body.keys)),
]

import * as contract from '#contract/activity.ts'
import { compareControlGroups } from '#contract/control-group.ts'
import * as linkContract from '#contract/report-link.ts'
import { serve } from '../../http/serve.ts'
import type { ActivityService } from './service.ts'

export const activityRoutes = ({ assets, choices, links, there, exports: _, ...activities }: ActivityService) => [
  serve(contract.listActivities, ({ viewer, query }) => activities.list(viewer, query)),
  serve(contract.totalActivities, ({ viewer, query }) => activities.total(viewer, query)),
  serve(contract.compareActivities, ({ viewer, query }) => activities.compare(viewer, query)),
  serve(contract.getDayReport, ({ viewer, query }) => activities.dayReport(viewer, query)),
  serve(compareControlGroups, ({ viewer, query }) => activities.compareControl(viewer, query)),
  serve(contract.getActivity, ({ viewer, query }) => activities.get(viewer, query.campaign_id)),
  serve(contract.createActivity, ({ viewer, body }) => activities.create(viewer, body)),
  serve(contract.updateActivity, ({ viewer, body }) => activities.update(viewer, body)),
  serve(contract.switchActivity, ({ viewer, body }) => activities.switch(viewer, body)),
  serve(contract.switchPlan, ({ viewer, body }) => activities.switchPlan(viewer, body)),
  serve(contract.deleteActivity, ({ viewer, query }) =>
    activities.remove(viewer, query.campaign_id, query.leave_running === '1'),
  ),
  serve(contract.retryPlan, async ({ viewer, body }) => {
    await activities.retryPlan(viewer, body.id)
    return null
  }),
  serve(contract.listPlanPlatforms, () => activities.planPlatforms()),
  serve(contract.setPlanOperator, async ({ viewer, body }) => {
    await there.setOperator(viewer, body)
    return null
  }),
  serve(contract.copyActivity, ({ viewer, body }) => activities.copy(viewer, body.id)),
  serve(contract.listActivityLog, ({ viewer, query }) => activities.log(viewer, query)),
  serve(linkContract.listReportLinks, ({ viewer, query }) => links.list(viewer, query.campaign_id)),
  serve(linkContract.makeReportLink, ({ viewer, body }) => links.make(viewer, body)),
  serve(linkContract.revokeReportLink, ({ viewer, query }) => links.revoke(viewer, query.id)),
  serve(linkContract.openReportLink, ({ body, from }) => links.open(body, from.address)),
  serve(contract.listActivityAssets, ({ viewer, query }) => assets.list(viewer, query)),
  serve(contract.saveActivityAsset, ({ viewer, body }) => assets.save(viewer, body)),
  serve(contract.startFromAsset, ({ viewer, body }) => assets.use(viewer, body.valuable_id)),
  serve(contract.deleteActivityAsset, async ({ viewer, query }) => {
    await assets.remove(viewer, query.valuable_id)
    return null
  }),
  serve(contract.listProducts, ({ viewer, query }) => assets.products(viewer, query.adv_id)),
  serve(contract.addProduct, ({ viewer, body }) => assets.addProduct(viewer, body)),
  serve(contract.deleteProduct, async ({ viewer, query }) => {
    await assets.removeProduct(viewer, query.id)
    return null
  }),
  serve(contract.listPlanCrowds, ({ viewer, query }) => choices.crowds(viewer, query)),
  serve(contract.getColumns, ({ viewer }) => choices.columns(viewer)),
  serve(contract.chooseColumns, ({ viewer, body }) => choices.chooseColumns(viewer, body.keys)),
]

import * as contract from '#contract/rule-crowd.ts'
import { serve } from '../../http/serve.ts'
import type { CrowdService } from './crowds.ts'
import type { RuleService } from './rules.ts'

export const ruleCrowdRoutes = (crowds: CrowdService, rules: RuleService) => [
  serve(contract.listRuleCrowds, ({ viewer, query }) => crowds.list(viewer, query)),
  serve(contract.getRuleCrowd, ({ viewer, params }) => crowds.get(viewer, params.id)),
  serve(contract.createRuleCrowd, ({ viewer, body }) => crowds.create(viewer, body)),
  serve(contract.updateRuleCrowd, ({ viewer, params, body }) => crowds.update(viewer, params.id, body)),
  serve(contract.deleteRuleCrowd, async ({ viewer, params }) => {
    await crowds.remove(viewer, [params.id])
    return null
  }),
  serve(contract.deleteRuleCrowds, async ({ viewer, query, body }) => {
    await (query.check ? crowds.checkRemoval(viewer, body.ids) : crowds.remove(viewer, body.ids))
    return null
  }),
  serve(contract.listDeletedRuleCrowds, ({ viewer, query }) => crowds.deleted(viewer, query.adv_id)),
  serve(contract.restoreRuleCrowds, async ({ viewer, body }) => {
    await crowds.restore(viewer, body.ids)
    return null
  }),
  serve(contract.moveRuleCrowds, async ({ viewer, body }) => {
    await crowds.move(viewer, body.ids, body.dirId)
    return null
  }),
  serve(contract.copyRuleCrowd, ({ viewer, params, body }) => crowds.copy(viewer, params.id, body)),
  serve(contract.computeRuleCrowd, async ({ viewer, params }) => {
    await crowds.compute(viewer, params.id)
    return null
  }),
  serve(contract.setCrowdUpdates, ({ viewer, params, body }) => crowds.setUpdates(viewer, params.id, body)),
  serve(contract.getRuleCrowdQuota, ({ viewer, query }) => crowds.quota(viewer, query.advertiser_id)),
  serve(contract.checkCrowdUse, async ({ viewer, body }) => {
    const uses = body.type === 2 ? crowds.usesOfUploaded : crowds.uses
    const by = await uses(viewer, body.crowd_id, body.tag_id)
    return { apply_status: by.length > 0 ? (1 as const) : (0 as const), by }
  }),
  serve(contract.checkRuleCrowdApplied, async ({ viewer, body }) => {
    const plans = await crowds.plansOf(viewer, body)
    return { applied: plans.length > 0, apply_status: plans.length > 0 ? (1 as const) : (0 as const), plans }
  }),
  serve(contract.compareRule, ({ viewer, params, body, signal }) =>
    crowds.compare(viewer, params.id, body.rule, signal),
  ),
  serve(contract.listCreators, ({ viewer, body }) => crowds.creators(viewer, body)),

  serve(contract.openRule, ({ viewer, body }) => rules.open(viewer, body.advId, body.from)),
  serve(contract.getRule, ({ viewer, params }) => rules.get(viewer, params.rId)),
  ...[contract.storeRule, contract.storeRuleByPost].map((endpoint) =>
    serve(endpoint, ({ viewer, params, body }) => rules.store(viewer, params.rId, body.advId, body.rule)),
  ),
  serve(contract.countRule, ({ viewer, params, body, signal }) =>
    rules.count(viewer, params.rId, body.advId, body.rule, signal),
  ),
]

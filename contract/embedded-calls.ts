import { createActivity, findSameName, getActivity, updateActivity } from './activity.ts'
import { listPlanCrowds, listPlanPlatforms } from './activity-plan.ts'
import { listAdvertisers } from './advertiser.ts'
import { type FramedPage, openEmbedSession } from './embed.ts'
import type { BodyOf, Endpoint, ParamsOf, QueryOf } from './endpoint.ts'
import { listAssetFolders } from './folder.ts'
import { addProduct, listProducts } from './product.ts'
import { checkPush, startPushes } from './push.ts'
import {
  compareRule,
  countRule,
  createRuleCrowd,
  getRule,
  getRuleCrowd,
  getRuleCrowdQuota,
  listRuleCrowds,
  openRule,
  storeRule,
  storeRuleByPost,
  updateRuleCrowd,
} from './rule-crowd.ts'
import { getTagTree, listTags } from './tag.ts'
import { listTargetings } from './targeting-package.ts'
import { getConsole, getViewer, logout } from './viewer.ts'

/** Signing in, and who is there. */
const SESSION: readonly Endpoint[] = [getConsole, openEmbedSession, getViewer, logout, listAdvertisers]

/** Making a rule crowd, which the workbench does too. */
const NEW_CROWD: readonly Endpoint[] = [
  listAssetFolders,
  getTagTree,
  listTags,
  openRule,
  getRule,
  storeRule,
  countRule,
  listRuleCrowds,
  getRuleCrowd,
  createRuleCrowd,
]

/**
 * The calls that the page in a frame of another site makes. A frame's session is refused every other call, since the site
 * around the frame may have been taken over.
 */
export const EMBEDDED_CALLS: Readonly<Record<FramedPage, ReadonlySet<Endpoint>>> = {
  crowd: new Set([...SESSION, ...NEW_CROWD, storeRuleByPost, compareRule, getRuleCrowdQuota, updateRuleCrowd]),
  activity: new Set([
    ...SESSION,
    ...NEW_CROWD,
    getActivity,
    findSameName,
    createActivity,
    updateActivity,
    listProducts,
    addProduct,
    listTargetings,
    listPlanCrowds,
    listPlanPlatforms,
    checkPush,
    startPushes,
  ]),
}

interface Parsed<E extends Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
}
const only = <E extends Endpoint>(endpoint: E, mayCall: (given: Parsed<E>, id: number) => boolean) =>
  [endpoint, mayCall] as const

/** For calls that could open or change more than the frame shows: whether one is about that. `id` 0: something new. */
const ABOUT_FRAMED: ReadonlyMap<Endpoint, (given: never, id: number) => boolean> = new Map<
  Endpoint,
  (given: never, id: number) => boolean
>([
  only(getActivity, ({ query }, id) => query.campaign_id === id),
  only(updateActivity, ({ body }, id) => body.id === id),
  only(createActivity, (_, id) => id === 0),
  only(updateRuleCrowd, ({ params }, id) => params.id === id),
  // The workbench pushes the rule crowd that was made in it.
  only(checkPush, ({ body }) => body.source.kind === 'rule'),
  only(startPushes, ({ body }) => body.source.kind === 'rule'),
])

/** Whether a call of a frame is about what its token named. */
export const isAboutFramed = (
  endpoint: Endpoint,
  given: { params: unknown; query: unknown; body: unknown },
  id: number,
): boolean => ABOUT_FRAMED.get(endpoint)?.(given as never, id) ?? true

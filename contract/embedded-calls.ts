import { listAdvertisers } from './advertiser.ts'
import { openEmbedSession } from './embed.ts'
import type { Endpoint } from './endpoint.ts'
import { listAssetFolders } from './folder.ts'
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
import { getConsole, getViewer, logout } from './viewer.ts'

/**
 * The calls that the rule editor makes in a frame of another site. A frame's session is refused every other call, since
 * the site around the frame may have been taken over.
 */
export const EMBEDDED_CALLS: ReadonlySet<Endpoint> = new Set<Endpoint>([
  getConsole,
  openEmbedSession,
  getViewer,
  logout,
  listAdvertisers,
  listAssetFolders,
  getTagTree,
  listTags,
  openRule,
  getRule,
  storeRule,
  storeRuleByPost,
  compareRule,
  countRule,
  listRuleCrowds,
  getRuleCrowd,
  getRuleCrowdQuota,
  createRuleCrowd,
  updateRuleCrowd,
])

import * as contract from '#contract/link-user.ts'
import * as profile from '#contract/link-user-profile.ts'
import { serve } from '../../http/serve.ts'
import type { LinkUserService } from './service.ts'

export const linkUserRoutes = (users: LinkUserService) => [
  serve(contract.listLinkUsers, ({ viewer, query }) => users.list(viewer, query)),
  serve(profile.getLinkUserProfile, ({ viewer, query }) => users.profile(viewer, query)),
  serve(profile.explainLinkUser, ({ viewer, query }) => users.why(viewer, query)),
  serve(contract.getLinkUser, ({ viewer, query }) => users.info(viewer, query)),
]

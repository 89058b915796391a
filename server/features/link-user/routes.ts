import * as contract from '#contract/link-user.ts'
import { serve } from '../../http/serve.ts'
import type { LinkUserService } from './service.ts'

export const linkUserRoutes = (users: LinkUserService) => [
  serve(contract.listLinkUsers, ({ viewer, query }) => users.list(viewer, query)),
  serve(contract.getLinkUser, ({ viewer, query }) => users.info(viewer, query)),
]

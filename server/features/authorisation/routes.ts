import * as contract from '#contract/authorisation.ts'
import { serve } from '../../http/serve.ts'
import type { AccountService } from './accounts.ts'
import type { AuthoriseService } from './authorise.ts'
import type { Connections } from './connections.ts'

export const authorisationRoutes = (
  authorise: AuthoriseService,
  accounts: AccountService,
  connections: Connections,
) => [
  serve(contract.startAuthorisation, ({ viewer, body, from }) =>
    authorise.start(viewer, { ...body, origin: from.origin }),
  ),
  serve(contract.getAuthorisationOutcome, ({ viewer, params }) => authorise.outcome(viewer, params.id)),
  serve(contract.revokeAuthorisation, async ({ viewer, params }) => {
    await accounts.revoke(viewer, params.id)
    return null
  }),
  serve(contract.listPlatforms, async () => ({ list: connections.list() })),
]

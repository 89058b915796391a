import * as contract from '#contract/authorisation.ts'
import { serve } from '../../http/serve.ts'
import type { AccountService } from './accounts.ts'
import type { AuthoriseService } from './authorise.ts'
import type { Connections } from './connections.ts'

export const authorisationRoutes = (
  authorise: AuthoriseService,
  accounts: AccountService,
  connections: Connections,
  /** The address of the sandbox's page of switches, with its key; null without a sandbox of our own. */
  sandboxPage: () => Promise<string | null>,
) => [
  serve(contract.startAuthorisation, ({ viewer, body, from }) =>
    authorise.start(viewer, { ...body, origin: from.origin }),
  ),
  serve(contract.getAuthorisationOutcome, ({ viewer, params }) => authorise.outcome(viewer, params.id)),
  serve(contract.revokeAuthorisation, ({ viewer, params }) => accounts.revoke(viewer, params.id)),
  serve(contract.listPlatforms, async ({ viewer }) => ({
    list: connections.list(),
    // Whoever has the key can change what the platforms answer.
    sandbox_page: viewer.is_admin ? await sandboxPage() : null,
  })),
]

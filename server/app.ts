import { sql } from 'kysely'
import { getConsole } from '#contract/viewer.ts'
import { mountDownloads } from './downloads.ts'
import { activityRoutes } from './features/activity/routes.ts'
import { advertiserRoutes } from './features/advertiser/routes.ts'
import { audiencePackRoutes, audienceRoutes } from './features/audience/routes.ts'
import { mountOauthCallback } from './features/authorisation/callback-route.ts'
import { authorisationRoutes } from './features/authorisation/routes.ts'
import { mountSandboxPages } from './features/authorisation/sandbox-pages.ts'
import { controlGroupRoutes } from './features/control-group/routes.ts'
import { crowdExportRoutes } from './features/crowd-export/routes.ts'
import { crowdProfileRoutes } from './features/crowd-profile/routes.ts'
import { customCrowdRoutes } from './features/custom-crowd/routes.ts'
import { customFolderRoutes, folderRoutes } from './features/folder/routes.ts'
import { forgettingRoutes } from './features/forgetting/routes.ts'
import { importRoutes } from './features/import/routes.ts'
import { linkUserRoutes } from './features/link-user/routes.ts'
import { pushRoutes } from './features/push/routes.ts'
import { regionPlanRoutes } from './features/region-plan/routes.ts'
import { reportRoutes } from './features/report/routes.ts'
import { ruleCrowdRoutes } from './features/rule-crowd/routes.ts'
import { searchRoutes } from './features/search/routes.ts'
import { suppressionRoutes } from './features/suppression/routes.ts'
import { tagFieldRoutes } from './features/tag/field-routes.ts'
import { tagRoutes } from './features/tag/routes.ts'
import { targetingDictionaryRoutes } from './features/targeting-dictionary/routes.ts'
import { targetingEstimateRoutes } from './features/targeting-estimate/routes.ts'
import { targetingPackageRoutes } from './features/targeting-package/routes.ts'
import { targetingTemplateRoutes } from './features/targeting-template/routes.ts'
import { taskRoutes } from './features/task/routes.ts'
import { mountTracking } from './features/tracking/intake-route.ts'
import { trackingRoutes } from './features/tracking/routes.ts'
import { mountUploads, uploadRoutes } from './features/upload/routes.ts'
import { viewerRoutes } from './features/viewer/routes.ts'
import { webhookRoutes } from './features/webhook/routes.ts'
import { mountHealth } from './http/health.ts'
import { mount } from './http/mount.ts'
import { serve } from './http/serve.ts'
import { openServer, type ServerOptions } from './http/server.ts'
import type { Services } from './services.ts'
import type { Stores } from './stores/stores.ts'

const VERSION = '0.1.0'

/** Every call of the contract, by the service that answers it. */
export const routesOf = (services: Services, settings: Stores['settings']) => [
  serve(getConsole, async () => ({
    deployment: settings.deployment,
    timezone: settings.timezone,
    version: VERSION,
  })),
  ...viewerRoutes(services.sessions, services.viewers, services.embedding),
  ...advertiserRoutes(services.advertisers),
  ...authorisationRoutes(services.authorise, services.accounts, services.platformConnections, () =>
    // Without the sandbox its page has no link; why it did not start was logged at the start.
    services.platformUrls.start().catch(() => null),
  ),
  ...folderRoutes(services.folders),
  ...customFolderRoutes(services.customFolders),
  ...customCrowdRoutes(services.customCrowds, services.audiences),
  ...audienceRoutes(services.audiences),
  ...audiencePackRoutes(services.audiencePacks, services.audiences),
  ...ruleCrowdRoutes(services.crowds, services.rules),
  ...tagRoutes(services.tags, services.tagLists, services.tagTree, services.tagCategories, services.tagBatches),
  ...tagFieldRoutes(services.tagFields, services.tagFieldSettings, services.tagValues, services.attributeRemoval),
  ...targetingPackageRoutes(services.targetingPackages),
  ...targetingTemplateRoutes(services.targetingTemplates),
  ...regionPlanRoutes(services.regionPlans),
  ...targetingEstimateRoutes(services.targetingEstimates),
  ...targetingDictionaryRoutes(services.targetingDictionaries),
  ...activityRoutes(services.activities),
  ...reportRoutes(services.reports),
  ...importRoutes(services.imports),
  ...trackingRoutes(services.writeKeys, services.lately),
  ...pushRoutes(services.pushes),
  ...controlGroupRoutes(services.controlGroups),
  ...suppressionRoutes(services.suppression),
  ...crowdProfileRoutes(services.crowdProfiles),
  ...crowdExportRoutes(services.crowdExports),
  ...forgettingRoutes(services.forgetting),
  ...linkUserRoutes(services.linkUsers),
  ...webhookRoutes(services.webhooks),
  ...uploadRoutes(services.uploads),
  ...taskRoutes(services.tasks),
  ...searchRoutes(services.search),
]

/** The HTTP side of a process: the calls, health, the API document and the web app. */
export async function openApp(
  stores: Stores,
  services: Services,
  options: Omit<ServerOptions, 'host' | 'embedOrigins' | 'publicUrl' | 'trustedProxies' | 'objectStoreUrl'>,
) {
  const { postgres, warehouse, settings } = stores
  const { host, publicUrl, trustedProxies, embedOrigins, objectStoreUrl } = settings
  const app = await openServer({ ...options, host, embedOrigins, objectStoreUrl, publicUrl, trustedProxies })
  mountHealth(app, {
    isReady: async () => {
      await sql`select 1`.execute(postgres.db)
      await warehouse.live.everyShard.query('SELECT 1')
    },
    metricsToken: settings.metricsToken,
    publicUrl,
  })
  const { db } = postgres
  mount(app, routesOf(services, settings), { db, publicUrl })
  mountUploads(app, { db, publicUrl, uploads: services.uploads })
  mountOauthCallback(app, { db, authorise: services.authorise })
  mountSandboxPages(app, { db, publicUrl, sandboxUrl: services.platformUrls.sandboxUrl })
  mountDownloads(app, { db, publicUrl }, services)
  mountTracking(app, {
    intake: services.trackingCalls,
    refusals: services.refusals,
    publicUrl,
    rate: settings.trackingRate,
  })
  return app
}

import type { Transaction } from 'kysely'
import { openEvaluator } from './clickhouse/rule/evaluate.ts'
import type { OnVersion } from './crowds/kinds.ts'
import { oldMembers } from './crowds/old-members.ts'
import { replacedMembers } from './crowds/replaced-members.ts'
import { activityService } from './features/activity/service.ts'
import { advertiserService } from './features/advertiser/service.ts'
import { audiencePacks } from './features/audience/packs.ts'
import { audienceService } from './features/audience/service.ts'
import { accountService } from './features/authorisation/accounts.ts'
import { authoriseService } from './features/authorisation/authorise.ts'
import { connections } from './features/authorisation/connections.ts'
import { loginTokens } from './features/authorisation/login-tokens.ts'
import { controlGroupService } from './features/control-group/service.ts'
import { crowdExportService } from './features/crowd-export/service.ts'
import { crowdProfileService } from './features/crowd-profile/service.ts'
import { customCrowdService } from './features/custom-crowd/service.ts'
import { folderService } from './features/folder/service.ts'
import { forgettingService } from './features/forgetting/service.ts'
import { tombstoneFiles } from './features/forgetting/tombstone-files.ts'
import { openImportJobs } from './features/import/jobs.ts'
import { importService } from './features/import/service.ts'
import { linkUserService } from './features/link-user/service.ts'
import { pushService } from './features/push/service.ts'
import { regionPlanService } from './features/region-plan/service.ts'
import { reportService } from './features/report/service.ts'
import { crowdComputing } from './features/rule-crowd/compute.ts'
import { crowdService } from './features/rule-crowd/crowds.ts'
import { ruleService } from './features/rule-crowd/rules.ts'
import { tellChanges } from './features/rule-crowd/tell-changes.ts'
import { searchService } from './features/search/service.ts'
import { suppressionService } from './features/suppression/service.ts'
import { type AttributeRemovalDeps, attributeRemoval } from './features/tag/attribute-removal.ts'
import { tagBatches } from './features/tag/batch.ts'
import { tagBuild } from './features/tag/build.ts'
import { categoryService } from './features/tag/categories.ts'
import { tagFacts } from './features/tag/evidence.ts'
import { fieldLists } from './features/tag/field-lists.ts'
import { fieldSettings } from './features/tag/field-settings.ts'
import { fieldValues } from './features/tag/field-values.ts'
import { openTagJobs } from './features/tag/jobs.ts'
import { tagLists } from './features/tag/lists.ts'
import { phoneFields } from './features/tag/phone-fields.ts'
import { tagService } from './features/tag/service.ts'
import { ensureBuiltIn } from './features/tag/store.ts'
import { tagTree } from './features/tag/tree.ts'
import { dictionaryCopies } from './features/targeting-dictionary/copies.ts'
import { targetingDictionaryService } from './features/targeting-dictionary/service.ts'
import { estimatesOfSaved } from './features/targeting-estimate/saved.ts'
import { targetingEstimateService } from './features/targeting-estimate/service.ts'
import { targetingPackageService } from './features/targeting-package/service.ts'
import { targetingTemplateService } from './features/targeting-template/service.ts'
import { taskService } from './features/task/service.ts'
import { trackingDrain } from './features/tracking/drain.ts'
import { trackingIntake } from './features/tracking/intake.ts'
import { writeKeyService } from './features/tracking/keys.ts'
import { latelyService } from './features/tracking/lately.ts'
import { refusalLog } from './features/tracking/refusals.ts'
import { UPLOAD_TOKEN_PURPOSE, uploadService } from './features/upload/service.ts'
import { embedService } from './features/viewer/embed.ts'
import { viewerService } from './features/viewer/service.ts'
import { sessionService } from './features/viewer/session.ts'
import { webhookService } from './features/webhook/service.ts'
import { identifierStore } from './identifiers/identifiers.ts'
import { PERSON_KEY_PURPOSE } from './identifiers/seal.ts'
import { TOMBSTONE_PURPOSE, tombstoneTokens } from './identifiers/tombstones.ts'
import { loader } from './ingest/load.ts'
import { nightlyTidy } from './jobs/tidy.ts'
import { tidyTables } from './jobs/tidy-tables.ts'
import { platformAddresses } from './platforms/addresses.ts'
import { openPlatforms } from './platforms/open.ts'
import { scopedSession } from './platforms/scoped-session.ts'
import type { Database } from './postgres/schema.ts'
import { openObjectStore } from './storage/object-store.ts'
import { sharedFiles } from './storage/shared-files.ts'
import type { Stores } from './stores/stores.ts'

/** Builds each service once, over the stores of this process, and says what each kind of job does. Before `jobs.start()`. */
export function openServices(stores: Stores) {
  const { postgres, warehouse, jobs, settings } = stores
  const { db } = postgres
  const { timezone } = settings
  const evaluator = openEvaluator(warehouse, { bitmapMemory: settings.bitmapMemory })

  /** A crowd's members are others: the rule crowds that use it are computed again. */
  const onMembers = (tx: Transaction<Database>, id: number) => computing.recomputeUsersOf(tx, 'crowd', [id])
  /**
   * A crowd has a new version: the rule crowds that use it are computed again, its audiences are pushed, and a large
   * change is told.
   */
  const onVersion: OnVersion = async (tx, crowd) => {
    await onMembers(tx, crowd.id)
    await pushes.onVersion(tx, crowd)
    await changes.onVersion(tx, crowd)
  }
  const changes = tellChanges({ db, jobs, evaluator, notify: (tx, change) => webhooks.notifyOfCrowd(tx, change) })
  const rules = ruleService({ db, evaluator })
  const dropLater = {
    rule: replacedMembers({ db, jobs, evaluator }, 'rule'),
    custom: replacedMembers({ db, jobs, evaluator }, 'custom'),
  }
  const members = oldMembers({ db, jobs, timezone, dropLater })
  const computing = crowdComputing({
    db,
    jobs,
    evaluator,
    timezone,
    onVersion,
    dropLater: dropLater.rule,
  })
  const crowds = crowdService({
    db,
    jobs,
    evaluator,
    timezone,
    capacity: settings.peopleQuota,
    computing,
    dropDrafts: rules.dropDrafts,
  })
  const tagBuilder = tagBuild({
    db,
    load: warehouse.load.everyShard,
    timezone,
    onTagsChanged: (tx, _adv_id, ids) => computing.recomputeUsersOf(tx, 'tag', ids),
  })
  const tagJobs = openTagJobs({
    db,
    load: warehouse.load,
    jobs,
    timezone,
    build: tagBuilder,
    dropVersions: evaluator.dropVersions,
  })
  const phones = phoneFields({ db, live: warehouse.live.acrossShards })
  const tags = tagService({ db, live: warehouse.live.everyShard, build: tagBuilder, jobs: tagJobs, phones })
  const advertisers = advertiserService({
    db,
    // A rule cannot use a tag that has not been counted, so 全部用户 is counted at once, while the advertiser is empty.
    onCreated: async (tx, adv_id) => {
      await ensureBuiltIn(tx, adv_id)
      await tagJobs.requestRebuild(tx, adv_id)
    },
    packageQuotas: (accounts) => targetingPackages.quotasOf(accounts),
  })

  const { dataDir } = settings
  const tombstones = tombstoneTokens(stores.secrets.keyFor(TOMBSTONE_PURPOSE))
  const objects = settings.objectStoreUrl === undefined ? null : openObjectStore(settings.objectStoreUrl)
  const shared = sharedFiles(objects)
  const uploads = uploadService({
    db,
    jobs,
    dataDir,
    objects,
    tokenKey: stores.secrets.keyFor(UPLOAD_TOKEN_PURPOSE),
    isSplit: settings.role !== 'all',
  })
  const personKey = stores.secrets.keyFor(PERSON_KEY_PURPOSE)
  /** Rows or values are gone for good: what only they needed goes too. */
  const onRemoved: AttributeRemovalDeps['onRemoved'] = async (data, viewer_id, job) => {
    await tagJobs.onUndone(data, viewer_id, job)
    // Nobody should wait 15 minutes for the removal of people who were imported by mistake.
    await job.step((tx) => computing.recomputeNow(tx, data.adv_id))
  }
  const importJobs = openImportJobs({
    postgres,
    warehouse,
    jobs,
    loader: loader({ warehouse, timezone, dataDir, personKey, tombstones }),
    personKey,
    tombstones,
    onCounted: (tx, of) => tracking.onCounted(tx, of),
    uploads,
    shared,
    dataDir,
    onData: async (adv_id, data, { viewer_id, source }) => {
      // Messages come all the time: a task each would hide the others.
      await tagJobs.onData(adv_id, data, viewer_id, source === 'file')
      await customCrowds.matchAgain(adv_id)
    },
    timezone,
    onUndone: async (data, viewer_id, job) => {
      await onRemoved(data, viewer_id, job)
      await customCrowds.matchAgain(data.adv_id, { atOnce: true })
    },
  })
  const tracking = trackingDrain({
    db,
    jobs,
    load: warehouse.load,
    queueImports: importJobs.queueTracked,
    sendAgain: importJobs.sendTrackedAgain,
  })
  const refusals = refusalLog(db)
  const trackingCalls = trackingIntake({ db, engine: warehouse.intake.oneNode, onStored: tracking.onStored })
  const platformUrls = platformAddresses(settings)
  const platforms = openPlatforms({
    endpointOf: platformUrls.of,
    dataDir,
    pace: settings.pushPace,
    switches: settings,
  })
  const platformConnections = connections({ kindOf: platformUrls.kindOf, oauthOf: platforms.oauthOf })
  const tokens = loginTokens({
    db,
    secrets: stores.secrets,
    oauthOf: platforms.oauthOf,
    instance: stores.instance,
  })
  const accounts = accountService({ db, jobs, tokens, timezone })
  const authorise = authoriseService({
    db,
    secrets: stores.secrets,
    connections: platformConnections,
    loginPlatformOf: platformUrls.loginPlatformOf,
    pageFor: platformUrls.pageFor,
    onAuthorised: accounts.authorised,
  })
  const identifiers = identifierStore({ warehouse, dataDir, shared, personKey, tombstones })
  const webhooks = webhookService({
    db,
    jobs,
    secrets: stores.secrets,
    allowed: settings.webhookAllow,
    timezone,
    publicUrl: settings.publicUrl ?? `http://${settings.host}:${settings.port}`,
  })
  const audiences = audienceService({
    db,
    jobs,
    timezone,
    platformOf: platforms.audiencesOf,
    session: accounts.session,
    pace: settings.pushPace,
    onRemoved: (tx, child_id) => pushes.onChildRemoved(tx, child_id),
  })
  const pushes = pushService({
    db,
    engine: warehouse.load,
    jobs,
    timezone,
    personKey,
    secrets: stores.secrets,
    customValues: identifiers.valuesSql,
    platformOf: platforms.audiencesOf,
    session: accounts.session,
    pace: settings.pushPace,
    notify: webhooks.notify,
  })
  accounts.onAuthorised(pushes.onAuthorised)
  const customCrowds = customCrowdService({
    db,
    jobs,
    evaluator,
    timezone,
    uploads,
    identifiers,
    onVersion,
    onMembers,
    dropLater: dropLater.custom,
  })
  const forgetting = forgettingService({
    db,
    load: warehouse.load,
    jobs,
    secrets: stores.secrets,
    tokens: tombstones,
    personKey,
    dataDir,
    marked: tombstoneFiles({ dataDir, forgottenFile: settings.forgottenFile }),
    shared,
    malformed: identifiers,
    evaluator,
    pushed: pushes.forgetting,
    pace: settings.pushPace,
    whileImportsRest: importJobs.whileResting,
    onRowsGone: async ({ adv_id, attributes, began }, job) => {
      if (attributes.length > 0) {
        const left = { attributes: attributes.map((name) => ({ name })), events: [] }
        await tagJobs.onUndone({ ...left, adv_id, import_id: 0, heirs: [], began }, null, job)
      }
      await customCrowds.matchAgain(adv_id, { atOnce: true })
    },
    onSetsChanged: async (tx, adv_id) => {
      await tagJobs.requestRebuild(tx, adv_id)
      await computing.recomputeNow(tx, adv_id)
    },
  })
  const packageSession = scopedSession({ db, session: accounts.session })
  const copies = dictionaryCopies(db)
  const regionPlans = regionPlanService({ db, regionIds: (account_id) => targetingDictionaries.regionIds(account_id) })
  const targetingDictionaries = targetingDictionaryService({
    db,
    regionPlans: regionPlans.ofAdvertiser,
    copies,
    dictionariesOf: platforms.dictionariesOf,
    session: packageSession,
  })
  const targetingEstimates = targetingEstimateService({
    db,
    dictionariesOf: platforms.dictionariesOf,
    session: packageSession,
  })
  const targetingPackages = targetingPackageService({
    db,
    jobs,
    timezone,
    estimate: estimatesOfSaved({ db, jobs, estimates: targetingEstimates }),
    crowdList: targetingDictionaries.crowdList,
    packagesOf: platforms.packagesOf,
    session: packageSession,
    pace: settings.pushPace,
  })
  accounts.onAuthorised(targetingPackages.mirror.onAuthorised)
  const activities = activityService({
    db,
    jobs,
    live: warehouse.live.acrossShards,
    deployment: settings.deployment,
    timezone,
    publicUrl: settings.publicUrl,
    secrets: stores.secrets,
    plansOf: platforms.plansOf,
    session: packageSession,
    pace: settings.pushPace,
  })
  accounts.onAuthorised(activities.there.onAuthorised)
  targetingPackages.onRetargeted(activities.there.onRetargeted)
  const reports = reportService({
    db,
    jobs,
    load: warehouse.load,
    live: warehouse.live.acrossShards,
    timezone,
    reportsOf: platforms.reportsOf,
    session: packageSession,
    readPlans: activities.there.readPlans,
    notify: webhooks.notifyOfReport,
    pace: settings.pushPace,
  })
  accounts.onAuthorised(reports.onAuthorised)
  nightlyTidy({ db, jobs, timezone })
  if (postgres.embedded) tidyTables({ db, jobs, timezone })
  const imports = importService({
    db,
    live: warehouse.live,
    fileEngine: warehouse.fileEngine,
    jobs,
    uploads,
    shared,
    dataDir,
    timezone,
  })

  return {
    evaluator,
    sessions: sessionService(db),
    viewers: viewerService({ db, revokeLinks: activities.links.revokeOf }),
    embedding: embedService({ db, embedOrigins: settings.embedOrigins, publicUrl: settings.publicUrl }),
    advertisers,
    platforms,
    platformUrls,
    platformConnections,
    accounts,
    authorise,
    folders: folderService(db, 'asset'),
    customFolders: folderService(db, 'custom'),
    tasks: taskService(db, jobs.retry),
    search: searchService(db),
    rules,
    computing,
    crowds,
    oldMembers: members,
    tags,
    tagLists: tagLists(db),
    tagTree: tagTree(db),
    tagFields: fieldLists({ db, live: warehouse.live.acrossShards }),
    attributeRemoval: attributeRemoval({
      db,
      load: warehouse.load,
      jobs,
      whileImportsRest: importJobs.whileResting,
      onRemoved,
    }),
    tagFieldSettings: fieldSettings({ db, live: warehouse.live, timezone, jobs: tagJobs }),
    tagValues: fieldValues({ db, live: warehouse.live.acrossShards, phones }),
    tagCategories: categoryService(db),
    tagBatches: tagBatches(db),
    tagBuilder,
    tagJobs,
    uploads,
    identifiers,
    customCrowds,
    pushes,
    audiences,
    audiencePacks: audiencePacks({ db, startPush: pushes.start }),
    controlGroups: controlGroupService({ db }),
    suppression: suppressionService({
      db,
      engine: warehouse.load.acrossShards,
      jobs,
      timezone,
      personKey,
      crowdValuesSql: identifiers.valuesSql,
    }),
    crowdProfiles: crowdProfileService({ db, evaluator, timezone }),
    crowdExports: crowdExportService({ db, live: warehouse.live, evaluator, timezone, personKey }),
    forgetting,
    linkUsers: linkUserService({
      db,
      live: warehouse.live,
      timezone,
      personKey,
      factsOf: tagFacts({ db, live: warehouse.live, timezone }),
    }),
    webhooks,
    activities,
    reports,
    targetingPackages,
    targetingTemplates: targetingTemplateService({ db }),
    regionPlans,
    targetingEstimates,
    targetingDictionaries,
    imports,
    importJobs,
    tracking,
    trackingCalls,
    refusals,
    writeKeys: writeKeyService({
      db,
      secrets: stores.secrets,
      publicUrl: settings.publicUrl,
      onRevoked: trackingCalls.forget,
    }),
    lately: latelyService({ db, live: warehouse.live.acrossShards }),
    async close() {
      await trackingCalls.close()
      await refusals.close()
      evaluator.close()
      await copies.close()
      await platformUrls.close()
    },
  }
}
export type Services = ReturnType<typeof openServices>

import { type Kysely, sql } from 'kysely'
import { StartError } from '../start-error.ts'
import * as foundation from './migrations/0001-foundation.ts'
import * as tagVersions from './migrations/0002-tag-versions.ts'
import * as attributeLook from './migrations/0003-attribute-look.ts'
import * as embedding from './migrations/0004-embedding.ts'
import * as customCrowds from './migrations/0005-custom-crowds.ts'
import * as leftOutValues from './migrations/0006-left-out-values.ts'
import * as instances from './migrations/0007-instances.ts'
import * as uploadsOfImports from './migrations/0008-uploads-of-imports.ts'
import * as outcomes from './migrations/0009-outcomes.ts'
import * as platformNumbers from './migrations/0010-platform-numbers.ts'
import * as outcomesOfFiles from './migrations/0011-outcomes-of-files.ts'
import * as stageOutcomes from './migrations/0012-stage-outcomes.ts'
import * as knownPlaces from './migrations/0013-known-places.ts'
import * as chosenColumns from './migrations/0014-chosen-columns.ts'
import * as recomputation from './migrations/0015-recomputation.ts'
import * as attributeSettings from './migrations/0016-attribute-settings.ts'
import * as undoneImports from './migrations/0017-undone-imports.ts'
import * as seenTasks from './migrations/0018-seen-tasks.ts'
import * as members from './migrations/0019-members.ts'
import * as accountRemarks from './migrations/0020-account-remarks.ts'
import * as fieldSettings from './migrations/0021-field-settings.ts'
import * as taggedEvents from './migrations/0022-tagged-events.ts'
import * as tokensOfDisabled from './migrations/0023-tokens-of-disabled.ts'
import * as watchingFrames from './migrations/0024-watching-frames.ts'
import * as targetingPackages from './migrations/0025-targeting-packages.ts'
import * as dictionaryCopies from './migrations/0026-dictionary-copies.ts'
import * as targetingMirror from './migrations/0027-targeting-mirror.ts'
import * as mirrorUnderWay from './migrations/0028-mirror-under-way.ts'
import * as regionPlans from './migrations/0029-region-plans.ts'
import * as targetingTemplates from './migrations/0030-targeting-templates.ts'
import * as failedReadings from './migrations/0031-failed-readings.ts'
import * as versionFolders from './migrations/0032-version-folders.ts'
import * as madeThere from './migrations/0033-made-there.ts'
import * as crowdSizes from './migrations/0034-crowd-sizes.ts'
import * as memberHolds from './migrations/0035-member-holds.ts'
import * as keptMembers from './migrations/0036-kept-members.ts'
import * as crowdSchedules from './migrations/0037-crowd-schedules.ts'
import * as crowdNotices from './migrations/0038-crowd-notices.ts'
import * as tracking from './migrations/0039-tracking.ts'
import * as forgetting from './migrations/0040-forgetting.ts'
import * as tagsByField from './migrations/0041-tags-by-field.ts'
import * as activities from './migrations/0042-activities.ts'
import * as standardEvents from './migrations/0043-standard-events.ts'
import * as reportSync from './migrations/0044-report-sync.ts'
import * as plansThere from './migrations/0045-plans-there.ts'
import * as reportLinks from './migrations/0047-report-links.ts'
import * as othersThere from './migrations/0048-others-there.ts'
import * as createdPlans from './migrations/0049-created-plans.ts'
import * as controlGroups from './migrations/0052-control-groups.ts'
import * as framedPages from './migrations/0053-framed-pages.ts'
import * as agreedPlans from './migrations/0057-agreed-plans.ts'
import * as restOfDays from './migrations/0058-rest-of-days.ts'
import * as linksOfDisabled from './migrations/0059-links-of-disabled.ts'
import { transaction } from './transaction.ts'

export interface Migration {
  /** The name of its file, such as `0001-foundation`; never changed once released. */
  name: string
  up(tx: Kysely<unknown>): Promise<void>
}

export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-foundation', up: foundation.up },
  { name: '0002-tag-versions', up: tagVersions.up },
  { name: '0003-attribute-look', up: attributeLook.up },
  { name: '0004-embedding', up: embedding.up },
  { name: '0005-custom-crowds', up: customCrowds.up },
  { name: '0006-left-out-values', up: leftOutValues.up },
  { name: '0007-instances', up: instances.up },
  { name: '0008-uploads-of-imports', up: uploadsOfImports.up },
  { name: '0009-outcomes', up: outcomes.up },
  { name: '0010-platform-numbers', up: platformNumbers.up },
  { name: '0011-outcomes-of-files', up: outcomesOfFiles.up },
  { name: '0012-stage-outcomes', up: stageOutcomes.up },
  { name: '0013-known-places', up: knownPlaces.up },
  { name: '0014-chosen-columns', up: chosenColumns.up },
  { name: '0015-recomputation', up: recomputation.up },
  { name: '0016-attribute-settings', up: attributeSettings.up },
  { name: '0017-undone-imports', up: undoneImports.up },
  { name: '0018-seen-tasks', up: seenTasks.up },
  { name: '0019-members', up: members.up },
  { name: '0020-account-remarks', up: accountRemarks.up },
  { name: '0021-field-settings', up: fieldSettings.up },
  { name: '0022-tagged-events', up: taggedEvents.up },
  { name: '0023-tokens-of-disabled', up: tokensOfDisabled.up },
  { name: '0024-watching-frames', up: watchingFrames.up },
  { name: '0025-targeting-packages', up: targetingPackages.up },
  { name: '0026-dictionary-copies', up: dictionaryCopies.up },
  { name: '0027-targeting-mirror', up: targetingMirror.up },
  { name: '0028-mirror-under-way', up: mirrorUnderWay.up },
  { name: '0029-region-plans', up: regionPlans.up },
  { name: '0030-targeting-templates', up: targetingTemplates.up },
  { name: '0031-failed-readings', up: failedReadings.up },
  { name: '0032-version-folders', up: versionFolders.up },
  { name: '0033-made-there', up: madeThere.up },
  { name: '0034-crowd-sizes', up: crowdSizes.up },
  { name: '0035-member-holds', up: memberHolds.up },
  { name: '0036-kept-members', up: keptMembers.up },
  { name: '0037-crowd-schedules', up: crowdSchedules.up },
  { name: '0038-crowd-notices', up: crowdNotices.up },
  { name: '0039-tracking', up: tracking.up },
  { name: '0040-forgetting', up: forgetting.up },
  { name: '0041-tags-by-field', up: tagsByField.up },
  { name: '0042-activities', up: activities.up },
  { name: '0043-standard-events', up: standardEvents.up },
  { name: '0044-report-sync', up: reportSync.up },
  { name: '0045-plans-there', up: plansThere.up },
  { name: '0047-report-links', up: reportLinks.up },
  { name: '0048-others-there', up: othersThere.up },
  { name: '0049-created-plans', up: createdPlans.up },
  { name: '0052-control-groups', up: controlGroups.up },
  { name: '0053-framed-pages', up: framedPages.up },
  { name: '0057-agreed-plans', up: agreedPlans.up },
  { name: '0058-rest-of-days', up: restOfDays.up },
  { name: '0059-links-of-disabled', up: linksOfDisabled.up },
]

/** An arbitrary number, the same in every process. */
const LOCK = 732_451_906

/** Runs the missing migrations, all or none; refuses a store that newer code has migrated. */
export async function migrate<DB>(db: Kysely<DB>, list: readonly Migration[] = MIGRATIONS): Promise<string[]> {
  // Migrations write SQL and do not use the types of today's tables.
  return transaction(db as unknown as Kysely<unknown>, async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
    await sql`create table if not exists schema_migration (name text primary key, applied_at bigint not null)`.execute(
      tx,
    )
    const { rows } = await sql<{ name: string }>`select name from schema_migration order by name`.execute(tx)
    const known = new Set(list.map((migration) => migration.name))
    const unknown = rows.find((row) => !known.has(row.name))
    if (unknown) {
      throw new StartError(
        `数据由更新版本的程序创建（${unknown.name}），请升级程序后再启动，或换一个 DATA_DIR / DATABASE_URL`,
      )
    }
    const applied = new Set(rows.map((row) => row.name))
    const missing = list.filter((migration) => !applied.has(migration.name))
    for (const migration of missing) {
      await migration.up(tx)
      await sql`insert into schema_migration values (${migration.name}, extract(epoch from now())::bigint)`.execute(tx)
    }
    return missing.map((migration) => migration.name)
  })
}

import type { Warehouse } from '../clickhouse/open.ts'
import { type SharedFiles, sharedFiles } from '../storage/shared-files.ts'
import { checkFiles, workDirectory } from './check.ts'
import { MALFORMED_KEPT_SECONDS, MALFORMED_PREFIX, malformedName, malformedPath, sweepMalformed } from './malformed.ts'
import { storePeople } from './people.ts'
import { dropStages, stagedVersions } from './stage.ts'
import type { CheckRequest, CheckRun, CrowdVersion, Run } from './types.ts'
import { storedChangesSql, storedSql, textSql, versionKeeping } from './versions.ts'

interface Deps {
  warehouse: Pick<Warehouse, 'load'>
  dataDir: string
  /** Where malformed lines are copied, so that another process may serve them. */
  shared?: SharedFiles
  /** What people's phones and device ids are encrypted with; those of crowds too. */
  personKey: Buffer
  /** For tests: smaller pieces of archives, fewer values compared at once. */
  pieceBytes?: number
  valuesAtOnce?: number
}

/** The identifiers of uploaded crowds: checked, kept in versions, compared with our people. */
export function identifierStore({
  warehouse: { load },
  dataDir,
  shared = sharedFiles(null),
  personKey,
  ...limits
}: Deps) {
  const versions = versionKeeping({ load, key: personKey, ...limits })
  return {
    /** Reads the version's files; `build` then adds what is valid to the crowd. Both may be run again after a kill. */
    check: (request: CheckRequest, run: CheckRun = {}) =>
      checkFiles({ load, dataDir, shared, key: personKey, ...limits }, request, run),
    build: versions.build,
    /** Gives up a version that failed: nothing of it stays. */
    async discard(adv_id: number, crowd_id: number, version: number): Promise<void> {
      await dropStages(load.everyShard, crowd_id, version)
      await versions.drop({ adv_id, crowd_id }, [version])
    },
    /** Takes the identifiers of a crowd that is gone. */
    dropCrowd: (adv_id: number, crowd_id: number) => versions.drop({ adv_id, crowd_id }, 'all'),
    sizeOf: versions.sizeOf,

    /** A select of `value`: the text of each identifier of the version, once. */
    valuesSql: (at: CrowdVersion) => textSql(at, personKey),
    /** A select of (bucket, value): the bytes as they are stored, raw hashes and encrypted plain ones. */
    storedSql,
    /** A select of (bucket, value, sign): what came in (1) and went (-1) from one version to another, as stored. */
    storedChangesSql,

    /** Writes the version's people of ours as `crowd_member` rows of that number; answers how many they are. */
    membersOf: (at: CrowdVersion, members_version: number, { signal }: Run = {}) =>
      storePeople(load, { ...at, members_version }, textSql(at, personKey), signal),

    /** The csv of a file's malformed lines; absent when there were none, or they are older than 30 days. */
    malformedPath: (file_id: number) => malformedPath(dataDir, file_id),
    readMalformed: (file_id: number) => shared.read(malformedPath(dataDir, file_id), malformedName(file_id)),
    removeMalformed: (file_id: number) => shared.remove(malformedPath(dataDir, file_id), malformedName(file_id)),
    async sweepMalformed(now: number): Promise<void> {
      await sweepMalformed(dataDir, now)
      await shared.sweep(MALFORMED_PREFIX, (now - MALFORMED_KEPT_SECONDS) * 1000)
    },
    /** Versions whose check or build did not come to an end; those that no job works on are to be discarded. */
    unfinished: () => stagedVersions(load.everyShard),
    workDirectory: (crowd_id: number, version: number) => workDirectory(dataDir, crowd_id, version),
  }
}

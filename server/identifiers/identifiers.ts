import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Warehouse } from '../clickhouse/open.ts'
import { type SharedFiles, sharedFiles } from '../storage/shared-files.ts'
import { checkFiles } from './check.ts'
import { workDirectory } from './check-tables.ts'
import {
  earlierMalformed,
  MALFORMED_KEPT_SECONDS,
  MALFORMED_PREFIX,
  type MalformedRoom,
  malformedName,
  malformedPath,
  sweepMalformed,
} from './malformed.ts'
import { storePeople } from './people.ts'
import { dropStages, stagedVersions } from './stage.ts'
import type { TombstoneTokens } from './tombstones.ts'
import type { CheckRequest, CheckRun, CrowdVersion, Run } from './types.ts'
import { storedChangesSql, storedSql, textSql, versionStore } from './versions.ts'

interface Deps {
  warehouse: Pick<Warehouse, 'load'>
  dataDir: string
  /** Receives copies of malformed lines, so that another process can serve them. */
  shared?: SharedFiles
  /** The key that encrypts phones and device ids of people and of crowds. */
  personKey: Buffer
  /** Makes the tokens by which values of forgotten people are refused; left out, nobody was forgotten. */
  tombstones?: TombstoneTokens
  /** For tests: smaller pieces of archives, fewer values compared at once. */
  pieceBytes?: number
  valuesAtOnce?: number
  /** For tests: keeps fewer malformed lines. */
  malformedRoom?: () => MalformedRoom
}

/** Checks the identifiers of uploaded crowds, stores their versions and matches them with our people. */
export function identifierStore({
  warehouse: { load },
  dataDir,
  shared = sharedFiles(null),
  personKey,
  tombstones,
  ...limits
}: Deps) {
  const versions = versionStore({ load, key: personKey, ...limits })
  return {
    /** Reads the version's files; `build` then adds the valid values to the crowd. Both may be repeated after a kill. */
    check: (request: CheckRequest, run: CheckRun = {}) =>
      checkFiles({ load, dataDir, shared, key: personKey, tombstones, ...limits }, request, run),
    build: versions.build,
    /** Removes everything of a failed version. */
    async discard(adv_id: number, crowd_id: number, version: number): Promise<void> {
      await dropStages(load.everyShard, crowd_id, version)
      await versions.drop({ adv_id, crowd_id }, [version])
    },
    /** Deletes the identifiers of a deleted crowd. */
    dropCrowd: (adv_id: number, crowd_id: number) => versions.drop({ adv_id, crowd_id }, 'all'),
    sizeOf: versions.sizeOf,

    /** A select of `value`: the text of each distinct identifier of the version. */
    valuesSql: (at: CrowdVersion) => textSql(at, personKey),
    /** A select of (bucket, value): the stored bytes, which are raw hashes or encrypted plain identifiers. */
    storedSql,
    /** A select of (bucket, value, sign): stored bytes added (1) and removed (-1) from one version to another. */
    storedChangesSql,

    /** Writes our people in the version as `crowd_member` rows under that number; returns their count. */
    membersOf: (at: CrowdVersion, members_version: number, { signal }: Run = {}) =>
      storePeople(load, { ...at, members_version }, textSql(at, personKey), personKey, signal),

    /** The compressed csv of a file's malformed lines; absent when there were none or they are older than 30 days. */
    malformedPath: (file_id: number) => malformedPath(dataDir, file_id),
    /** The bytes of that csv; null when there is none. */
    async readMalformed(file_id: number): Promise<Readable | null> {
      const packed = await shared.read(malformedPath(dataDir, file_id), malformedName(file_id))
      if (packed) return pipeline(packed, createGunzip(), () => {})
      return shared.read(...earlierMalformed(dataDir, file_id))
    },
    /** Path and name of the csv, and of one that an earlier version wrote. */
    malformedFiles: (file_id: number): [path: string, name: string][] => [
      [malformedPath(dataDir, file_id), malformedName(file_id)],
      earlierMalformed(dataDir, file_id),
    ],
    async removeMalformed(file_id: number): Promise<void> {
      await shared.remove(malformedPath(dataDir, file_id), malformedName(file_id))
      await shared.remove(...earlierMalformed(dataDir, file_id))
    },
    async sweepMalformed(now: number): Promise<void> {
      await sweepMalformed(dataDir, now)
      await shared.sweep(MALFORMED_PREFIX, (now - MALFORMED_KEPT_SECONDS) * 1000)
    },
    /** Versions whose check or build did not end; those without a running job must be discarded. */
    unfinished: () => stagedVersions(load.everyShard),
    workDirectory: (crowd_id: number, version: number) => workDirectory(dataDir, crowd_id, version),
  }
}
export type IdentifierStore = ReturnType<typeof identifierStore>

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { createLike } from '../clickhouse/create-like.ts'
import type { Handles } from '../clickhouse/handles.ts'
import type { ReadyText, UnreadMember } from '../files/text-lines.ts'
import type { SharedFiles } from '../storage/shared-files.ts'
import { storedBytes } from './identifier-sql.ts'
import type { MalformedRoom } from './malformed.ts'
import { dropStages, type StagePart, stageOf } from './stage.ts'
import { type Forgotten, forgottenOf, type TombstoneTokens } from './tombstones.ts'
import type { CheckRequest, CheckRun } from './types.ts'

export interface CheckDeps {
  load: Handles
  dataDir: string
  shared: SharedFiles
  /** The key that encrypts plain identifiers. */
  key: Buffer
  /** Makes the tokens by which values of forgotten people are refused; left out, nobody was forgotten. */
  tombstones?: TombstoneTokens | undefined
  /** For tests: smaller pieces of archives, fewer values compared at once. */
  pieceBytes?: number
  valuesAtOnce?: number
  /** For tests: keeps fewer malformed lines. */
  malformedRoom?: () => MalformedRoom
}

/** The result of reading a file. */
export interface FileRead {
  texts: ReadyText[]
  /** Texts of an archive that were left out. */
  unread: UnreadMember[]
  error: AnyOutcome | null
}

/** A running check: its tables, its directory, and what has been read of each file. */
export interface Check {
  deps: CheckDeps
  request: CheckRequest
  run: CheckRun
  directory: string
  tables: {
    /** Valid lines as stored values. */
    raw: string
    /** Lines that are malformed, or valid only without their blanks and quotes. */
    exceptions: string
    /** The version's distinct values. */
    values: string
    /** Lines sent to an engine on another machine, a table for each worker. */
    sent: readonly [string, string]
  }
  /** In the order of the request's files. */
  read: FileRead[]
  forgotten: Forgotten | null
}

/** Works of one check that run side by side. */
export const WORKERS = 2
/** One thread a statement: two threads of one statement would each collect the values and then merge them. */
export const SINGLE = { max_threads: 1, max_insert_threads: 1 }
/** How far a check is once all files are read. */
export const READ_SHARE = 0.5

export const workDirectory = (dataDir: string, crowd_id: number, version: number) =>
  join(dataDir, 'crowd-check', `${crowd_id}-${version}`)

/** Removes what an earlier attempt left, and creates the tables and the directory of this one. */
export async function openCheck(deps: CheckDeps, request: CheckRequest, run: CheckRun): Promise<Check> {
  const { load, dataDir } = deps
  const { crowd_id, version, type, files } = request
  const table = (part: StagePart) => stageOf(crowd_id, version, part)
  const directory = workDirectory(dataDir, crowd_id, version)
  const tables = {
    raw: table('raw'),
    exceptions: table('exceptions'),
    values: table('values'),
    sent: [table('lines0'), table('lines1')] as const,
  }
  const bytes = storedBytes(type)
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  await dropStages(load.everyShard, crowd_id, version)
  await load.oneNode.command(
    `CREATE TABLE ${tables.raw} (bucket UInt8, file UInt8, value ${bytes ? `FixedString(${bytes})` : 'String'} CODEC(NONE))
     ENGINE = MergeTree ORDER BY bucket`,
  )
  await load.oneNode.command(
    `CREATE TABLE ${tables.exceptions} (file UInt8, text UInt16, row UInt64 CODEC(Delta, LZ4), fault UInt8, line String)
     ENGINE = MergeTree ORDER BY (file, text, row)`,
  )
  for (const name of [tables.raw, tables.exceptions]) await load.oneNode.command(`SYSTEM STOP MERGES ${name}`)
  await createLike(load.everyShard, [{ stage: tables.values, table: 'crowd_identifier' }])
  await load.everyShard.command(`SYSTEM STOP MERGES ${tables.values}`)
  const forgotten = deps.tombstones ? await forgottenOf(load.acrossShards, deps.tombstones, request.adv_id) : null
  const read = files.map(() => ({ texts: [], unread: [], error: null }))
  return { deps, request, run, directory, tables, read, forgotten }
}

/** Removes the directory and the tables, but not `values` where it is kept. */
export async function closeCheck({ deps, directory, tables }: Check, { keepsValues }: { keepsValues: boolean }) {
  const { raw, exceptions, sent, values } = tables
  await rm(directory, { recursive: true, force: true })
  for (const table of [raw, exceptions, ...sent, ...(keepsValues ? [] : [values])])
    await deps.load.everyShard.command(`DROP TABLE IF EXISTS ${table} SYNC`)
}

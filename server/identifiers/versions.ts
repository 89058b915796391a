import { createLike } from '../clickhouse/create-like.ts'
import type { Handles } from '../clickhouse/handles.ts'
import { identifierSql, rangesOf } from './identifier-sql.ts'
import { storePeople } from './people.ts'
import { dropStages, stageOf } from './stage.ts'
import type { BuildRequest, Built, CrowdVersion, Run } from './types.ts'

interface Deps {
  load: Handles
  key: Buffer
  /** For tests: fewer values compared at once. */
  valuesAtOnce?: number | undefined
}
type Ref = Omit<CrowdVersion, 'type'>

const PARTITIONS = 64
const VALUES_AT_ONCE = 2_000_000
const STAGED_SHARE = 0.6
const ofCrowd = ({ adv_id, crowd_id }: Pick<Ref, 'adv_id' | 'crowd_id'>) =>
  `adv_id = ${Number(adv_id)} AND crowd_id = ${Number(crowd_id)}`

/** The distinct stored bytes of a version's identifiers as `value`, with their `bucket`; `within`: a further condition. */
export function storedSql(at: Ref, within = ''): string {
  const upTo = `${ofCrowd(at)} AND version <= ${Number(at.version)}${within}`
  const hasRemovals = `(SELECT count() > 0 FROM crowd_identifier WHERE ${upTo} AND sign < 0)`
  // If nothing was ever removed, each row is a value; otherwise signs are summed, a bucket at a time.
  return `SELECT bucket, value FROM crowd_identifier WHERE ${upTo} AND NOT ${hasRemovals}
    UNION ALL
    SELECT bucket, value FROM crowd_identifier WHERE ${upTo} AND ${hasRemovals}
    GROUP BY adv_id, crowd_id, bucket, value HAVING sum(sign) > 0 SETTINGS optimize_aggregation_in_order = 1`
}

/** The changes between two versions as `value` and `sign`: 1 added, -1 removed. */
export function storedChangesSql(at: Pick<Ref, 'adv_id' | 'crowd_id'>, from: number, to: number, within = ''): string {
  const [low, high, factor] = from <= to ? [from, to, 1] : [to, from, -1]
  return `SELECT bucket, value, toInt8(${factor} * net) AS sign FROM (
      SELECT bucket, value, sum(sign) AS net FROM crowd_identifier
      WHERE ${ofCrowd(at)} AND version > ${Number(low)} AND version <= ${Number(high)}${within}
      GROUP BY adv_id, crowd_id, bucket, value HAVING net != 0 SETTINGS optimize_aggregation_in_order = 1)`
}

/** The identifiers of a version as text: hashes in lower-case hex, plain ones as uploaded. */
export const textSql = (at: CrowdVersion, key: Buffer): string =>
  `SELECT ${identifierSql(at.type, key).text('value')} AS value FROM (${storedSql(at)})`

/** Stores each version of an uploaded crowd as its changes to the version before. */
export function versionStore({ load, key, valuesAtOnce = VALUES_AT_ONCE }: Deps) {
  async function sizeOf(at: Ref): Promise<number> {
    const [row] = await load.acrossShards.query<{ n: number }>(
      `SELECT sum(sign) AS n FROM crowd_identifier WHERE ${ofCrowd(at)} AND version <= ${Number(at.version)}`,
    )
    return row?.n ?? 0
  }

  async function deleteRows(at: Pick<Ref, 'adv_id' | 'crowd_id'>, which: string) {
    const where = `${ofCrowd(at)} AND ${which}`
    // A delete reads every part of the partition, so a cheap count comes first.
    const [found] = await load.acrossShards.query<{ n: number }>(
      `SELECT count() AS n FROM crowd_identifier WHERE ${where}`,
    )
    if (!found || found.n === 0) return
    await load.everyShard.command(
      `ALTER TABLE crowd_identifier DELETE IN PARTITION ID '${at.crowd_id % PARTITIONS}' WHERE ${where} SETTINGS mutations_sync = 2`,
    )
  }

  const countBuckets = (from: string) =>
    load.acrossShards.query<{ bucket: number; n: number }>(
      `SELECT bucket, count() AS n FROM (${from}) GROUP BY bucket ORDER BY bucket`,
    )

  /** Fills a stage with the version's changes, in ranges small enough to compare in memory. */
  async function stageChange(request: BuildRequest, stage: string, { signal, progress }: Run) {
    const { adv_id, crowd_id, version, base_version, kind, restored_from } = request
    const values = stageOf(crowd_id, version, 'values')
    const base = `SELECT bucket FROM crowd_identifier WHERE ${ofCrowd(request)} AND version <= ${Number(base_version)}`
    const rows = await countBuckets(kind === 'restore' ? base : `${base} UNION ALL SELECT bucket FROM ${values}`)
    const ranges = rangesOf(rows, valuesAtOnce)
    for (const [done, { first, last }] of ranges.entries()) {
      const within = ` AND bucket BETWEEN ${first} AND ${last}`
      const ofBase = `(SELECT value FROM (${storedSql({ adv_id, crowd_id, version: base_version }, within)}))`
      const ofFiles = (sign: 1 | -1, isIn: string) =>
        `SELECT bucket, value, ${sign} AS sign, file FROM ${values} WHERE value ${isIn} ${ofBase}${within}`
      const change =
        kind === 'restore'
          ? `SELECT bucket, value, sign, 0 AS file FROM (${storedChangesSql(request, base_version, restored_from ?? 0, within)})`
          : kind === 'remove'
            ? ofFiles(-1, 'IN')
            : ofFiles(1, 'NOT IN')
      await load.acrossShards.command(
        `INSERT INTO ${stage} (adv_id, crowd_id, bucket, version, value, sign, file)
         SELECT ${adv_id}, ${crowd_id}, bucket, ${version}, value, sign, file FROM (${change})`,
        {},
        { signal },
      )
      progress?.((STAGED_SHARE * (done + 1)) / ranges.length, '与现有标识比对')
    }
  }

  /** Moves the whole stage into the table as rows of the version, without rewriting them. */
  async function attach(at: Ref, stage: string) {
    const [staged] = await load.acrossShards.query<{ n: number }>(`SELECT count() AS n FROM ${stage}`)
    if (!staged || staged.n === 0) return
    await load.everyShard.command(
      `ALTER TABLE crowd_identifier ATTACH PARTITION ID '${at.crowd_id % PARTITIONS}' FROM ${stage}`,
    )
    const [kept] = await load.acrossShards.query<{ n: number }>(
      `SELECT count() AS n FROM crowd_identifier WHERE ${ofCrowd(at)} AND version = ${Number(at.version)}`,
    )
    if (kept?.n !== staged.n) {
      // An attempt believed dead wrote rows meanwhile; the next attempt begins by deleting all of them.
      throw new Error(`version ${at.version} of crowd ${at.crowd_id} has ${kept?.n} rows, ${staged.n} were staged`)
    }
  }

  return {
    sizeOf,

    /**
     * Adds the version to the crowd from the stage that `checkFiles` left. May be repeated, also by another attempt: rows
     * of versions after the one in force were never in use, and are deleted first.
     */
    async build(request: BuildRequest, run: Run = {}): Promise<Built> {
      const { adv_id, crowd_id, version, type, base_version, kind } = request
      await deleteRows(request, `version > ${Number(base_version)}`)
      let stage = stageOf(crowd_id, version, 'values')
      if (base_version > 0 || kind === 'restore' || kind === 'remove') {
        stage = stageOf(crowd_id, version, 'change')
        await load.everyShard.command(`DROP TABLE IF EXISTS ${stage} SYNC`)
        await createLike(load.everyShard, [{ stage, table: 'crowd_identifier' }])
        await stageChange(request, stage, run)
      }
      await attach(request, stage)
      const size = await sizeOf(request)
      run.progress?.(STAGED_SHARE, '匹配用户')
      const people = { adv_id, crowd_id, members_version: version, type }
      const matched = await storePeople(load, people, textSql(request, key), key, run.signal)
      await dropStages(load.everyShard, crowd_id, version)
      run.progress?.(1, '已保存')
      return { size, matched }
    },

    /** Deletes rows of failed versions, or all rows of a deleted crowd. */
    async drop(at: Pick<Ref, 'adv_id' | 'crowd_id'>, versions: readonly number[] | 'all'): Promise<void> {
      if (versions === 'all') return deleteRows(at, '1')
      if (versions.length > 0) await deleteRows(at, `version IN (${versions.map(Number).join(', ')})`)
    },
  }
}

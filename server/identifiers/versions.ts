import type { Engine } from '../clickhouse/open.ts'
import { identifierSql } from './identifier-sql.ts'
import { storePeople } from './people.ts'
import { dropStages, stageOf } from './stage.ts'
import type { BuildRequest, Built, CrowdVersion, Run } from './types.ts'

interface Needs {
  load: Engine
  key: Buffer
}
type Ref = Omit<CrowdVersion, 'type'>

const PARTITIONS = 64
const ofCrowd = ({ adv_id, crowd_id }: Pick<Ref, 'adv_id' | 'crowd_id'>) =>
  `adv_id = ${Number(adv_id)} AND crowd_id = ${Number(crowd_id)}`

/** The stored bytes of a version's identifiers, each once, as `value`, beside their `bucket`. */
export function storedSql(at: Ref): string {
  const upTo = `${ofCrowd(at)} AND version <= ${Number(at.version)}`
  const leavers = `(SELECT count() > 0 FROM crowd_identifier WHERE ${upTo} AND sign < 0)`
  // Where nothing ever left each row is a value; else signs are added up, a bucket at a time.
  return `SELECT bucket, value FROM crowd_identifier WHERE ${upTo} AND NOT ${leavers}
    UNION ALL
    SELECT bucket, value FROM crowd_identifier WHERE ${upTo} AND ${leavers}
    GROUP BY adv_id, crowd_id, bucket, value HAVING sum(sign) > 0 SETTINGS optimize_aggregation_in_order = 1`
}

/** What changed between two versions, as `value` and `sign`: 1 came in, -1 went. */
export function storedChangesSql(at: Pick<Ref, 'adv_id' | 'crowd_id'>, from: number, to: number): string {
  const [low, high, factor] = from <= to ? [from, to, 1] : [to, from, -1]
  return `SELECT bucket, value, toInt8(${factor} * net) AS sign FROM (
      SELECT bucket, value, sum(sign) AS net FROM crowd_identifier
      WHERE ${ofCrowd(at)} AND version > ${Number(low)} AND version <= ${Number(high)}
      GROUP BY adv_id, crowd_id, bucket, value HAVING net != 0 SETTINGS optimize_aggregation_in_order = 1)`
}

/** The identifiers of a version as text: lower-case hex of hashes, plain ones as they were uploaded. */
export const textSql = (at: CrowdVersion, key: Buffer): string =>
  `SELECT ${identifierSql(at.type, key).text('value')} AS value FROM (${storedSql(at)})`

/** Keeps versions of uploaded crowds as what each of them changed. */
export function versionKeeping({ load, key }: Needs) {
  async function sizeOf(at: Ref): Promise<number> {
    const [row] = await load.query<{ n: number }>(
      `SELECT sum(sign) AS n FROM crowd_identifier WHERE ${ofCrowd(at)} AND version <= ${Number(at.version)}`,
    )
    return row?.n ?? 0
  }

  async function deleteRows(at: Pick<Ref, 'adv_id' | 'crowd_id'>, which: string) {
    const where = `${ofCrowd(at)} AND ${which}`
    // A delete looks at every part of the partition; asking first is cheap.
    const [found] = await load.query<{ n: number }>(`SELECT count() AS n FROM crowd_identifier WHERE ${where}`)
    if (!found || found.n === 0) return
    await load.command(
      `ALTER TABLE crowd_identifier DELETE IN PARTITION ID '${at.crowd_id % PARTITIONS}' WHERE ${where} SETTINGS mutations_sync = 2`,
    )
  }

  /** What the version changes, as a select of (bucket, value, sign, file); null when its stage is exactly that. */
  function changeSql({ kind, base_version, restored_from, ...at }: BuildRequest, values: string): string | null {
    const base = { ...at, version: base_version }
    switch (kind) {
      case 'create':
      case 'append':
        if (base_version === 0) return null
        return `SELECT bucket, value, 1 AS sign, file FROM ${values}
          WHERE (bucket, value) NOT IN (SELECT bucket, value FROM (${storedSql(base)}))`
      case 'remove':
        return `SELECT bucket, value, -1 AS sign, file FROM ${values}
          WHERE (bucket, value) IN (SELECT bucket, value FROM (${storedSql(base)}))`
      case 'restore':
        return `SELECT bucket, value, sign, 0 AS file FROM (${storedChangesSql(at, base_version, restored_from ?? 0)})`
    }
  }

  return {
    sizeOf,

    /**
     * Adds the version to the crowd, from what `checkFiles` left. May be run again, also by another attempt: whatever is
     * there of versions after the one in force was never anybody's.
     */
    async build(request: BuildRequest, { signal, progress }: Run = {}): Promise<Built> {
      const { adv_id, crowd_id, version, type, base_version } = request
      await deleteRows(request, `version > ${Number(base_version)}`)
      progress?.(0.1, '保存标识')
      const values = stageOf(crowd_id, version, 'values')
      const change = changeSql(request, values)
      if (change === null) {
        await load.command(`ALTER TABLE crowd_identifier ATTACH PARTITION ID '${crowd_id % PARTITIONS}' FROM ${values}`)
      } else {
        await load.command(
          `INSERT INTO crowd_identifier (adv_id, crowd_id, bucket, version, value, sign, file)
           SELECT ${adv_id}, ${crowd_id}, bucket, ${version}, value, sign, file FROM (${change})`,
          {},
          { signal },
        )
      }
      const size = await sizeOf(request)
      progress?.(0.6, '匹配用户')
      const matched = await storePeople(
        load,
        { adv_id, crowd_id, members_version: version, type },
        textSql(request, key),
        signal,
      )
      await dropStages(load, crowd_id, version)
      progress?.(1, '已保存')
      return { size, matched }
    },

    /** Takes rows of versions that failed; all of them when the crowd is gone. */
    async drop(at: Pick<Ref, 'adv_id' | 'crowd_id'>, versions: readonly number[] | 'all'): Promise<void> {
      if (versions === 'all') return deleteRows(at, '1')
      if (versions.length > 0) await deleteRows(at, `version IN (${versions.map(Number).join(', ')})`)
    },
  }
}

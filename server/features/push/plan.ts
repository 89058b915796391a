import type { Kysely } from 'kysely'
import { IDENTIFIERS, IdentifierType } from '#contract/identifier.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { platformsTaking } from '#contract/platform.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import { LONG_LISTS } from '../../clickhouse/long-lists.ts'
import { exclusionConditions, exclusionsOf } from '../../identifiers/exclusions.ts'
import { isPlain, sentSql } from '../../identifiers/forms-sql.ts'
import { identifierSql } from '../../identifiers/identifier-sql.ts'
import type { AudiencePlatform } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import { platformHoldings } from './platform-holdings.ts'
import { type CustomValues, type Source, sourceSql } from './source.ts'

export interface PlanDeps {
  db: Kysely<Database>
  engine: Handles
  customValues: CustomValues
  /** The key that encrypts plain identifiers. */
  personKey: Buffer
}

export interface TypeCounts {
  type: IdentifierType
  total: number
  suppressed: number
  no_consent: number
  not_sendable: number
  sendable: number
  /** Why no value of the type can be sent. */
  obstacle: AnyOutcome | null
}

export interface PlannedPart {
  no: number
  op: 'add' | 'remove'
  type: IdentifierType
  count: number
}

export interface Plan {
  types: TypeCounts[]
  parts: PlannedPart[]
}

/** Why values of a type cannot go to a platform; null when they can. */
function typeObstacle(platform: AudiencePlatform, type: IdentifierType): AnyOutcome | null {
  const { reason } = platform.formOf(type)
  if (platformsTaking(type).includes(platform.code)) return reason
  return reason ?? outcome('platform_does_not_take_type', { type: IDENTIFIERS[type].label })
}

/** Types that are sent in the same form are one type on the platform; the one that needs no transformation stands for all. */
function travelsAs(platform: AudiencePlatform, type: IdentifierType): IdentifierType {
  const { form } = platform.formOf(type)
  if (!form || form.transform === 'none') return type
  const same = IdentifierType.options.find((other) => {
    const of = platform.formOf(other).form
    return of?.wire === form.wire && of.transform === 'none'
  })
  return same ?? type
}

/** Bytes of the longest value of a type, with the line break. */
const BYTES: Record<string, number> = { IDFA: 37, IMEI: 16, OAID: 65, MAC: 18, QQ: 13 }
const bytesOf = (type: IdentifierType) =>
  (isPlain(type) ? BYTES[type] : IDENTIFIERS[type].form === 'md5' ? 33 : 65) ?? 65

export const partSize = ({ limits }: AudiencePlatform, type: IdentifierType) =>
  Math.max(1, Math.min(limits.partValues, Math.floor(limits.partBytes / bytesOf(type))))

/** Counts what can be sent of a crowd to a platform, and plans the differences. */
export function planner({ db, engine, customValues, personKey }: PlanDeps) {
  /** Counts the values of each type and what is left out of them; writes nothing. */
  async function count(
    source: Source,
    types: readonly IdentifierType[],
    platform: AudiencePlatform,
    signal?: AbortSignal,
  ): Promise<TypeCounts[]> {
    const exclusions = await exclusionsOf(db, engine.acrossShards, source.adv_id, personKey)
    const counts: TypeCounts[] = []
    for (const type of types) {
      const obstacle = typeObstacle(platform, type)
      const { suppressed, noConsent } = exclusionConditions(type, exclusions, personKey)
      if (
        source.kind === 'custom' &&
        source.size !== null &&
        (obstacle !== null || (suppressed === '0' && noConsent === '0'))
      ) {
        counts.push(countsOf(type, source.size, 0, 0, obstacle))
        continue
      }
      const [row] = await engine.acrossShards.query<{ total: number; suppressed: number; no_consent: number }>(
        `SELECT toFloat64(count()) AS total, toFloat64(countIf(s)) AS suppressed, toFloat64(countIf(NOT s AND c)) AS no_consent
         FROM (SELECT ${obstacle === null ? `(${suppressed}) AS s, (${noConsent}) AS c` : '0 AS s, 0 AS c'}
               FROM (${sourceSql(source, type, customValues, personKey)}))`,
        { adv_id: source.adv_id },
        { settings: LONG_LISTS, ...(signal ? { signal } : {}) },
      )
      counts.push(countsOf(type, row?.total ?? 0, row?.suppressed ?? 0, row?.no_consent ?? 0, obstacle))
    }
    return counts
  }

  /** Writes the difference between what the platform holds and what it should hold, cut into parts. */
  async function write(
    source: Source,
    types: readonly IdentifierType[],
    platform: AudiencePlatform,
    into: { child_id: number; plan_id: number },
    signal: AbortSignal,
  ): Promise<Plan> {
    const { child_id, plan_id } = into
    const params = { adv_id: source.adv_id }
    const options = { settings: LONG_LISTS, signal }
    const exclusions = await exclusionsOf(db, engine.acrossShards, source.adv_id, personKey)
    const holdings = await platformHoldings(db, child_id)
    const sendable = types.filter((type) => typeObstacle(platform, type) === null)
    const from = (type: IdentifierType) => sourceSql(source, type, customValues, personKey)

    let mayBeExcluded = false
    for (const type of sendable) {
      const { suppressed, noConsent } = exclusionConditions(type, exclusions, personKey)
      if (suppressed === '0' && noConsent === '0') continue
      mayBeExcluded = true
      await engine.acrossShards.command(
        `INSERT INTO push_excluded (child_id, plan_id, id_type, why, value)
         SELECT ${child_id}, ${plan_id}, '${type}', if(s, 1, 2), ${identifierSql(type, personKey).stored('value')}
         FROM (SELECT value, (${suppressed}) AS s, (${noConsent}) AS c FROM (${from(type)})) WHERE s OR c`,
        params,
        options,
      )
    }
    const excluded = mayBeExcluded
      ? await engine.acrossShards.query<{ id_type: IdentifierType; why: number; n: number }>(
          `SELECT id_type, why, toFloat64(count()) AS n FROM push_excluded
           WHERE child_id = ${child_id} AND plan_id = ${plan_id} GROUP BY id_type, why`,
        )
      : []
    const left = (type: IdentifierType, why?: 1 | 2) =>
      excluded
        .filter((row) => row.id_type === type && (why === undefined || row.why === why))
        .reduce((sum, row) => sum + row.n, 0)

    /** Selects the stored `value` of everything that should be on the platform in the form of `as`. */
    const wanted = (as: IdentifierType) =>
      sendable
        .filter((type) => travelsAs(platform, type) === as)
        .map((type) => {
          const transform = platform.formOf(type).form?.transform ?? 'none'
          const kept =
            left(type) === 0
              ? ''
              : ` WHERE value NOT IN (SELECT ${identifierSql(type, personKey).text('kept')} FROM (
                    SELECT value AS kept FROM push_excluded
                    WHERE child_id = ${child_id} AND plan_id = ${plan_id} AND id_type = '${type}'))`
          return `SELECT ${identifierSql(as, personKey).stored(sentSql(transform, 'text'))} AS value
            FROM (SELECT value AS text FROM (${from(type)})${kept})`
        })

    const asTypes = [...new Set([...sendable.map((type) => travelsAs(platform, type)), ...holdings.types])]
    let offset = 0
    // Removals come first.
    for (const op of ['remove', 'add'] as const) {
      if (op === 'remove' && holdings.isEmpty) continue
      for (const as of asTypes) {
        const parts = wanted(as)
        const isLast = op === 'add' && as === asTypes.at(-1)
        const size = partSize(platform, as)
        // Untransformed values of a single type are distinct already.
        const isWhole =
          holdings.isEmpty &&
          parts.length === 1 &&
          sendable.includes(as) &&
          platform.formOf(as).form?.transform === 'none'
        if (parts.length === 0 && op === 'add') continue
        const difference = isWhole
          ? parts[0]
          : `SELECT value FROM (
               ${[
                 ...parts.map((sql) => `SELECT value, 1 AS w, 0 AS h, 1 AS k FROM (${sql})`),
                 ...(holdings.types.includes(as)
                   ? [`SELECT value, 0 AS w, is_held AS h, is_sure AS k FROM (${holdings.sql(as)})`]
                   : []),
               ].join(' UNION ALL ')})
             GROUP BY value HAVING ${
               op === 'add' ? 'max(w) = 1 AND (max(h) = 0 OR min(k) = 0)' : 'max(w) = 0 AND (max(h) = 1 OR min(k) = 0)'
             }`
        await engine.acrossShards.command(
          `INSERT INTO push_value (child_id, plan_id, part, op, id_type, value)
           SELECT ${child_id}, ${plan_id}, ${offset + 1} + intDiv(rowNumberInAllBlocks(), ${size}),
             ${op === 'add' ? 1 : -1}, '${as}', value
           FROM (${difference})`,
          params,
          options,
        )
        if (isLast) break
        const [row] = await engine.acrossShards.query<{ last: number }>(
          `SELECT max(part) AS last FROM push_value WHERE child_id = ${child_id} AND plan_id = ${plan_id}`,
        )
        offset = Math.max(offset, row?.last ?? 0)
      }
    }
    const parts = await engine.acrossShards.query<{ no: number; o: number; type: IdentifierType; count: number }>(
      `SELECT part AS no, any(op) AS o, any(id_type) AS type, toFloat64(count()) AS count FROM push_value
       WHERE child_id = ${child_id} AND plan_id = ${plan_id} GROUP BY part ORDER BY part`,
    )
    const counts: TypeCounts[] = []
    for (const type of types) {
      const obstacle = typeObstacle(platform, type)
      const total = source.kind === 'custom' && source.size !== null ? source.size : await totalOf(source, type)
      counts.push(countsOf(type, total, left(type, 1), left(type, 2), obstacle))
    }
    return {
      types: counts,
      parts: parts.map(({ no, o, type, count }) => ({ no, op: o === 1 ? 'add' : 'remove', type, count })),
    }
  }

  async function totalOf(source: Source, type: IdentifierType) {
    const [row] = await engine.acrossShards.query<{ n: number }>(
      `SELECT toFloat64(count()) AS n FROM (${sourceSql(source, type, customValues, personKey)})`,
      { adv_id: source.adv_id },
      { settings: LONG_LISTS },
    )
    return row?.n ?? 0
  }

  return {
    count,
    write,
    /** Deletes the values of a plan that was cut short, or of a child that was removed. */
    async drop(child_id: number, plan_id?: number) {
      const where = `child_id = ${child_id}${plan_id === undefined ? '' : ` AND plan_id = ${plan_id}`}`
      for (const table of ['push_value', 'push_excluded'])
        await engine.everyShard.command(`DELETE FROM ${table} WHERE ${where}`)
    },
  }
}
export type Planner = ReturnType<typeof planner>

function countsOf(
  type: IdentifierType,
  total: number,
  suppressed: number,
  no_consent: number,
  obstacle: AnyOutcome | null,
): TypeCounts {
  if (obstacle !== null)
    return { type, total, suppressed: 0, no_consent: 0, not_sendable: total, sendable: 0, obstacle }
  const sendable = total - suppressed - no_consent
  return { type, total, suppressed, no_consent, not_sendable: 0, sendable, obstacle }
}

import { IdentifierType } from '#contract/identifier.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { LONG_LISTS } from '../../clickhouse/long-lists.ts'
import { type Exclusions, exclusionConditions } from '../../identifiers/exclusions.ts'
import { sentSql } from '../../identifiers/forms-sql.ts'
import { identifierSql } from '../../identifiers/identifier-sql.ts'
import type { AudiencePlatform } from '../../platforms/audience-platform.ts'
import { HELD_OUT_SETTINGS } from './held-out.ts'
import { partSize } from './part-size.ts'
import type { PlatformHoldings } from './platform-holdings.ts'

export interface PlannedPart {
  no: number
  op: 'add' | 'remove'
  type: IdentifierType
  count: number
}

interface PlanRun {
  acrossShards: AcrossShards
  adv_id: number
  child_id: number
  plan_id: number
  platform: AudiencePlatform
  personKey: Buffer
  /** The crowd's types that the platform takes. */
  sendable: readonly IdentifierType[]
  /** Selects the crowd's `value`s of a type. */
  valuesOf(type: IdentifierType): string
  /** Selects those of them that the crowd's control group holds out; null where the crowd has none. */
  heldOutOf: ((type: IdentifierType) => string) | null
  signal: AbortSignal
}

const WHY = { suppressed: 1, no_consent: 2, held_out: 3 } as const
/** How many values of a type are left out, for one reason or for any. */
type Excluded = (type: IdentifierType, why?: keyof typeof WHY) => number

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

/** Writes the values of a plan into `push_excluded` and `push_value`. */
export function planValues(run: PlanRun) {
  const { acrossShards, child_id, plan_id, platform, personKey, sendable } = run
  const ofPlan = `child_id = ${child_id} AND plan_id = ${plan_id}`
  const params = { adv_id: run.adv_id }
  const options = { settings: LONG_LISTS, signal: run.signal }

  /** Writes the values of suppressed people, of people without consent and of the control group; the first reason counts. */
  async function exclude(exclusions: Exclusions): Promise<Excluded> {
    let mayBeExcluded = false
    for (const type of sendable) {
      const { suppressed, noConsent } = exclusionConditions(type, exclusions, personKey)
      if (suppressed === '0' && noConsent === '0') continue
      mayBeExcluded = true
      await acrossShards.command(
        `INSERT INTO push_excluded (child_id, plan_id, id_type, why, value)
         SELECT ${child_id}, ${plan_id}, '${type}', if(s, ${WHY.suppressed}, ${WHY.no_consent}),
           ${identifierSql(type, personKey).stored('value')}
         FROM (SELECT value, (${suppressed}) AS s, (${noConsent}) AS c FROM (${run.valuesOf(type)})) WHERE s OR c`,
        params,
        options,
      )
    }
    for (const type of run.heldOutOf === null ? [] : sendable) {
      mayBeExcluded = true
      const stored = identifierSql(type, personKey).stored('value')
      await acrossShards.command(
        `INSERT INTO push_excluded (child_id, plan_id, id_type, why, value)
         SELECT ${child_id}, ${plan_id}, '${type}', ${WHY.held_out}, ${stored} AS kept FROM (${run.heldOutOf?.(type)})
         WHERE kept NOT IN (SELECT value FROM push_excluded WHERE ${ofPlan} AND id_type = '${type}')`,
        params,
        { ...options, settings: HELD_OUT_SETTINGS },
      )
    }
    const rows = mayBeExcluded
      ? await acrossShards.query<{ id_type: IdentifierType; why: number; n: number }>(
          `SELECT id_type, why, toFloat64(count()) AS n FROM push_excluded WHERE ${ofPlan} GROUP BY id_type, why`,
        )
      : []
    return (type, why) =>
      rows
        .filter((row) => row.id_type === type && (why === undefined || row.why === WHY[why]))
        .reduce((sum, row) => sum + row.n, 0)
  }

  /**
   * Writes what is to be removed and added: removals first, unless nothing is known to be in the audience, since a
   * platform refuses to remove from an empty one.
   */
  async function writeDifferences(holdings: PlatformHoldings, excluded: Excluded): Promise<void> {
    const asTypes = [...new Set([...sendable.map((type) => travelsAs(platform, type)), ...holdings.types])]
    let lastPart = 0
    const ops = holdings.hasTaken ? (['remove', 'add'] as const) : (['add', 'remove'] as const)
    for (const op of ops) {
      if (op === 'remove' && holdings.isEmpty) continue
      for (const as of asTypes) {
        const wanted = wantedSelects(as, excluded)
        if (wanted.length === 0 && op === 'add') continue
        await acrossShards.command(
          `INSERT INTO push_value (child_id, plan_id, part, op, id_type, value)
           SELECT ${child_id}, ${plan_id}, ${lastPart + 1} + intDiv(rowNumberInAllBlocks(), ${partSize(platform, as)}),
             ${op === 'add' ? 1 : -1}, '${as}', value
           FROM (${differenceSql(op, as, wanted, holdings)})`,
          params,
          options,
        )
        if (op === ops[1] && as === asTypes.at(-1)) break
        const [row] = await acrossShards.query<{ last: number }>(
          `SELECT max(part) AS last FROM push_value WHERE ${ofPlan}`,
        )
        lastPart = Math.max(lastPart, row?.last ?? 0)
      }
    }
  }

  /** Selects the stored `value` of everything that should be on the platform in the form of `as`. */
  function wantedSelects(as: IdentifierType, excluded: Excluded): string[] {
    return sendable
      .filter((type) => travelsAs(platform, type) === as)
      .map((type) => {
        const transform = platform.formOf(type).form?.transform ?? 'none'
        const kept =
          excluded(type) === 0
            ? ''
            : ` WHERE value NOT IN (SELECT ${identifierSql(type, personKey).text('kept')} FROM (
                  SELECT value AS kept FROM push_excluded WHERE ${ofPlan} AND id_type = '${type}'))`
        return `SELECT ${identifierSql(as, personKey).stored(sentSql(transform, 'text'))} AS value
          FROM (SELECT value AS text FROM (${run.valuesOf(type)})${kept})`
      })
  }

  function differenceSql(
    op: PlannedPart['op'],
    as: IdentifierType,
    wanted: readonly string[],
    holdings: PlatformHoldings,
  ): string {
    const [only] = wanted
    const isPlain = sendable.includes(as) && platform.formOf(as).form?.transform === 'none'
    // Untransformed values of a single type are distinct already.
    if (only !== undefined && wanted.length === 1 && holdings.isEmpty && isPlain) return only
    const sides = wanted.map((sql) => `SELECT value, 1 AS w, 0 AS h, 1 AS k FROM (${sql})`)
    if (holdings.types.includes(as)) {
      sides.push(`SELECT value, 0 AS w, is_held AS h, is_sure AS k FROM (${holdings.sql(as)})`)
    }
    return `SELECT value FROM (${sides.join(' UNION ALL ')}) GROUP BY value HAVING ${
      op === 'add' ? 'max(w) = 1 AND (max(h) = 0 OR min(k) = 0)' : 'max(w) = 0 AND (max(h) = 1 OR min(k) = 0)'
    }`
  }

  async function parts(): Promise<PlannedPart[]> {
    const rows = await acrossShards.query<{ no: number; o: number; type: IdentifierType; count: number }>(
      `SELECT part AS no, any(op) AS o, any(id_type) AS type, toFloat64(count()) AS count FROM push_value
       WHERE ${ofPlan} GROUP BY part ORDER BY part`,
    )
    return rows.map(({ no, o, type, count }) => ({ no, op: o === 1 ? 'add' : 'remove', type, count }))
  }

  return { exclude, writeDifferences, parts }
}

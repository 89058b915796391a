import type { Kysely } from 'kysely'
import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { platformsTaking } from '#contract/platform.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import { LONG_LISTS } from '../../clickhouse/long-lists.ts'
import { type ControlGroup, controlGroupOf } from '../../crowds/control-groups.ts'
import { exclusionConditions, exclusionsOf } from '../../identifiers/exclusions.ts'
import type { AudiencePlatform } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import { HELD_OUT_SETTINGS, heldOutValuesSql } from './held-out.ts'
import { type PlannedPart, planValues } from './plan-values.ts'
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
  held_out: number
  not_sendable: number
  sendable: number
  /** Why no value of the type can be sent. */
  obstacle: AnyOutcome | null
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
    const control = await controlGroupOf(db, source)
    const counts: TypeCounts[] = []
    for (const type of types) {
      const obstacle = typeObstacle(platform, type)
      const { suppressed, noConsent } = exclusionConditions(type, exclusions, personKey)
      if (
        source.kind === 'custom' &&
        source.size !== null &&
        (obstacle !== null || (suppressed === '0' && noConsent === '0' && control === null))
      ) {
        counts.push(countsOf(type, source.size, NOBODY, obstacle))
        continue
      }
      const [row] = await engine.acrossShards.query<{ total: number; suppressed: number; no_consent: number }>(
        `SELECT toFloat64(count()) AS total, toFloat64(countIf(s)) AS suppressed, toFloat64(countIf(NOT s AND c)) AS no_consent
         FROM (SELECT ${obstacle === null ? `(${suppressed}) AS s, (${noConsent}) AS c` : '0 AS s, 0 AS c'}
               FROM (${sourceSql(source, type, customValues, personKey)}))`,
        { adv_id: source.adv_id },
        { settings: LONG_LISTS, ...(signal ? { signal } : {}) },
      )
      const held_out =
        control === null || obstacle !== null
          ? 0
          : await countHeldOut(source, type, control, `(${suppressed}) OR (${noConsent})`, signal)
      const { total, ...left } = row ?? { total: 0, suppressed: 0, no_consent: 0 }
      counts.push(countsOf(type, total, { ...left, held_out }, obstacle))
    }
    return counts
  }

  /** How many values of a type the control group holds out, besides those that are left out anyway. */
  async function countHeldOut(
    source: Source,
    type: IdentifierType,
    control: ControlGroup,
    isLeftOut: string,
    signal?: AbortSignal,
  ): Promise<number> {
    const [row] = await engine.acrossShards.query<{ n: number }>(
      `SELECT toFloat64(count()) AS n FROM (${heldOutOf(source, type, control)}) WHERE NOT (${isLeftOut})`,
      { adv_id: source.adv_id },
      { settings: HELD_OUT_SETTINGS, ...(signal ? { signal } : {}) },
    )
    return row?.n ?? 0
  }

  const heldOutOf = (source: Source, type: IdentifierType, control: ControlGroup) =>
    heldOutValuesSql(source, type, control, sourceSql(source, type, customValues, personKey), personKey)

  /** Writes the difference between what the platform holds and what it should hold, cut into parts. */
  async function write(
    source: Source,
    types: readonly IdentifierType[],
    platform: AudiencePlatform,
    into: { child_id: number; plan_id: number; control: ControlGroup | null },
    signal: AbortSignal,
  ): Promise<Plan> {
    const exclusions = await exclusionsOf(db, engine.acrossShards, source.adv_id, personKey)
    const holdings = await platformHoldings(db, into.child_id)
    const { control, ...plan } = into
    const values = planValues({
      ...plan,
      acrossShards: engine.acrossShards,
      adv_id: source.adv_id,
      platform,
      personKey,
      sendable: types.filter((type) => typeObstacle(platform, type) === null),
      valuesOf: (type) => sourceSql(source, type, customValues, personKey),
      heldOutOf: control && ((type) => heldOutOf(source, type, control)),
      signal,
    })
    const excluded = await values.exclude(exclusions)
    await values.writeDifferences(holdings, excluded)
    const parts = await values.parts()
    const counts: TypeCounts[] = []
    for (const type of types) {
      const obstacle = typeObstacle(platform, type)
      const total = source.kind === 'custom' && source.size !== null ? source.size : await totalOf(source, type)
      const left = {
        suppressed: excluded(type, 'suppressed'),
        no_consent: excluded(type, 'no_consent'),
        held_out: excluded(type, 'held_out'),
      }
      counts.push(countsOf(type, total, left, obstacle))
    }
    return { types: counts, parts }
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

type LeftOut = Pick<TypeCounts, 'suppressed' | 'no_consent' | 'held_out'>
const NOBODY: LeftOut = { suppressed: 0, no_consent: 0, held_out: 0 }

function countsOf(type: IdentifierType, total: number, left: LeftOut, obstacle: AnyOutcome | null): TypeCounts {
  if (obstacle !== null) return { type, total, ...NOBODY, not_sendable: total, sendable: 0, obstacle }
  const sendable = total - left.suppressed - left.no_consent - left.held_out
  return { type, total, ...left, not_sendable: 0, sendable, obstacle }
}

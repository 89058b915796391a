import type { Kysely } from 'kysely'
import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { type Outcome, outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { CrowdKind } from '../../crowds/kinds.ts'
import { AppError } from '../../errors.ts'
import { personTextSql } from '../../identifiers/forms-sql.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'

/** What a push needs to know of a crowd. */
export interface Source {
  kind: CrowdKind
  id: number
  adv_id: number
  name: string
  creator_id: number
  /** The version in force; 0 when there is none yet. */
  version: number
  /** The version of its people in the warehouse, which of an uploaded crowd is another number. */
  members_version: number
  /** The type of an uploaded crowd; null of a rule crowd, whose people have identifiers of many types. */
  type: IdentifierType | null
  /** Distinct identifiers of an uploaded crowd, people of a rule crowd. */
  size: number | null
  /** Why it cannot be pushed as it stands. */
  obstacle: Outcome | null
}

/** The crowd is empty; members pushed earlier must still be removed. */
export const isEmptied = ({ obstacle }: Source) =>
  obstacle?.code === 'source_without_identifiers' || obstacle?.code === 'source_without_people'

const notComputed = (fail_reason: AnyOutcome | null) =>
  fail_reason ? outcome('source_failed', { cause: fail_reason }) : outcome('source_computing')

export async function findSource(db: Kysely<Database>, kind: CrowdKind, id: number): Promise<Source | null> {
  if (kind === 'custom') {
    const row = await db
      .selectFrom('custom_crowd')
      .selectAll()
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!row) return null
    const obstacle =
      row.version === 0 ? notComputed(row.fail_reason) : row.size === 0 ? outcome('source_without_identifiers') : null
    const { adv_id, name, creator_id, version, size } = row
    const { members_version, user_id_type: type } = row
    return { kind, id, adv_id, name, creator_id, version, members_version, type, size, obstacle }
  }
  const row = await db
    .selectFrom('people')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const obstacle =
    row.invalid_time < now()
      ? outcome('source_expired')
      : row.version === 0
        ? notComputed(row.fail_reason)
        : row.rule_changed
          ? outcome('source_rule_changed')
          : row.magnitude === 0
            ? outcome('source_without_people')
            : null
  const { adv_id, name, creator_id, version, magnitude } = row
  return {
    kind,
    id,
    adv_id,
    name,
    creator_id,
    version,
    members_version: version,
    type: null,
    size: magnitude,
    obstacle,
  }
}

export async function mustFindSource(
  db: Kysely<Database>,
  viewer: { isMember(adv_id: number): boolean },
  kind: CrowdKind,
  id: number,
): Promise<Source> {
  const source = await findSource(db, kind, id)
  if (!source || !viewer.isMember(source.adv_id)) throw new AppError('notFound', { what: '人群' })
  return source
}

/** Selects the canonical text `value` of each identifier of an uploaded crowd. */
export type CustomValues = (of: { adv_id: number; crowd_id: number; version: number; type: IdentifierType }) => string

/** A select of the distinct canonical text `value` of each identifier of a type that the crowd's version holds. */
export function sourceSql(source: Source, type: IdentifierType, customValues: CustomValues, personKey: Buffer): string {
  const { adv_id, id, version } = source
  if (source.kind === 'custom') return customValues({ adv_id, crowd_id: id, version, type })
  // Grouped in storage order, so that few values are in memory at a time.
  return `SELECT ${personTextSql(type, 'value_hash', personKey)} AS value FROM (
    SELECT value_hash FROM identifier
    WHERE adv_id = ${adv_id} AND id_type = '${type}' AND uid IN (
      SELECT arrayJoin(bitmapToArray(bitmap)) FROM crowd_member
      WHERE adv_id = ${adv_id} AND crowd_id = ${id} AND version = ${version})
    GROUP BY adv_id, id_type, value_hash SETTINGS optimize_aggregation_in_order = 1)`
}

/** What a person says of it. */
export const typeLabel = (type: IdentifierType) => IDENTIFIERS[type].label

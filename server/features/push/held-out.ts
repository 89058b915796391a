import type { IdentifierType } from '#contract/identifier.ts'
import { LONG_LISTS } from '../../clickhouse/long-lists.ts'
import { type ControlGroup, heldOutSql } from '../../crowds/control-groups.ts'
import { comparedWithPeople, LONG_JOINS } from '../../identifiers/people.ts'
import type { Source } from './source.ts'

/** For statements with `heldOutValuesSql`. */
export const HELD_OUT_SETTINGS = { ...LONG_LISTS, ...LONG_JOINS }

/**
 * A select of the `value`s of a crowd that its control group holds out: all that belong to one of its people, in any
 * form that can be compared. An uploaded value of nobody we know decides for itself.
 */
export function heldOutValuesSql(
  source: Source,
  type: IdentifierType,
  control: ControlGroup,
  /** A select of the crowd's `value`s of the type. */
  values: string,
  personKey: Buffer,
): string {
  const { adv_id, kind, id, version } = source
  const { of, theirs } = comparedWithPeople(adv_id, type, personKey)
  const ours = `SELECT value, ${of} AS value_hash FROM (${values})`
  const people = `SELECT uid FROM person_key WHERE adv_id = ${adv_id} AND ${heldOutSql(control, 'one_id')}`
  if (kind === 'rule') {
    const members = `SELECT arrayJoin(bitmapToArray(bitmap)) FROM crowd_member
      WHERE adv_id = ${adv_id} AND crowd_id = ${id} AND version = ${version}`
    return `SELECT DISTINCT value FROM (${ours}) AS ours SEMI LEFT JOIN (
      SELECT value_hash FROM (${theirs}) WHERE uid IN (${people} AND uid IN (${members}))) AS theirs USING value_hash`
  }
  return `SELECT value FROM (
    SELECT value, max(is_known) AS is_known, max(is_held) AS is_held FROM (${ours}) AS ours LEFT JOIN (
      SELECT value_hash, 1 AS is_known, uid IN (${people}) AS is_held FROM (${theirs})) AS theirs USING value_hash
    GROUP BY value) WHERE if(is_known = 1, is_held = 1, ${heldOutSql(control, 'value')})`
}

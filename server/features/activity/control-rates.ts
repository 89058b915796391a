import type { Converted } from '#contract/control-group/difference.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { LONG_LISTS } from '../../clickhouse/long-lists.ts'
import { type ControlGroup, heldOutSql } from '../../crowds/control-groups.ts'

export interface ControlRates {
  test: Converted
  control: Converted
  /** How many people the version has in the warehouse, those who are gone since included. */
  members: number
}

interface Asked {
  adv_id: number
  crowd_id: number
  /** The version of the crowd's people. */
  version: number
  group: ControlGroup
  /** Names of the events that count. */
  events: readonly string[]
  /** Epoch seconds; the end is not included. */
  from: number
  to: number
}

/**
 * How many people of a crowd are in its control group and how many are not, and how many of each had one of the events.
 * People who were forgotten or merged since are in neither.
 */
export async function controlRates(
  on: AcrossShards,
  { adv_id, crowd_id, version, group, events, from, to }: Asked,
): Promise<ControlRates> {
  const members = `crowd_member WHERE adv_id = {adv_id:UInt32} AND crowd_id = {crowd_id:UInt32} AND version = {version:UInt32}`
  const rows = await on.query<{ held: number; people: number; converted: number }>(
    `SELECT held, toFloat64(count()) AS people, toFloat64(countIf(has_converted)) AS converted
     FROM (
       SELECT ${heldOutSql(group, 'one_id')} AS held, uid IN (
         SELECT uid FROM event
         WHERE adv_id = {adv_id:UInt32} AND name IN {events:Array(String)}
           AND ts >= toDateTime64({from:UInt32}, 3, 'UTC') AND ts < toDateTime64({to:UInt32}, 3, 'UTC')) AS has_converted
       FROM person_key
       WHERE adv_id = {adv_id:UInt32} AND uid IN (SELECT arrayJoin(bitmapToArray(bitmap)) FROM ${members}))
     GROUP BY held`,
    { adv_id, crowd_id, version, events: [...events], from, to },
    { settings: LONG_LISTS },
  )
  const [size] = await on.query<{ n: number }>(
    `SELECT toFloat64(sum(bitmapCardinality(bitmap))) AS n FROM ${members}`,
    { adv_id, crowd_id, version },
  )
  const of = (held: number): Converted => {
    const row = rows.find((one) => one.held === held)
    return { people: row?.people ?? 0, converted: row?.converted ?? 0 }
  }
  return { test: of(0), control: of(1), members: size?.n ?? 0 }
}

import type { FieldType } from '#contract/tag-field.ts'
import { isEngineError } from '../../clickhouse/engine-error.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { LOOKS_LIKE_SQL } from '../../ingest/attribute-values.ts'

/** Nearly all values decide: a single `N/A` does not hide that a property is a number. */
const SHARE_MIN = 0.9
/** Events whose properties are looked at: a form waits for the answer. */
const SAMPLE_EVENTS = 20_000
const SECONDS_MAX = 5

/** The types that most values of an event's properties look like; without those that have no value in the sample. */
export async function propertyTypes(
  live: AcrossShards,
  { adv_id, event }: { adv_id: number; event: string },
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, FieldType>> {
  const rows = await live
    .query<{ property: string; isNumber: number; isDate: number }>(
      `SELECT pair.1 AS property, ${isMost(LOOKS_LIKE_SQL.number('pair.2'))} AS isNumber, ${isMost(LOOKS_LIKE_SQL.date('pair.2'))} AS isDate
       FROM (SELECT properties FROM event WHERE adv_id = {adv_id:UInt32} AND name = {event:String} LIMIT ${SAMPLE_EVENTS})
       ARRAY JOIN CAST(properties, 'Array(Tuple(String, String))') AS pair
       WHERE pair.2 != '' GROUP BY property`,
      { adv_id, event },
      { settings: { max_execution_time: SECONDS_MAX }, signal },
    )
    .catch((error: unknown) => {
      if (isEngineError(error, 'timeout', 'memory')) return []
      throw error
    })
  return new Map(
    rows.map(({ property, isNumber, isDate }) => [property, isNumber ? 'number' : isDate ? 'date' : 'text'] as const),
  )
}

const isMost = (looksLike: string) => `countIf(${looksLike}) >= ${SHARE_MIN} * count()`

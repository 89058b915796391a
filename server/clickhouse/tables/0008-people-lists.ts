import type { TableMigration } from '../table-migration.ts'

/**
 * The same rows in further orders, for the list of people: events by time, people by number, and for each day and event
 * the people who had it as a bitmap. The engine keeps them with the rows.
 *
 * Rows of these tables are removed by `ALTER TABLE … DELETE`. A lightweight `DELETE` leaves a large part's projection as it
 * was, whichever way it is told to treat it, and queries then count removed rows (chDB 3.4.0); it is refused by default.
 *
 * https://clickhouse.com/docs/sql-reference/statements/alter/projection
 */
export const PEOPLE_PROJECTIONS = [
  // The newest events of an advertiser are read without looking at the others.
  ['event', 'by_time', 'SELECT adv_id, ts, uid, name ORDER BY adv_id, ts, uid'],
  // groupBitmapState, not groupBitmap: only states match a query that merges the bitmaps of several days.
  ['event_day', 'by_day', 'SELECT adv_id, name, day, groupBitmapState(uid), sum(n) GROUP BY adv_id, name, day'],
  ['person_key', 'by_number', 'SELECT adv_id, uid, one_id ORDER BY adv_id, uid'],
] as const

/** A stage's parts are joined even if it was made before the table had the projection. */
const JOINS_ANY_STAGE = 'enforce_index_structure_match_on_partition_manipulation = 0'
/** A merge that adds rows up writes their projections anew. */
const ADDS_UP = `${JOINS_ANY_STAGE}, deduplicate_merge_projection_mode = 'rebuild'`

export const peopleLists: TableMigration = {
  name: 'people lists',
  statements: PEOPLE_PROJECTIONS.flatMap(([table, name, select]) => [
    `ALTER TABLE ${table} MODIFY SETTING ${table === 'event_day' ? ADDS_UP : JOINS_ANY_STAGE}`,
    // Rows that are only marked as gone would be written into the projection.
    `ALTER TABLE ${table} APPLY DELETED MASK SETTINGS mutations_sync = 2`,
    `ALTER TABLE ${table} ADD PROJECTION IF NOT EXISTS ${name} (${select})`,
    `ALTER TABLE ${table} MATERIALIZE PROJECTION ${name}`,
  ]),
}

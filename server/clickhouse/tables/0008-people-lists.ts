import type { TableMigration } from '../table-migration.ts'

/**
 * The same rows in further orders, for the list of people: events by time, people by number, and for each day and event
 * the people who had it as a bitmap. The engine keeps them with the rows, also when rows are deleted or merged.
 *
 * https://clickhouse.com/docs/sql-reference/statements/alter/projection
 */
export const PROJECTIONS = [
  // The newest events of an advertiser are read without looking at the others.
  ['event', 'by_time', 'SELECT adv_id, ts, uid, name ORDER BY adv_id, ts, uid'],
  // groupBitmapState, not groupBitmap: only states match a query that merges the bitmaps of several days.
  ['event_day', 'by_day', 'SELECT adv_id, name, day, groupBitmapState(uid), sum(n) GROUP BY adv_id, name, day'],
  ['person_key', 'by_number', 'SELECT adv_id, uid, one_id ORDER BY adv_id, uid'],
] as const

const SETTINGS: Record<string, string[]> = {
  // A stage's parts are joined even if it was made before the table had the projection; what they lack is read from the rows.
  event: [
    "lightweight_mutation_projection_mode = 'rebuild'",
    'enforce_index_structure_match_on_partition_manipulation = 0',
  ],
  event_day: [
    "lightweight_mutation_projection_mode = 'rebuild'",
    // Its merges add rows up.
    "deduplicate_merge_projection_mode = 'rebuild'",
    'enforce_index_structure_match_on_partition_manipulation = 0',
  ],
  person_key: [
    "lightweight_mutation_projection_mode = 'rebuild'",
    'enforce_index_structure_match_on_partition_manipulation = 0',
  ],
}

export const peopleLists: TableMigration = {
  name: 'people lists',
  statements: PROJECTIONS.flatMap(([table, name, select]) => [
    `ALTER TABLE ${table} MODIFY SETTING ${SETTINGS[table]?.join(', ')}`,
    `ALTER TABLE ${table} ADD PROJECTION IF NOT EXISTS ${name} (${select})`,
    `ALTER TABLE ${table} MATERIALIZE PROJECTION ${name}`,
  ]),
}

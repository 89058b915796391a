import type { TableMigration } from '../table-migration.ts'

/**
 * Rows of reports in further orders, kept by the engine in the same parts, so that they are never older or newer than the
 * rows: by plan, for lists that show some plans of many; and the versions of each day, of which there are few.
 */
export const REPORT_PROJECTIONS = [
  ['report_day', 'by_plan', 'SELECT * ORDER BY adv_id, plan_id, account_id, date'],
  [
    'report_day',
    'in_force',
    `SELECT adv_id, date, account_id, source, max(version), argMax(import_id, version)
     GROUP BY adv_id, date, account_id, source`,
  ],
] as const

const NEW = 'report_day_new'

export const reportLists = {
  name: 'report lists',
  statements: [
    // A table of its own, since the rows of a granule cannot be changed: of 8192 rows in the order of plans, 90 are a plan's.
    `CREATE TABLE IF NOT EXISTS ${NEW} (
       adv_id UInt32, date Date, account_id String, source Enum8('file' = 0, 'platform' = 1), version UInt64,
       campaign_id String, plan_id String, metrics Map(LowCardinality(String), Int64), is_empty UInt8,
       taken_at DateTime('UTC'), import_id UInt32,
       ${REPORT_PROJECTIONS.map(([, name, select]) => `PROJECTION ${name} (${select})`).join(', ')}
     ) ENGINE = MergeTree ORDER BY (adv_id, date, account_id, source, version, campaign_id, plan_id)
     SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1,
       enforce_index_structure_match_on_partition_manipulation = 0`,
    // After a kill the tables may have been exchanged already; then the same rows are copied back.
    `TRUNCATE TABLE ${NEW}`,
    `INSERT INTO ${NEW} SELECT * FROM report_day`,
    `EXCHANGE TABLES report_day AND ${NEW}`,
    `DROP TABLE ${NEW} SYNC`,
  ],
} satisfies TableMigration

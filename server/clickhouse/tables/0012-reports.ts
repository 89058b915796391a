import type { TableMigration } from '../table-migration.ts'

export const reports: TableMigration = {
  name: 'reports',
  statements: [
    // What a plan did on a day, as a platform or a file said; a row for each line, which are added when they are read.
    // Only the rows of the greatest version of an advertiser's (account, day, source) count, so a day is replaced as a
    // whole by one insert. account_id, campaign_id and plan_id are the platform's or the file's own ids; '' where there is
    // none. metrics: amounts in millionths of a yuan, all else as it is; what was not reported is missing. is_empty: no
    // plan, but the word that nothing happened on the day. import_id: 0 for what was read from a platform.
    `CREATE TABLE IF NOT EXISTS report_day (
       adv_id UInt32, date Date, account_id String, source Enum8('file' = 0, 'platform' = 1), version UInt64,
       campaign_id String, plan_id String, metrics Map(LowCardinality(String), Int64), is_empty UInt8,
       taken_at DateTime('UTC'), import_id UInt32
     ) ENGINE = MergeTree ORDER BY (adv_id, date, account_id, source, version, campaign_id, plan_id)
     SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
  ],
}

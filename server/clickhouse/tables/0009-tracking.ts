import type { TableMigration } from '../table-migration.ts'

const SYNCED = 'SETTINGS fsync_after_insert = 1, fsync_part_directory = 1'

export const trackingTables: TableMigration = {
  name: 'tracking',
  statements: [
    // Messages of tracking calls as they were acknowledged: a row each, until a while after they were counted. `batch` are
    // the messages that one insert stored; `total` says how many of them are the advertiser's. Times are epoch milliseconds.
    `CREATE TABLE IF NOT EXISTS track_message (
       adv_id UInt32, batch UInt64, total UInt32, key_id UInt32, is_page UInt8, received Int64, kind LowCardinality(String),
       message_id String, anonymous_id String, user_id String, previous_id String, event String, title String, ts Int64,
       properties Map(String, String)
     ) ENGINE = MergeTree ORDER BY (adv_id, batch) ${SYNCED}`,
    // From "since" (epoch milliseconds) on "from_id" is the person "to_id", who is never a "from_id" of an alias. What is
    // older than the first link belongs to its person too. Of rows with one key the greatest "version" counts.
    `CREATE TABLE IF NOT EXISTS person_link (adv_id UInt32, from_id String, since Int64, to_id String, version UInt64)
     ENGINE = ReplacingMergeTree(version) ORDER BY (adv_id, from_id, since) ${SYNCED}`,
  ],
}

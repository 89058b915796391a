import type { TableMigration } from '../table-migration.ts'

export const peopleTables: TableMigration = {
  name: 'people',
  statements: [
    // import_id is the import that added a row, 0 for none: an import whose last step was interrupted finds its own rows.
    // Append only: a person's number within the advertiser is assigned once and never reused.
    `CREATE TABLE IF NOT EXISTS person_key (adv_id UInt32, one_id String, uid UInt32, import_id UInt32)
     ENGINE = MergeTree ORDER BY (adv_id, one_id)`,
    // One row per imported user row, in the order (ts, line); attributes live in slots a0, a1, … added as they are needed.
    `CREATE TABLE IF NOT EXISTS person_row (
       adv_id UInt32, uid UInt32, bucket UInt16, ts DateTime64(3, 'UTC'), line UInt64, row_id UInt128, name String,
       phone String, import_id UInt32
     ) ENGINE = MergeTree ORDER BY (adv_id, uid, ts)`,
    `CREATE TABLE IF NOT EXISTS identifier (adv_id UInt32, id_type LowCardinality(String), value_hash String, uid UInt32,
       import_id UInt32)
     ENGINE = MergeTree ORDER BY (adv_id, id_type, value_hash)`,
    `CREATE TABLE IF NOT EXISTS event (
       adv_id UInt32, bucket UInt16, uid UInt32, ts DateTime64(3, 'UTC'), name LowCardinality(String), title String,
       properties Map(String, String), campaign_id String, row_id UInt128,
       import_id UInt32
     ) ENGINE = MergeTree PARTITION BY toYYYYMM(ts) ORDER BY (adv_id, uid, ts)`,
    // Per person, event and day of TIMEZONE; a key may have several rows, whose n add up.
    `CREATE TABLE IF NOT EXISTS event_day (
       adv_id UInt32, name LowCardinality(String), day Date, bucket UInt16, uid UInt32, import_id UInt32, n UInt64
     ) ENGINE = SummingMergeTree(n) ORDER BY (adv_id, name, day, uid, import_id)`,
  ],
}

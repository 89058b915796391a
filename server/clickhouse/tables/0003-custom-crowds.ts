import type { TableMigration } from '../table-migration.ts'

export const customCrowdTables: TableMigration = {
  name: 'custom-crowds',
  statements: [
    // What each version of an uploaded crowd changed: `sign` is 1 for an added value, -1 for a removed one. They alternate,
    // so a version holds the values whose signs up to it add up to 1; differences and restores are sums as well.
    // `value`: the raw bytes of a hash (16 or 32); plain identifiers are encrypted, equal ones to equal bytes.
    // `bucket` depends on the value alone and bounds the memory of comparisons. `file`: the file of the version that had it.
    // The number of partitions is fixed; dropping a crowd rewrites its partition.
    `CREATE TABLE IF NOT EXISTS crowd_identifier (adv_id UInt32, crowd_id UInt32, bucket UInt8, version UInt32, value String,
       sign Int8, file UInt8)
     ENGINE = MergeTree PARTITION BY crowd_id % 64 ORDER BY (adv_id, crowd_id, bucket, version)`,
    // What a push sends, fixed when it is planned: a part's values never change. `op` is 1 or -1. `value` as it is sent:
    // the raw bytes of a hash; plain identifiers are encrypted, equal ones to equal bytes.
    `CREATE TABLE IF NOT EXISTS push_value (child_id UInt32, plan_id UInt32, part UInt32, op Int8,
       id_type LowCardinality(String), value String)
     ENGINE = MergeTree ORDER BY (child_id, plan_id, part, id_type, value)`,
    // What a plan left out: `why` is 1 suppressed, 2 no consent.
    `CREATE TABLE IF NOT EXISTS push_excluded (child_id UInt32, plan_id UInt32, id_type LowCardinality(String), why UInt8,
       value String)
     ENGINE = MergeTree ORDER BY (child_id, plan_id, id_type, value)`,
    `CREATE TABLE IF NOT EXISTS suppression (adv_id UInt32, id_type LowCardinality(String), value String, note String,
       added_at UInt32, removed UInt8, at DateTime64(6, 'UTC'))
     ENGINE = ReplacingMergeTree(at) ORDER BY (adv_id, id_type, value)`,
  ],
}

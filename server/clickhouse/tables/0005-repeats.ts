import type { TableMigration } from '../table-migration.ts'

export const repeatTables: TableMigration = {
  name: 'repeats',
  statements: [
    // Rows that an import left out because an earlier import had stored them. Nothing counts them; they take the place of
    // the stored rows if that import is undone. Of users only what differs from the stored row: when it came, and its line.
    `CREATE TABLE IF NOT EXISTS person_row_repeat (
       adv_id UInt32, row_id UInt128, at DateTime64(3, 'UTC'), line UInt64, import_id UInt32
     ) ENGINE = MergeTree ORDER BY (adv_id, import_id)`,
    `CREATE TABLE IF NOT EXISTS identifier_repeat (
       adv_id UInt32, id_type LowCardinality(String), value_hash String, uid UInt32, import_id UInt32
     ) ENGINE = MergeTree ORDER BY (adv_id, id_type, value_hash)`,
    // The whole event: the same message id may come with other cells. one_id: its person may not exist yet.
    `CREATE TABLE IF NOT EXISTS event_repeat (
       adv_id UInt32, one_id String, ts DateTime64(3, 'UTC'), name LowCardinality(String), title String,
       properties Map(String, String), row_id UInt128, at DateTime64(3, 'UTC'), import_id UInt32
     ) ENGINE = MergeTree ORDER BY (adv_id, import_id)`,
  ],
}

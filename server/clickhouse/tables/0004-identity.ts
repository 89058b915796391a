import type { TableMigration } from '../table-migration.ts'

export const identityTable: TableMigration = {
  name: 'identity',
  statements: [
    // Which warehouse this is, and to which records it belongs. A few rows for ever; flushed at once, since the records
    // remember what was written here.
    `CREATE TABLE IF NOT EXISTS warehouse_identity (id String, records String)
     ENGINE = MergeTree ORDER BY id SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
  ],
}

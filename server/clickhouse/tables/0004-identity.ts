import type { TableMigration } from '../table-migration.ts'

export const identityTable: TableMigration = {
  name: 'identity',
  statements: [
    // The id of this warehouse and of the records it belongs to. Only a few rows; flushed at once, since the records also
    // store what was written here.
    `CREATE TABLE IF NOT EXISTS warehouse_identity (id String, records String)
     ENGINE = MergeTree ORDER BY id SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
  ],
}

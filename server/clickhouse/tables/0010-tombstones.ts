import type { TableMigration } from '../table-migration.ts'

export const tombstones: TableMigration = {
  name: 'tombstones',
  statements: [
    // Who was forgotten, as HMACs that only this installation's secret makes: of the One ID, and of identifiers in the form
    // in which they are compared. `what`: one_id, or the identifier's type. `owner`: the token of the request. `key` names the secret. Never deleted; the
    // records have the same rows, so that a store restored from an older backup gets back what it lacks.
    `CREATE TABLE IF NOT EXISTS tombstone (adv_id UInt32, token String, what LowCardinality(String), owner String,
       key String, at UInt32)
     ENGINE = ReplacingMergeTree ORDER BY (adv_id, token) SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
    // Requests whose person is gone from this warehouse. One restored from before that has no such row.
    `CREATE TABLE IF NOT EXISTS forgotten (adv_id UInt32, token String, at UInt32)
     ENGINE = ReplacingMergeTree ORDER BY (adv_id, token) SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
  ],
}

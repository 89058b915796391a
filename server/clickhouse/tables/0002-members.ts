import type { TableMigration } from '../table-migration.ts'

export const memberTables: TableMigration = {
  name: 'members',
  statements: ['tag', 'crowd'].map(
    // A version is written whole and never changed, so a plain MergeTree: an engine that merges states could only add people.
    (kind) =>
      `CREATE TABLE IF NOT EXISTS ${kind}_member (
         adv_id UInt32, ${kind}_id UInt32, version UInt32, bucket UInt16, bitmap AggregateFunction(groupBitmap, UInt32)
       ) ENGINE = MergeTree ORDER BY (adv_id, ${kind}_id, version, bucket) SETTINGS index_granularity = 8`,
  ),
}

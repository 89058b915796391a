import type { TableMigration } from '../table-migration.ts'

const TABLES = [
  ...['person_key', 'person_row', 'person_row_repeat', 'identifier', 'identifier_repeat', 'event', 'event_repeat'],
  ...['event_day', 'tag_member', 'crowd_member', 'crowd_identifier', 'push_value', 'push_excluded', 'suppression'],
]

/**
 * Inserted rows reach the disk before the statement ends, so that a power failure takes nothing that was acknowledged. A
 * merge is not synced: the parts that it replaces are kept for some minutes, longer than the system keeps writes back.
 *
 * https://clickhouse.com/docs/operations/settings/merge-tree-settings
 */
export const synced: TableMigration = {
  name: 'synced inserts',
  statements: TABLES.map(
    (table) => `ALTER TABLE ${table} MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1`,
  ),
}

import type { TableMigration } from '../table-migration.ts'

export const linksOfPages: TableMigration = {
  name: 'links of pages',
  statements: [
    // Whether the key of a page made the link, which everybody can read.
    `ALTER TABLE person_link ADD COLUMN IF NOT EXISTS by_page UInt8 DEFAULT 0`,
  ],
}

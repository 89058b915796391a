import type { TableMigration } from '../table-migration.ts'

export const suppressedPhones: TableMigration = {
  name: 'suppressed phones',
  statements: [
    // The forms of one phone have the same `entry`; '' where a value stands alone. `phone`: encrypted, as base64; '' where
    // only a hash of it is known.
    `ALTER TABLE suppression ADD COLUMN IF NOT EXISTS entry String DEFAULT '', ADD COLUMN IF NOT EXISTS phone String DEFAULT ''`,
  ],
}

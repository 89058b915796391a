import type { TableMigration } from '../table-migration.ts'

/** As in `REPORT_PROJECTIONS`, with the layout. */
export const BY_PLAN = ['report_day', 'by_plan', 'SELECT *, layout ORDER BY adv_id, plan_id, account_id, date'] as const

const [table, name, select] = BY_PLAN

export const reportLayouts: TableMigration = {
  name: 'report layouts',
  statements: [
    // Which metrics a row has, in the order of its map: values of rows with one layout are added up by their position,
    // which takes a third of the time of adding them up by name.
    `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS
       layout LowCardinality(String) MATERIALIZED arrayStringConcat(mapKeys(metrics), ',')`,
    `ALTER TABLE ${table} MATERIALIZE COLUMN layout`,
    `ALTER TABLE ${table} DROP PROJECTION IF EXISTS ${name}`,
    `ALTER TABLE ${table} ADD PROJECTION IF NOT EXISTS ${name} (${select})`,
    `ALTER TABLE ${table} MATERIALIZE PROJECTION ${name}`,
  ],
}

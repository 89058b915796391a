/** Statements that may run again: a migration cut short by a kill is repeated whole. */
export type TableMigration = { name: string; statements: readonly string[] }

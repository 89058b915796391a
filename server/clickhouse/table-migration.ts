/** The statements can be repeated: after a kill the whole migration runs again. */
export type TableMigration = { name: string; statements: readonly string[] }

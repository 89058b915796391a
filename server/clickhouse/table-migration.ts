/** The statements can be repeated: after a kill the whole migration runs again. */
export type TableMigration = { name: string; statements: readonly (string | NewerServer)[] }

/** A statement with settings of a projection, and what a server that does not know these runs instead. */
export type NewerServer = { newer: string; older: string }

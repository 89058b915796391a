import pg from 'pg'

/** Runs a statement in the records of a running server: sets a state as time, a platform or a later part would. */
export async function inRecords(dataDir: string, statement: string, ...values: unknown[]): Promise<void> {
  const db = new pg.Client({ host: dataDir, user: 'postgres', database: 'postgres' })
  await db.connect()
  await db.query(statement, values).finally(() => db.end())
}

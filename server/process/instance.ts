import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { z } from 'zod'
import { reclaimFrom } from '../jobs/lease.ts'
import type { Postgres } from '../postgres/open.ts'
import { transaction } from '../postgres/transaction.ts'

/**
 * Registers this start of the process as an instance, whose id every hold names, and releases what earlier instances of
 * the same DATA_DIR held: owning its lock proves that they have ended. Returns the id.
 */
export async function registerInstance({ db, embedded }: Postgres, dataDir: string): Promise<string> {
  const id = randomUUID()
  const data_dir = await dataDirId(dataDir)
  await transaction(db, async (tx) => {
    const rows = await tx.selectFrom('instance').select('id').where('data_dir', '=', data_dir).execute()
    const earlier = rows.map((row) => row.id)
    await reclaimFrom(tx, earlier)
    // The hold stays recorded, since the platform may or may not have refreshed the tokens.
    await tx
      .updateTable('platform_login')
      .set({ hold_until: 0 })
      .where('hold', 'is not', null)
      // An embedded database has no other users, so every holder has ended.
      .$if(!embedded, (held) => held.where('hold_instance', '=', sql<string>`any(${earlier}::uuid[])`))
      .execute()
    await tx.deleteFrom('instance').where('data_dir', '=', data_dir).execute()
    await tx.insertInto('instance').values({ id, data_dir }).execute()
  })
  return id
}

/** The id of a DATA_DIR, made at its first start. Call only while holding its lock. */
async function dataDirId(dataDir: string): Promise<string> {
  const path = join(dataDir, 'data-dir.id')
  const kept = z.uuid().safeParse(await readFile(path, 'utf8').then((text) => text.trim(), unlessMissing))
  // An unreadable id is replaced; holds of the old one end with their leases.
  if (kept.success) return kept.data
  const made = randomUUID()
  const aside = `${path}.new`
  try {
    await writeFile(aside, `${made}\n`, { mode: 0o600, flush: true })
    await rename(aside, path)
  } finally {
    await rm(aside, { force: true })
  }
  return made
}

function unlessMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return ''
  throw error
}

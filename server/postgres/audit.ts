import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** Writes who did what, in the caller's transaction; a null viewer is the system or the command line. */
export async function audit(
  tx: Kysely<Database>,
  viewer: { id: number } | null,
  action: string,
  detail: Record<string, unknown>,
): Promise<void> {
  await tx
    .insertInto('audit')
    .values({
      at: Math.floor(Date.now() / 1000),
      viewer_id: viewer?.id ?? null,
      action,
      detail: JSON.stringify(detail),
    })
    .execute()
}

import { sql, type Transaction } from 'kysely'
import type { Database } from '../postgres/schema.ts'

/**
 * One change of an advertiser's crowds, of what they use and of what waits for them, at a time. Taken before any row of
 * `people` is locked, so that two transactions that lock several do not wait for each other.
 */
export async function lockCrowds(tx: Transaction<Database>, adv_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`people ${adv_id}`}))`.execute(tx)
}

/** Of several advertisers, in one order, so that two batches do not wait for each other. */
export async function lockCrowdsOfAll(tx: Transaction<Database>, adv_ids: readonly number[]): Promise<void> {
  for (const adv_id of [...new Set(adv_ids)].sort((a, b) => a - b)) await lockCrowds(tx, adv_id)
}

import { sql, type Transaction } from 'kysely'
import type { Database } from '../postgres/schema.ts'

/**
 * Allows one change at a time of an advertiser's crowds, of what they use and of what waits for them. Taken before any
 * row of `people` is locked, so that two transactions that lock several rows cannot deadlock.
 */
export async function lockCrowds(tx: Transaction<Database>, adv_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`people ${adv_id}`}))`.execute(tx)
}

/** Locks several advertisers in a fixed order, so that two batches cannot deadlock. */
export async function lockCrowdsOfAll(tx: Transaction<Database>, adv_ids: readonly number[]): Promise<void> {
  for (const adv_id of [...new Set(adv_ids)].sort((a, b) => a - b)) await lockCrowds(tx, adv_id)
}

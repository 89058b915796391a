import type { Kysely } from 'kysely'
import { isPackageCode } from '#contract/targeting/package-codes.ts'
import type { PackageQuota } from '#contract/targeting/quota.ts'
import type { Database } from '../../postgres/schema.ts'
import { countPackages } from './checks.ts'
import { type MirrorQueue, placesTaken } from './mirror/queue.ts'

/**
 * The quota of each account by its id; nothing for accounts of platforms without packages. Of platforms that publish a
 * limit, packages made there count too, as they were read last.
 */
export async function quotasOf(
  db: Kysely<Database>,
  mirror: MirrorQueue,
  accounts: readonly { id: number; platform: number }[],
): Promise<Map<number, PackageQuota>> {
  const ids = accounts.map(({ id }) => id)
  const [kept, taken, readings] = await Promise.all([
    countPackages(db, ids),
    placesTaken(db, ids),
    db
      .selectFrom('targeting_account')
      .select(['account_id', 'read_at', 'failed_at', 'outcome'])
      .where('account_id', 'in', [0, ...ids])
      .execute(),
  ])
  return new Map(
    accounts.flatMap(({ id, platform }) => {
      if (!isPackageCode(platform)) return []
      const total = mirror.maxOf(platform)
      const used = (total === null ? kept : taken).get(id) ?? 0
      const reading = readings.find(({ account_id }) => account_id === id)
      const { read_at = null, failed_at = null, outcome: fail_outcome = null } = reading ?? {}
      return [[id, { used, total, read_at, failed_at, fail_outcome }]]
    }),
  )
}

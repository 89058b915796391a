import type { Transaction } from 'kysely'
import type { Viewer } from '../../http/viewer.ts'
import { lastEstimate } from '../../postgres/reach-estimates.ts'
import type { Database } from '../../postgres/schema.ts'
import type { StoredTargeting } from '../../postgres/schema-targeting.ts'
import { now } from '../../time/clock.ts'
import type { StoredPackage } from './checks.ts'
import { keepVersion } from './versions.ts'

export const landingTypeOf = ({ landing_type }: StoredTargeting): string | null =>
  typeof landing_type === 'string' ? landing_type : null

/** Stores a new package as its first version. */
export async function insertPackage(
  tx: Transaction<Database>,
  viewer: Viewer,
  kind: 'create' | 'copy',
  given: Pick<StoredPackage, 'adv_id' | 'account_id' | 'platform' | 'dir_id' | 'name' | 'invalid_time'> & {
    targeting: StoredTargeting
  },
) {
  const { targeting, name, invalid_time, dir_id } = given
  const at = now()
  const known = await lastEstimate(tx, given.account_id, targeting)
  const { id, ver } = await tx
    .insertInto('targeting_package')
    .values({
      ...given,
      targeting: JSON.stringify(targeting),
      landing_type: landingTypeOf(targeting),
      ...known,
      is_estimating: known.user_count === null,
      creator_id: viewer.id,
      created_at: at,
      saved_by: viewer.id,
      saved_at: at,
    })
    .returning(['id', 'ver'])
    .executeTakeFirstOrThrow()
  await keepVersion(tx, viewer, { package_id: id, ver, kind, name, invalid_time, dir_id, targeting })
  return { id, ver }
}

import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import { NEVER } from '#contract/rule-crowd.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import type { LeftOut } from '#contract/targeting/there.ts'
import { leftOutOf } from '../../../platforms/left-out.ts'
import { type PlatformPackage, packageKeyOf, type TargetingPackages } from '../../../platforms/targeting-platform.ts'
import { audit } from '../../../postgres/audit.ts'
import type { Database } from '../../../postgres/schema.ts'
import type { StoredTargeting } from '../../../postgres/schema-targeting.ts'
import { now } from '../../../time/clock.ts'
import { endOfDay } from '../../../time/day.ts'
import { landingTypeOf } from '../insert.ts'
import { isSameContent, type MirrorRow } from './rows.ts'

/** The folder in which packages made on a platform are listed: the default one, which is never deleted. */
const DIR_ID = 1

/** A package of the platform as our editor holds it, and what that leaves out. */
export function translated(
  packages: TargetingPackages,
  { content, others }: Pick<PlatformPackage, 'content' | 'others'>,
  kept: StoredTargeting | null,
): { targeting: StoredTargeting; left_out: LeftOut[] } {
  const targeting = packages.targetingOf(content, kept)
  return { targeting, left_out: [...leftOutOf(content, packages.contentOf(targeting)), ...others] }
}

/** Lists packages made on the platform as they are there now; those that are there no more go. */
export async function keepMadeThere(
  tx: Transaction<Database>,
  packages: TargetingPackages,
  account: { id: number; adv_id: number; platform: number; timezone: string },
  ours: readonly MirrorRow[],
  found: readonly PlatformPackage[],
): Promise<void> {
  const ids = new Set(ours.map((row) => row.targeting_id))
  // Somebody may have made a copy of ours there, with its description.
  const keys = new Set(ours.filter((row) => row.targeting_id === null).map((row) => row.key))
  const foreign = found.filter((one) => !ids.has(one.targeting_id) && !keys.has(packageKeyOf(one.description) ?? ''))
  const foreignIds = new Set(foreign.map((one) => one.targeting_id))
  const known = await tx
    .selectFrom('targeting_package as package')
    .leftJoin('targeting_there as there', 'there.package_id', 'package.id')
    .select(['package.id', 'package.targeting_id', 'package.name', 'package.targeting', 'package.is_crowd_lost'])
    .select(['there.left_out', 'there.words', 'there.lost_crowds', 'there.plans'])
    .where('package.account_id', '=', account.id)
    .where('package.origin', '=', 'platform')
    .where('package.deleted_at', 'is', null)
    .execute()
  for (const { id, name, targeting_id } of known) {
    if (foreignIds.has(targeting_id ?? '')) continue
    await tx.updateTable('targeting_package').set({ deleted_at: now() }).where('id', '=', id).execute()
    await audit(tx, null, 'targeting.gone_there', { id, account_id: account.id, name })
  }
  const rows = new Map(known.map((row) => [row.targeting_id, row]))
  for (const one of foreign) {
    const { targeting, left_out } = translated(packages, one, null)
    const says = { left_out, words: one.words, lost_crowds: one.lost_crowds, plans: one.plans }
    const row = rows.get(one.targeting_id)
    // Where the platform does not tell, the account's list of crowds decides.
    const is_crowd_lost = one.lost_crowds ? one.lost_crowds.length > 0 : (row?.is_crowd_lost ?? false)
    const values = {
      name: one.name,
      targeting: JSON.stringify(targeting),
      landing_type: landingTypeOf(targeting),
      is_crowd_lost,
    }
    if (!row) {
      await keepWhatItSays(tx, await insertMadeThere(tx, account, one.targeting_id, values), says)
      continue
    }
    const { id } = row
    const isSame =
      row.name === one.name &&
      isSameContent(row.targeting, targeting) &&
      isDeepStrictEqual(row.left_out ?? [], left_out)
    if (!isSame) {
      await tx
        .updateTable('targeting_package')
        .set((eb) => ({ ...values, saved_at: now(), ver: eb('ver', '+', 1), user_count: null, counted_at: null }))
        .where('id', '=', id)
        .execute()
      await audit(tx, null, 'targeting.changed_there', { id, account_id: account.id, name: one.name })
    } else if (row.is_crowd_lost !== is_crowd_lost) {
      await tx.updateTable('targeting_package').set({ is_crowd_lost }).where('id', '=', id).execute()
    }
    const { left_out: leftOutBefore, words, lost_crowds, plans } = row
    // Most readings find every package as it was.
    if (!isDeepStrictEqual({ left_out: leftOutBefore, words, lost_crowds, plans }, says)) {
      await keepWhatItSays(tx, id, says)
    }
  }
}

async function insertMadeThere(
  tx: Transaction<Database>,
  account: { id: number; adv_id: number; platform: number; timezone: string },
  targeting_id: string,
  values: { name: string; targeting: string; landing_type: string | null; is_crowd_lost: boolean },
): Promise<number> {
  const { id } = await tx
    .insertInto('targeting_package')
    .values({
      ...values,
      adv_id: account.adv_id,
      account_id: account.id,
      platform: account.platform as PackageCode,
      dir_id: DIR_ID,
      origin: 'platform',
      targeting_id,
      invalid_time: endOfDay(NEVER, account.timezone),
      creator_id: null,
      saved_by: null,
      created_at: now(),
      saved_at: now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function keepWhatItSays(
  tx: Transaction<Database>,
  package_id: number,
  {
    left_out,
    lost_crowds,
    ...rest
  }: Pick<PlatformPackage, 'words' | 'lost_crowds' | 'plans'> & { left_out: LeftOut[] },
): Promise<void> {
  const says = {
    ...rest,
    left_out: JSON.stringify(left_out),
    lost_crowds: lost_crowds && JSON.stringify(lost_crowds),
  }
  await tx
    .insertInto('targeting_there')
    .values({ package_id, ...says })
    .onConflict((oc) => oc.column('package_id').doUpdateSet(says))
    .execute()
}

import { isDeepStrictEqual } from 'node:util'
import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import type { addTargeting, checkNewTargeting, updateTargeting } from '#contract/targeting-package.ts'
import { AppError } from '../../errors.ts'
import { keptName, mustNameNoPhone } from '../../files/written-names.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import { lastEstimate } from '../../postgres/reach-estimates.ts'
import type { Database } from '../../postgres/schema.ts'
import type { StoredTargeting } from '../../postgres/schema-targeting.ts'
import { now } from '../../time/clock.ts'
import { endOfDay, timeText } from '../../time/day.ts'
import {
  type Account,
  changeOf,
  changePackage,
  expiryOf,
  mustBeFree,
  mustBeUnlocked,
  mustFindAccount,
  mustHaveFolder,
  mustHaveRoom,
  mustReadTargeting,
  mustUseAccount,
  namesIn,
  type StoredPackage,
} from './checks.ts'
import type { PackageDeps } from './deps.ts'
import { insertPackage, landingTypeOf } from './insert.ts'
import type { MirrorQueue } from './mirror/queue.ts'
import { keepVersion, mustFindVersion } from './versions.ts'

type Deps = Pick<PackageDeps, 'db' | 'timezone' | 'estimate'> & {
  mirror: MirrorQueue
  /** Runs in the transaction in which a package begins to restrict something else. */
  retargeted(tx: Transaction<Database>, package_id: number): Promise<void>
}

type NewPackage = z.output<typeof checkNewTargeting.body>

/** Creates, changes and restores packages. */
export function savePackages({ db, timezone, estimate, mirror, retargeted }: Deps) {
  /** Writes what a package becomes, as its next version. */
  async function write(
    tx: Transaction<Database>,
    viewer: Viewer,
    row: StoredPackage,
    wanted: Pick<StoredPackage, 'name' | 'dir_id' | 'invalid_time'> & { targeting: StoredTargeting },
    how: { kind: 'update' | 'adopt' } | { kind: 'restore'; restored_from: number },
  ) {
    const { targeting, ...rest } = wanted
    const isRetargeted = !isSame(targeting, row.targeting)
    const known = await lastEstimate(tx, row.account_id, targeting)
    const { ver } = await tx
      .updateTable('targeting_package')
      .set((eb) => ({
        ...rest,
        targeting: JSON.stringify(targeting),
        // The one before was of the old targeting.
        ...(isRetargeted || known.user_count !== null ? known : {}),
        ...(isRetargeted ? { is_crowd_lost: false, is_estimating: known.user_count === null } : {}),
        saved_by: viewer.id,
        saved_at: now(),
        ver: eb('ver', '+', 1),
      }))
      .where('id', '=', row.id)
      .returning('ver')
      .executeTakeFirstOrThrow()
    await estimate(tx, row.id)
    if (isRetargeted) await retargeted(tx, row.id)
    const { name, invalid_time, dir_id } = wanted
    await keepVersion(tx, viewer, { package_id: row.id, ver, ...how, name, invalid_time, dir_id, targeting })
    return { id: row.id, ver }
  }

  /** Refuses a new package of the account for its name or for lack of room. */
  async function mustTakeNew(tx: Kysely<Database>, viewer: Viewer, account: Account, wanted: NewPackage) {
    const { adv_id, platform } = account
    mustNameNoPhone(viewer, wanted.targeting_name)
    await mustBeFree(tx, { adv_id, platform, dir_id: wanted.dir_id }, wanted.targeting_name)
    await mustHaveRoom(tx, account, mirror)
  }

  return {
    write,

    /** What `add` would refuse before there is any targeting; it checks again, since a name or a place may be taken meanwhile. */
    async check(viewer: Viewer, wanted: NewPackage): Promise<void> {
      const account = await mustUseAccount(db, viewer, wanted.advertiser_id)
      const folder = await db.selectFrom('asset_folder').select('id').where('id', '=', wanted.dir_id).executeTakeFirst()
      if (!folder) throw new AppError('notFound', { what: '文件夹' })
      await mustTakeNew(db, viewer, account, wanted)
    },

    async add(viewer: Viewer, wanted: z.output<typeof addTargeting.body>) {
      const { id: account_id } = await mustFindAccount(db, viewer, wanted.advertiser_id)
      return changeOf(db, [account_id], async (tx) => {
        const account = await mustUseAccount(tx, viewer, account_id)
        const { adv_id, platform } = account
        const targeting = mustReadTargeting(platform, wanted.targeting)
        const invalid_time = expiryOf(wanted.invalid_time, timezone)
        const { targeting_name: name, dir_id } = wanted
        await mustHaveFolder(tx, dir_id)
        await mustTakeNew(tx, viewer, account, wanted)
        const made = await insertPackage(tx, viewer, 'create', {
          adv_id,
          account_id,
          platform,
          dir_id,
          name,
          invalid_time,
          targeting,
        })
        await mirror.saved(tx, { id: made.id, account_id, platform })
        await estimate(tx, made.id)
        await audit(tx, viewer, 'targeting.create', { id: made.id, adv_id, account_id, name, dir_id })
        return made
      })
    },

    update: (viewer: Viewer, wanted: z.output<typeof updateTargeting.body>) =>
      changePackage(db, viewer, wanted.id, async (tx, row) => {
        if (wanted.ver !== undefined && wanted.ver !== row.ver) await refuseStale(tx, row, timezone)
        if (wanted.advertiser_id !== undefined && wanted.advertiser_id !== row.account_id) {
          throw new AppError('badInput', { reason: outcome('targeting_account_fixed') })
        }
        if (wanted.targeting_id !== undefined && wanted.targeting_id !== row.targeting_id) {
          throw new AppError('notFound', { what: '定向包' })
        }
        const dir_id = wanted.dir_id ?? row.dir_id
        const name = keptName(viewer, wanted.targeting_name, row.name)
        if (dir_id !== row.dir_id || name !== row.name) {
          await mustHaveFolder(tx, dir_id)
          await mustBeFree(tx, { ...row, dir_id }, name, [row.id])
        }
        const targeting =
          wanted.targeting === undefined ? row.targeting : mustReadTargeting(row.platform, wanted.targeting)
        if (landingTypeOf(targeting) !== row.landing_type) {
          throw new AppError('badInput', { reason: outcome('targeting_type_fixed') })
        }
        const invalid_time = laterDay(wanted.invalid_time, row.invalid_time, timezone)
        const isChanged =
          dir_id !== row.dir_id ||
          name !== row.name ||
          invalid_time !== row.invalid_time ||
          !isSame(targeting, row.targeting)
        if (!isChanged) return { id: row.id, ver: row.ver }
        if (name !== row.name || !isSame(targeting, row.targeting)) await mustBeUnlocked(tx, row)
        const saved = await write(tx, viewer, row, { name, dir_id, invalid_time, targeting }, { kind: 'update' })
        await mirror.saved(tx, row)
        await audit(tx, viewer, 'targeting.update', { id: row.id, name, dir_id, invalid_time, ver: saved.ver })
        return saved
      }),

    /** Brings back a version's targeting, and its name unless that is taken; folder and expiry stay. */
    restore: (viewer: Viewer, { id, ver }: { id: number; ver: number }) =>
      changePackage(db, viewer, id, async (tx, row) => {
        const { targeting, name: former } = await mustFindVersion(tx, id, ver)
        const { dir_id, invalid_time } = row
        await mustHaveFolder(tx, dir_id)
        const name = (await namesIn(tx, row, [id])).has(former) ? row.name : former
        if (isSame(targeting, row.targeting) && name === row.name) return { id, ver: row.ver, name }
        await mustBeUnlocked(tx, row)
        const how = { kind: 'restore' as const, restored_from: ver }
        const saved = await write(tx, viewer, row, { name, dir_id, invalid_time, targeting }, how)
        await mirror.saved(tx, row)
        await audit(tx, viewer, 'targeting.restore', { id, from: ver, name, ver: saved.ver })
        return { ...saved, name }
      }),
  }
}

export type PackageSaves = ReturnType<typeof savePackages>

/** Postgres sorts the keys of what it stores. */
const isSame = (one: unknown, other: unknown) => isDeepStrictEqual(one, JSON.parse(JSON.stringify(other)))

/** An expired package may be renamed; a changed day must lie ahead. */
function laterDay(wanted: number | undefined, stored: number, timezone: string): number {
  if (wanted === undefined || endOfDay(wanted, timezone) === stored) return stored
  return expiryOf(wanted, timezone)
}

/** Refuses a save over a newer one, and says who saved it. */
async function refuseStale(tx: Kysely<Database>, row: StoredPackage, timezone: string): Promise<never> {
  const { realname, username } = await tx
    .selectFrom('viewer')
    .select(['realname', 'username'])
    .where('id', '=', row.saved_by)
    .executeTakeFirstOrThrow()
  const { id, name, ver, targeting, dir_id, invalid_time } = row
  const saved = { id, name, ver, targeting, dir_id, invalidTime: invalid_time }
  throw new AppError('packageStale', { who: realname || username, when: timeText(row.saved_at, timezone) }, { saved })
}

import { isDeepStrictEqual } from 'node:util'
import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import { NAME_MAX } from '#contract/common.ts'
import { outcome } from '#contract/outcome.ts'
import type { addTargeting, copyTargeting, updateTargeting } from '#contract/targeting-package.ts'
import { AppError } from '../../errors.ts'
import { keptName, mustNameNoPhone } from '../../files/written-names.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import type { StoredTargeting } from '../../postgres/schema-targeting.ts'
import { now } from '../../time/clock.ts'
import { endOfDay, timeText } from '../../time/day.ts'
import {
  changeOf,
  expiryOf,
  mustBeFree,
  mustFindAccount,
  mustFindPackage,
  mustHaveFolder,
  mustHaveRoom,
  mustReadTargeting,
  mustUseAccount,
  namesIn,
  type StoredPackage,
} from './checks.ts'
import { keepVersion, mustFindVersion } from './versions.ts'

interface Deps {
  db: Kysely<Database>
  timezone: string
}

/** How long a copy of an expired package lives. */
const COPY_LIFE_SECONDS = 30 * 86_400

/** Creates, changes, copies and restores packages. */
export function savePackages({ db, timezone }: Deps) {
  async function insert(
    tx: Transaction<Database>,
    viewer: Viewer,
    kind: 'create' | 'copy',
    given: Pick<StoredPackage, 'adv_id' | 'account_id' | 'platform' | 'dir_id' | 'name' | 'invalid_time'> & {
      targeting: StoredTargeting
    },
  ) {
    const { targeting, name, invalid_time } = given
    const at = now()
    const { id, ver } = await tx
      .insertInto('targeting_package')
      .values({
        ...given,
        targeting: JSON.stringify(targeting),
        landing_type: landingTypeOf(targeting),
        creator_id: viewer.id,
        created_at: at,
        saved_by: viewer.id,
        saved_at: at,
      })
      .returning(['id', 'ver'])
      .executeTakeFirstOrThrow()
    await keepVersion(tx, viewer, { package_id: id, ver, kind, name, invalid_time, targeting })
    return { id, ver }
  }

  /** Writes what a package becomes, as its next version. */
  async function write(
    tx: Transaction<Database>,
    viewer: Viewer,
    row: StoredPackage,
    wanted: Pick<StoredPackage, 'name' | 'dir_id' | 'invalid_time'> & { targeting: StoredTargeting },
    how: { kind: 'update' } | { kind: 'restore'; restored_from: number },
  ) {
    const { targeting, ...rest } = wanted
    const isRetargeted = !isSame(targeting, row.targeting)
    const { ver } = await tx
      .updateTable('targeting_package')
      .set((eb) => ({
        ...rest,
        targeting: JSON.stringify(targeting),
        // The estimate was of the old targeting.
        ...(isRetargeted ? { user_count: null, counted_at: null, is_crowd_lost: false } : {}),
        saved_by: viewer.id,
        saved_at: now(),
        ver: eb('ver', '+', 1),
      }))
      .where('id', '=', row.id)
      .returning('ver')
      .executeTakeFirstOrThrow()
    const { name, invalid_time } = wanted
    await keepVersion(tx, viewer, { package_id: row.id, ver, ...how, name, invalid_time, targeting })
    return { id: row.id, ver }
  }

  /** Reads the package again, locked, once changes of its account wait. */
  const changeOne = async <T>(
    viewer: Viewer,
    id: number,
    work: (tx: Transaction<Database>, row: StoredPackage) => Promise<T>,
  ) => {
    const { account_id } = await mustFindPackage(db, viewer, id)
    return changeOf(db, [account_id], async (tx) => work(tx, await mustFindPackage(tx, viewer, id)))
  }

  return {
    async add(viewer: Viewer, wanted: z.output<typeof addTargeting.body>) {
      const { id: account_id } = await mustFindAccount(db, viewer, wanted.advertiser_id)
      return changeOf(db, [account_id], async (tx) => {
        const account = await mustUseAccount(tx, viewer, account_id)
        const { adv_id, platform } = account
        const targeting = mustReadTargeting(platform, wanted.targeting)
        const invalid_time = expiryOf(wanted.invalid_time, timezone)
        const { targeting_name: name, dir_id } = wanted
        mustNameNoPhone(viewer, name)
        await mustHaveFolder(tx, dir_id)
        await mustBeFree(tx, { adv_id, platform, dir_id }, name)
        await mustHaveRoom(tx, account)
        const made = await insert(tx, viewer, 'create', {
          adv_id,
          account_id,
          platform,
          dir_id,
          name,
          invalid_time,
          targeting,
        })
        await audit(tx, viewer, 'targeting.create', { id: made.id, adv_id, account_id, name, dir_id })
        return made
      })
    },

    update: (viewer: Viewer, wanted: z.output<typeof updateTargeting.body>) =>
      changeOne(viewer, wanted.id, async (tx, row) => {
        if (wanted.ver !== undefined && wanted.ver !== row.ver) await refuseStale(tx, row, timezone)
        if (wanted.advertiser_id !== undefined && wanted.advertiser_id !== row.account_id) {
          throw new AppError('badInput', { reason: outcome('targeting_account_fixed') })
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
        const saved = await write(tx, viewer, row, { name, dir_id, invalid_time, targeting }, { kind: 'update' })
        await audit(tx, viewer, 'targeting.update', { id: row.id, name, dir_id, invalid_time, ver: saved.ver })
        return saved
      }),

    restore: (viewer: Viewer, { id, ver }: { id: number; ver: number }) =>
      changeOne(viewer, id, async (tx, row) => {
        const targeting = await mustFindVersion(tx, id, ver)
        if (isSame(targeting, row.targeting)) return { id, ver: row.ver }
        const { name, dir_id, invalid_time } = row
        const how = { kind: 'restore' as const, restored_from: ver }
        const saved = await write(tx, viewer, row, { name, dir_id, invalid_time, targeting }, how)
        await audit(tx, viewer, 'targeting.restore', { id, from: ver, ver: saved.ver })
        return saved
      }),

    async copy(viewer: Viewer, wanted: z.output<typeof copyTargeting.body>) {
      const source = await mustFindPackage(db, viewer, wanted.id)
      const { id: account_id } = await mustFindAccount(db, viewer, wanted.advertiser_id ?? source.account_id)
      return changeOf(db, [account_id, source.account_id], async (tx) => {
        const row = await mustFindPackage(tx, viewer, wanted.id)
        const account = await mustUseAccount(tx, viewer, account_id)
        const { adv_id, platform } = account
        if (platform !== row.platform) throw new AppError('badInput', { reason: outcome('targeting_other_platform') })
        const dir_id = wanted.dir_id ?? row.dir_id
        await mustHaveFolder(tx, dir_id)
        const taken = await namesIn(tx, { adv_id, platform, dir_id })
        if (wanted.targeting_name !== undefined) mustNameNoPhone(viewer, wanted.targeting_name)
        const name = wanted.targeting_name ?? freeCopyName(row.name, taken)
        if (taken.has(name)) throw new AppError('nameTaken')
        await mustHaveRoom(tx, account)
        const isAlive = row.invalid_time >= now()
        const made = await insert(tx, viewer, 'copy', {
          adv_id,
          account_id,
          platform,
          dir_id,
          name,
          invalid_time: isAlive ? row.invalid_time : endOfDay(now() + COPY_LIFE_SECONDS, timezone),
          targeting: row.targeting,
        })
        await audit(tx, viewer, 'targeting.copy', { id: made.id, from: row.id, account_id, name })
        return { id: made.id, name }
      })
    },
  }
}

const landingTypeOf = ({ landing_type }: StoredTargeting): string | null =>
  typeof landing_type === 'string' ? landing_type : null

/** Postgres sorts the keys of what it stores. */
const isSame = (one: unknown, other: unknown) => isDeepStrictEqual(one, JSON.parse(JSON.stringify(other)))

/** An expired package may be renamed; a changed day must lie ahead. */
function laterDay(wanted: number | undefined, stored: number, timezone: string): number {
  if (wanted === undefined || endOfDay(wanted, timezone) === stored) return stored
  return expiryOf(wanted, timezone)
}

function freeCopyName(name: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '_副本' : `_副本${n}`
    const candidate = [...name].slice(0, NAME_MAX - suffix.length).join('') + suffix
    if (!taken.has(candidate)) return candidate
  }
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

import type { Kysely, Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { platformInfo } from '#contract/platform.ts'
import { isLockedByUse, isPackageCode, type PackageCode } from '#contract/targeting/package-codes.ts'
import { readPackage } from '#contract/targeting/packages.ts'
import { PACKAGES_MAX } from '#contract/targeting-package.ts'
import { plansOfPackages } from '../../crowds/package-plans.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { missingScope } from '../../platforms/missing-scope.ts'
import type { Database } from '../../postgres/schema.ts'
import type { StoredTargeting } from '../../postgres/schema-targeting.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { endOfDay } from '../../time/day.ts'
import { type MirrorQueue, placesTaken } from './mirror/queue.ts'

export interface Account {
  id: number
  adv_id: number
  platform: PackageCode
  name: string
  isAuthorised: boolean
  /** What an authorised account was not granted; null for one that waits to be authorised. */
  lacks: AnyOutcome | null
}

/** Runs a change of an account's packages; changes of one account run one after the other. */
export const changeOf = <T>(
  db: Kysely<Database>,
  account_ids: readonly number[],
  work: (tx: Transaction<Database>) => Promise<T>,
) =>
  transaction(db, async (tx) => {
    for (const id of [...new Set(account_ids)].toSorted((one, other) => one - other)) {
      await tx.selectFrom('platform_account').select('id').where('id', '=', id).forUpdate().execute()
    }
    return work(tx)
  })

/** The viewer's platform account with this id. */
export async function mustFindAccount(db: Kysely<Database>, viewer: Viewer, id: number): Promise<Account> {
  const row = await db
    .selectFrom('platform_account')
    .select(['adv_id', 'platform', 'name', 'login_id', 'auth_error', 'scope_list'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '平台账户' })
  const { adv_id, platform, name } = row
  if (!isPackageCode(platform)) throw new AppError('badInput', { reason: outcome('targeting_platform_local') })
  const isAuthorised = row.login_id !== null && row.auth_error === null
  return { id, adv_id, platform, name, isAuthorised, lacks: isAuthorised ? missingScope(row) : null }
}

/** The account, where something new may be made on it. */
export async function mustUseAccount(db: Kysely<Database>, viewer: Viewer, id: number): Promise<Account> {
  const account = await mustFindAccount(db, viewer, id)
  if (!account.isAuthorised) {
    throw new AppError('platformClosed', { reason: outcome('account_without_login', { account: account.name }) })
  }
  if (account.lacks) throw new AppError('platformClosed', { reason: account.lacks })
  return account
}

/**
 * Refuses to change packages of an authorised account that was not granted what its platform's tab needs. Those of an
 * account whose authorisation ended can be changed, and are sent once it is renewed.
 */
export async function mustMayChange(
  db: Kysely<Database>,
  viewer: Viewer,
  rows: readonly StoredPackage[],
): Promise<void> {
  for (const id of new Set(rows.map((row) => row.account_id))) {
    const { lacks } = await mustFindAccount(db, viewer, id)
    if (lacks) throw new AppError('platformClosed', { reason: lacks })
  }
}

/** Runs a change of one of our packages, which is read again, locked, once changes of its account wait. */
export async function changePackage<T>(
  db: Kysely<Database>,
  viewer: Viewer,
  id: number,
  work: (tx: Transaction<Database>, row: StoredPackage) => Promise<T>,
): Promise<T> {
  const { account_id } = await mustFindPackage(db, viewer, id)
  return changeOf(db, [account_id], async (tx) => {
    const row = await mustFindPackage(tx, viewer, id)
    mustBeOwn([row])
    await mustMayChange(tx, viewer, [row])
    return work(tx, row)
  })
}

/** The viewer's packages with these ids that are not deleted. */
export async function findPackages(db: Kysely<Database>, viewer: Viewer, ids: readonly number[]) {
  const rows = await db
    .selectFrom('targeting_package')
    .selectAll()
    .where('id', 'in', [0, ...ids])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.filter((row) => viewer.isMember(row.adv_id))
}

/** The packages with these ids; all of them are the viewer's and none is deleted. */
export async function mustFindPackages(db: Kysely<Database>, viewer: Viewer, ids: readonly number[]) {
  const rows = await findPackages(db, viewer, ids)
  if (rows.length < new Set(ids).size) throw new AppError('notFound', { what: '定向包' })
  return rows
}
export type StoredPackage = Awaited<ReturnType<typeof mustFindPackages>>[number]

export async function mustFindPackage(db: Kysely<Database>, viewer: Viewer, id: number): Promise<StoredPackage> {
  const [row] = await mustFindPackages(db, viewer, [id])
  if (!row) throw new AppError('notFound', { what: '定向包' })
  return row
}

/** Packages made on a platform are only shown and copied here. */
export function mustBeOwn(rows: readonly StoredPackage[]): void {
  const foreign = rows.find(({ origin }) => origin === 'platform')
  if (foreign) throw new AppError('packageFromPlatform', { name: foreign.name })
}

/** Locks the folder too: a name that is free in it stays free until the transaction ends. */
export async function mustHaveFolder(tx: Transaction<Database>, dir_id: number): Promise<void> {
  const folder = await tx
    .selectFrom('asset_folder')
    .select('id')
    .where('id', '=', dir_id)
    .forUpdate()
    .executeTakeFirst()
  if (!folder) throw new AppError('notFound', { what: '文件夹' })
}

interface Place {
  adv_id: number
  platform: PackageCode
  dir_id: number
}

/** Names of an advertiser's packages of a platform in a folder, without those of `except`. */
export async function namesIn(
  tx: Kysely<Database>,
  { adv_id, platform, dir_id }: Place,
  except: readonly number[] = [],
) {
  const rows = await tx
    .selectFrom('targeting_package')
    .select('name')
    .where('adv_id', '=', adv_id)
    .where('platform', '=', platform)
    .where('dir_id', '=', dir_id)
    .where('origin', '=', 'own')
    .where('deleted_at', 'is', null)
    .where('id', 'not in', [0, ...except])
    .execute()
  return new Set(rows.map(({ name }) => name))
}

export async function mustBeFree(tx: Kysely<Database>, place: Place, name: string, except: readonly number[] = []) {
  if ((await namesIn(tx, place, except)).has(name)) throw new AppError('nameTaken')
}

/** Room for one more package, here and on the platform, where packages made elsewhere count too. */
export async function mustHaveRoom(tx: Kysely<Database>, account: Account, mirror: MirrorQueue): Promise<void> {
  const max = mirror.maxOf(account.platform)
  if (max !== null && ((await placesTaken(tx, [account.id])).get(account.id) ?? 0) >= max) {
    const platform = platformInfo(account.platform).name
    throw new AppError('packageQuotaFull', {
      reason: outcome('targeting_quota_full', { account: account.name, platform }),
    })
  }
  const used = (await countPackages(tx, [account.id])).get(account.id) ?? 0
  if (used >= PACKAGES_MAX) throw new AppError('packagesFull', { account: account.name, max: PACKAGES_MAX })
}

/** How many packages each account has; nothing for an account without packages. */
export async function countPackages(
  db: Kysely<Database>,
  account_ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('targeting_package')
    .select((eb) => ['account_id', eb.fn.countAll<number>().as('used')])
    .where('account_id', 'in', [0, ...account_ids])
    .where('deleted_at', 'is', null)
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id, used }) => [account_id, used]))
}

/** Refuses to change what live plans use, where the platform locks it. */
export async function mustBeUnlocked(tx: Kysely<Database>, row: StoredPackage): Promise<void> {
  if (!isLockedByUse(row.platform)) return
  const plans = (await plansOfPackages(tx, [row.id])).get(row.id)
  if (!plans) return
  throw new AppError('packageLocked', { name: row.name, plans: plans.map((plan) => plan.name).join('、') })
}

/** The targeting as it is stored; refuses what its platform's editor would refuse, and says in which tab. */
export function mustReadTargeting(platform: PackageCode, given: unknown): StoredTargeting {
  const read = readPackage(platform, given)
  if (read.refusal) throw new AppError('badInput', { reason: read.refusal }, read.at)
  return read.targeting
}

/** The last second of the day; refuses a day before today. */
export function expiryOf(seconds: number, timezone: string): number {
  const end = endOfDay(seconds, timezone)
  if (end < now()) throw new AppError('crowdExpiryPast')
  return end
}

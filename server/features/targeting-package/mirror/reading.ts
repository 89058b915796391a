import type { Kysely, Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { PlatformCode } from '#contract/platform.ts'
import { PACKAGE_CODES } from '#contract/targeting/package-codes.ts'
import { type AccountSession, PlatformFault, type StepHooks } from '../../../platforms/audience-platform.ts'
import type { PackageUse, PlatformPackage, TargetingPackages } from '../../../platforms/targeting-platform.ts'
import { packageKeyOf } from '../../../platforms/targeting-platform.ts'
import type { Database } from '../../../postgres/schema.ts'
import { now } from '../../../time/clock.ts'
import { changeOf } from '../checks.ts'
import type { MirrorDeps } from './deps.ts'
import { keepMadeThere, translated } from './made-there.ts'
import type { MirrorQueue } from './queue.ts'
import { isSameContent, isSameCopy, keepUses, type MirrorRow, mirroredRows, setMirror } from './rows.ts'
import { foundCopyOf } from './steps.ts'

const READ = 'targeting.read'
const READ_ACCOUNT = 'targeting.read-account'
/** Accounts read at once. */
const CONCURRENCY = 6
/** A reading that another one overtook lists the packages anew so often; by then what stands here is as new. */
const TRIES = 3

/** Reads the packages of accounts on their platforms: what was made, changed or deleted there. */
export function mirrorReading(deps: MirrorDeps, queue: MirrorQueue) {
  const { db, jobs, timezone, packagesOf, session } = deps
  const mirrored = PACKAGE_CODES.filter((code) => packagesOf(code) !== null)

  jobs.handle(READ, { concurrency: 1, retries: 0 }, async ({ finish }) => {
    const accounts = await db
      .selectFrom('platform_account')
      .select('id')
      .where('platform', 'in', [0, ...mirrored])
      .where('login_id', 'is not', null)
      .where('auth_error', 'is', null)
      .execute()
    const waiting = await db
      .selectFrom('targeting_mirror')
      .select('account_id')
      .distinct()
      .where('state', '=', 'waiting')
      .execute()
    await finish(async (tx) => {
      for (const { id } of accounts) await sendRead(tx, id)
      // The queue forgets a job that waits for two weeks.
      for (const { account_id } of waiting) await queue.sendRun(tx, account_id)
    })
  })
  jobs.schedule(READ, '25 * * * *', timezone)

  // An account each, so that a slow platform delays nobody else's.
  jobs.handle<{ account_id: number }>(READ_ACCOUNT, { concurrency: CONCURRENCY, retries: 0 }, async (job) => {
    await read(job.data.account_id, { signal: job.signal, uses: 'all' })
  })

  const sendRead = (tx: Transaction<Database>, account_id: number) =>
    jobs.send(tx, READ_ACCOUNT, { account_id }, { singletonKey: `account:${account_id}` })

  /** `uses`: of which packages the plans are read too. Why the platform could not be read; null if it was. */
  async function read(
    account_id: number,
    { signal, uses }: { signal: AbortSignal; uses: 'all' | number | null },
  ): Promise<AnyOutcome | null> {
    const account = await db
      .selectFrom('platform_account')
      .select(['adv_id', 'platform'])
      .where('id', '=', account_id)
      .executeTakeFirst()
    const packages = account ? packagesOf(account.platform as PlatformCode) : null
    if (!account || !packages) return null
    const on: StepHooks = { signal, sample: () => undefined }
    try {
      const as = await session(account_id, packages.scopes)
      let used: Used | null = null
      for (let tries = 1; tries <= TRIES; tries++) {
        const last = await lastRead(db, account_id)
        const before = new Map((await mirroredRows(db, account_id).execute()).map((row) => [row.id, row]))
        const found = await packages.list(as, on)
        used ??= await usesOf({ account_id, packages, as, on }, found, uses)
        const read = { last, before, found, ...used }
        if (await keepReading({ id: account_id, ...account }, packages, read)) break
      }
      return used?.unread ?? null
    } catch (error) {
      if (!(error instanceof PlatformFault)) throw error
      const why = error.outcome
      await changeOf(db, [account_id], (tx) => keepFailure(tx, account_id, why))
      return why
    }
  }

  /** The plans of those of the packages that are asked about. */
  async function usesOf(
    by: { account_id: number; packages: TargetingPackages; as: AccountSession; on: StepHooks },
    found: readonly PlatformPackage[],
    uses: 'all' | number | null,
  ): Promise<Used> {
    const { use } = by.packages
    const plans = new Map<number, PackageUse[]>()
    if (!use) return { plans, unread: null }
    const asked = await db
      .selectFrom('targeting_package')
      .select(['id', 'targeting_id', 'origin'])
      .where('account_id', '=', by.account_id)
      .where('targeting_id', 'is not', null)
      .where('deleted_at', 'is', null)
      .execute()
    for (const { id, targeting_id, origin } of asked) {
      const isAsked = uses === 'all' ? origin === 'own' : uses === id
      if (!isAsked || !found.some((one) => one.targeting_id === targeting_id)) continue
      try {
        plans.set(id, await use(by.as, targeting_id as string, by.on))
      } catch (error) {
        if (!(error instanceof PlatformFault)) throw error
        // Among so many calls one may fail, and what the list says counts nevertheless.
        if (error.kind !== 'gone') return { plans, unread: error.outcome }
        // Deleted since the list was read.
        plans.set(id, [])
      }
    }
    return { plans, unread: null }
  }

  interface Used {
    plans: ReadonlyMap<number, PackageUse[]>
    /** Why the plans of the others could not be read; of these what was read last stays. */
    unread: AnyOutcome | null
  }

  interface Read extends Used {
    /** When the reading that was stored last had ended, as this one began. */
    last: number | null
    before: ReadonlyMap<number, MirrorRow>
    found: readonly PlatformPackage[]
  }

  /**
   * Stores what an account's packages are now. False, and nothing is stored, where another reading was stored meanwhile:
   * by this older list, what was made since would count as deleted.
   */
  const keepReading = (
    account: { id: number; adv_id: number; platform: number },
    packages: TargetingPackages,
    { last, before, found, plans, unread }: Read,
  ): Promise<boolean> =>
    changeOf(db, [account.id], async (tx) => {
      // An authorisation that was taken back meanwhile took with it what it let us read.
      await mustBeAuthorised(tx, account.id)
      if ((await lastRead(tx, account.id)) !== last) return false
      const rows = await mirroredRows(tx, account.id).execute()
      for (const row of rows) await compare(tx, packages, row, before.get(row.id), found)
      await keepMadeThere(tx, packages, { ...account, timezone }, rows, found)
      for (const [id, list] of plans) await keepUses(tx, id, list)
      await (unread ? keepFailure(tx, account.id, unread, now()) : keepRead(tx, account.id))
      return true
    })

  async function lastRead(on: Kysely<Database>, account_id: number): Promise<number | null> {
    const row = await on
      .selectFrom('targeting_account')
      .select('read_at')
      .where('account_id', '=', account_id)
      .executeTakeFirst()
    return row?.read_at ?? null
  }

  async function mustBeAuthorised(tx: Transaction<Database>, account_id: number): Promise<void> {
    const { name, login_id } = await tx
      .selectFrom('platform_account')
      .select(['name', 'login_id'])
      .where('id', '=', account_id)
      .executeTakeFirstOrThrow()
    if (login_id === null) throw new PlatformFault('unauthorised', outcome('account_without_login', { account: name }))
  }

  const keepRead = (tx: Transaction<Database>, account_id: number) => {
    const reading = { read_at: now(), failed_at: null, outcome: null }
    return tx
      .insertInto('targeting_account')
      .values({ account_id, ...reading })
      .onConflict((oc) => oc.column('account_id').doUpdateSet(reading))
      .execute()
  }

  /** Readings that fail one after the other keep the time of the first. `read_at`: of one that failed after the list. */
  const keepFailure = (tx: Transaction<Database>, account_id: number, why: AnyOutcome, read_at: number | null = null) =>
    tx
      .insertInto('targeting_account')
      .values({ account_id, read_at, failed_at: now(), outcome: why })
      .onConflict((oc) =>
        oc.column('account_id').doUpdateSet((eb) => ({
          outcome: why,
          read_at: eb.fn.coalesce('excluded.read_at', 'targeting_account.read_at'),
          failed_at: eb.fn.coalesce('targeting_account.failed_at', 'excluded.failed_at'),
        })),
      )
      .execute()

  /** One package of ours with its copy. What was worked on since the reading began is left to the next one. */
  async function compare(
    tx: Transaction<Database>,
    packages: TargetingPackages,
    row: MirrorRow,
    before: MirrorRow | undefined,
    found: readonly PlatformPackage[],
  ): Promise<void> {
    if (before?.rev !== row.rev || before.state !== row.state || row.state === 'waiting' || row.state === 'paused')
      return
    const there =
      found.find((one) => one.targeting_id === row.targeting_id) ??
      (row.targeting_id === null ? found.find((one) => packageKeyOf(one.description) === row.key) : undefined)
    if (row.deleted_at !== null || row.targeting_id === null) {
      // Created late, after its call had failed.
      if (!there) return
      await setMirror(tx, row.id, { state: 'waiting', attempts: 0, is_tried: true })
      await queue.sendRun(tx, row.account_id)
      return
    }
    if (!there) {
      const gone = outcome('targeting_gone_there')
      if (row.state !== 'gone') await setMirror(tx, row.id, { state: 'gone', outcome: gone, found: null })
      return
    }
    if (row.state === 'failed') return
    const known = row.content && { name: row.sent_name ?? '', content: row.content, others: row.others }
    if (isSameCopy(known, there)) {
      const isCurrent = isSameContent(row.content, packages.contentOf(row.targeting))
      const state = isCurrent ? 'synced' : 'waiting'
      await setMirror(tx, row.id, { state, outcome: null, found: null, ...(isCurrent && { synced_at: now() }) })
      if (!isCurrent) await queue.sendRun(tx, row.account_id)
      return
    }
    const changed = foundCopyOf(there, translated(packages, there, row.targeting))
    await setMirror(tx, row.id, { state: 'changed', outcome: null, found: changed })
  }

  return { read, sendRead }
}
export type MirrorReading = ReturnType<typeof mirrorReading>

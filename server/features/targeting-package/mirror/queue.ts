import { randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../../postgres/schema.ts'
import type { StoredPackage } from '../checks.ts'
import type { MirrorDeps } from './deps.ts'

export const RUN = 'targeting.mirror'

/** Unique for ever; a package's copy is found by it. */
export const newKey = () => `rq_${randomBytes(12).toString('hex')}`

type Saved = Pick<StoredPackage, 'id' | 'account_id' | 'platform'>

/** Asks for what was saved here to be brought to the platform. */
export function mirrorQueue({ jobs, packagesOf }: Pick<MirrorDeps, 'jobs' | 'packagesOf'>) {
  /** One job for each account, so that a slow one delays no other; a job that waits longer starts now. */
  const sendRun = (tx: Transaction<Database>, account_id: number) =>
    jobs.send(tx, RUN, { account_id }, { singletonKey: `account:${account_id}`, atOnce: true })

  return {
    sendRun,

    /** The most packages of an account, those made elsewhere included; null where the platform publishes none. */
    maxOf: (platform: StoredPackage['platform']) => packagesOf(platform)?.max ?? null,

    /** A package was created or changed. What someone changed or deleted on the platform waits for a decision. */
    async saved(tx: Transaction<Database>, { id, account_id, platform }: Saved): Promise<void> {
      if (!packagesOf(platform)?.writing) return
      await tx
        .insertInto('targeting_mirror')
        .values({ package_id: id, account_id, key: newKey(), state: 'waiting' })
        .onConflict((oc) =>
          oc
            .column('package_id')
            .doUpdateSet({ state: 'waiting', attempts: 0, outcome: null })
            .where('targeting_mirror.state', 'not in', ['changed', 'gone']),
        )
        .execute()
      await sendRun(tx, account_id)
    },

    /** Packages were deleted here. */
    async removed(tx: Transaction<Database>, rows: readonly Saved[]): Promise<void> {
      const ids = rows.map(({ id }) => id)
      const waiting = await tx
        .updateTable('targeting_mirror')
        .set({ state: 'waiting', attempts: 0, outcome: null, found: null })
        .where('package_id', 'in', ids)
        .returning('account_id')
        .execute()
      for (const account_id of new Set(waiting.map((row) => row.account_id))) await sendRun(tx, account_id)
    },
  }
}
export type MirrorQueue = ReturnType<typeof mirrorQueue>

/** Packages that take up a place on their platform, or will: those made there, and ours. */
const takingPlaces = (db: Kysely<Database>) =>
  db
    .selectFrom('targeting_package as package')
    .leftJoin('targeting_mirror as mirror', 'mirror.package_id', 'package.id')
    .where((eb) =>
      eb.or([
        eb.and([
          eb('package.deleted_at', 'is', null),
          eb.or([
            eb('package.origin', '=', 'platform'),
            eb('mirror.state', 'in', ['waiting', 'paused']),
            eb.and([eb('package.targeting_id', 'is not', null), eb('mirror.state', '!=', 'gone')]),
          ]),
        ]),
        // Deleted here, and still there.
        eb.and([
          eb('package.deleted_at', 'is not', null),
          eb('package.origin', '=', 'own'),
          eb('package.targeting_id', 'is not', null),
        ]),
      ]),
    )

/** How many places the packages of each account take up; nothing for an account without packages. */
export async function placesTaken(
  db: Kysely<Database>,
  account_ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await takingPlaces(db)
    .select((eb) => ['package.account_id', eb.fn.countAll<number>().as('used')])
    .where('package.account_id', 'in', [0, ...account_ids])
    .groupBy('package.account_id')
    .execute()
  return new Map(rows.map(({ account_id, used }) => [account_id, used]))
}

/** Names of the advertisers' accounts on a platform whose packages take up `max` places or more. */
export async function fullAccounts(
  db: Kysely<Database>,
  { adv_ids, platform, max }: { adv_ids: readonly number[]; platform: number; max: number },
): Promise<string[]> {
  const rows = await takingPlaces(db)
    .innerJoin('platform_account as account', 'account.id', 'package.account_id')
    .select('account.name')
    .where('account.adv_id', 'in', [...adv_ids])
    .where('account.platform', '=', platform)
    .groupBy(['account.id', 'account.name'])
    .having((eb) => eb(eb.fn.countAll<number>(), '>=', max))
    .orderBy('account.id')
    .execute()
  return rows.map(({ name }) => name)
}

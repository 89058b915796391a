import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { CROWD_FIELDS } from '#contract/targeting/crowds-of.ts'
import { lostCrowds } from '#contract/targeting/lost-crowds.ts'
import type { Jobs } from '../../jobs/open.ts'
import { PlatformFault } from '../../platforms/audience-platform.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { changeOf } from './checks.ts'
import type { PackageDeps } from './deps.ts'

const FIND = 'targeting.crowds'
const CHECK = 'targeting.crowds-of-account'
/** A person who opens a package waits so long for the list of crowds. */
const WAIT_MS = 2000

type CrowdList = Awaited<ReturnType<PackageDeps['crowdList']>>

/**
 * Packages whose crowds expired, froze, were deleted or withdrawn have the status 人群失效 until all are there again. The
 * account's list of crowds decides; a list that could not be read changes nothing.
 */
export function lostCrowdChecks({ db, jobs, timezone, crowdList }: PackageDeps & { jobs: Jobs }) {
  jobs.handle(FIND, { concurrency: 1, retries: 0 }, async ({ finish }) => {
    const accounts = await withCrowds(db).select('account_id').distinct().execute()
    await finish(async (tx) => {
      for (const { account_id } of accounts) {
        await jobs.send(tx, CHECK, { account_id }, { singletonKey: `account-${account_id}` })
      }
    })
  })
  jobs.schedule(FIND, '5 * * * *', timezone)

  // An account each, so that a slow platform delays nobody else's.
  jobs.handle<{ account_id: number }>(CHECK, { concurrency: 4, retries: 0 }, async ({ data, finish }) => {
    const list = await readList(data.account_id, { anew: true })
    if (list) await finish((tx) => mark(tx, data.account_id, list))
  })

  /** The list of now; null where the platform did not answer, or refuses the account. */
  async function readList(account_id: number, how: { anew: boolean }): Promise<CrowdList | null> {
    try {
      const list = await crowdList(account_id, how)
      return list.fail_outcome === null ? list : null
    } catch (error) {
      if (error instanceof PlatformFault) return null
      throw error
    }
  }

  return {
    /**
     * Checks the packages of an account when one of them is opened, with a list of some minutes ago if there is one,
     * which it answers.
     */
    async onOpening(account_id: number): Promise<CrowdList['content'] | null> {
      const done = new AbortController()
      const late = sleep(WAIT_MS, null, { signal: done.signal, ref: false }).catch(() => null)
      try {
        const list = await Promise.race([readList(account_id, { anew: false }), late])
        if (!list) return null
        if ((await differing(db, account_id, list)).length > 0) {
          await changeOf(db, [account_id], (tx) => mark(tx, account_id, list))
        }
        return list.content
      } finally {
        done.abort()
      }
    },
  }
}

/** Packages that use crowds. */
const withCrowds = (db: Kysely<Database>) =>
  db
    .selectFrom('targeting_package')
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`targeting ?| array[${sql.join(CROWD_FIELDS)}]::text[]`)

/** The packages of an account whose mark is not what the list says, with their lost crowds. */
async function differing(db: Kysely<Database>, account_id: number, { content, read_at }: CrowdList) {
  const rows = await db
    .selectFrom('targeting_package')
    .select(['id', 'platform', 'targeting', 'is_crowd_lost'])
    .where('account_id', '=', account_id)
    .where('deleted_at', 'is', null)
    // Of these the platform itself says which crowds are lost.
    .where(
      sql<boolean>`not exists (select from targeting_there
        where targeting_there.package_id = targeting_package.id and targeting_there.lost_crowds is not null)`,
    )
    // A crowd made after the list was read may be in what was saved since.
    .where('saved_at', '<', read_at)
    .where((eb) =>
      eb.or([eb('is_crowd_lost', '=', true), sql<boolean>`targeting ?| array[${sql.join(CROWD_FIELDS)}]::text[]`]),
    )
    .orderBy('id')
    .execute()
  return rows
    .map(({ id, platform, targeting, is_crowd_lost }) => {
      const lost = lostCrowds(platform, targeting, content)
      return { id, lost, isDifferent: lost.length > 0 !== is_crowd_lost }
    })
    .filter(({ isDifferent }) => isDifferent)
}

async function mark(tx: Kysely<Database>, account_id: number, list: CrowdList): Promise<void> {
  await tx.selectFrom('platform_account').select('id').where('id', '=', account_id).forUpdate().execute()
  for (const { id, lost } of await differing(tx, account_id, list)) {
    await tx
      .updateTable('targeting_package')
      .set({ is_crowd_lost: lost.length > 0 })
      .where('id', '=', id)
      .execute()
    await audit(tx, null, lost.length > 0 ? 'targeting.crowds_lost' : 'targeting.crowds_back', { id, account_id, lost })
  }
}

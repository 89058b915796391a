import { type Kysely, sql, type Transaction } from 'kysely'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import { noteSize } from '../../crowds/crowd-sizes.ts'
import { MATCH_STEP } from '../../crowds/kinds.ts'
import type { DropLater } from '../../crowds/replaced-members.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now, secondsLeft } from '../../time/clock.ts'
import type { Identifiers } from './deps.ts'

const MATCH = 'custom.match'
/** A crowd is matched with our people again after an import, but not more often than this; seconds. */
const MATCH_EVERY = 15 * 60
interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  evaluator: RuleEvaluator
  identifiers: Identifiers
  /** Called in the transaction that replaces a crowd's matched people while its version stays. */
  onMembers(tx: Transaction<Database>, crowd_id: number): Promise<void>
  dropLater: DropLater
}

/** Matches uploaded crowds with our people again after imports, since new people may be in them. */
export function matching({ db, jobs, evaluator, identifiers, onMembers, dropLater }: Deps) {
  jobs.handle<{ crowd_id: number }>(MATCH, { concurrency: 1 }, async (job) => {
    const { crowd_id } = job.data
    const crowd = await job.step((tx) =>
      tx
        .updateTable('custom_crowd')
        .set((eb) => ({ match_seq: eb('match_seq', '+', 1) }))
        .where('id', '=', crowd_id)
        .where('deleted_at', 'is', null)
        .where('version', '>', 0)
        .returning(['adv_id', 'version', 'user_id_type as type', 'match_seq', 'members_version'])
        .executeTakeFirst(),
    )
    if (!crowd) return
    const { adv_id, version, type, match_seq } = crowd
    const members_version = match_seq * MATCH_STEP + version
    // Rows of a killed run were never in use.
    const left = members_version - MATCH_STEP
    if (left !== crowd.members_version) {
      await evaluator.dropVersions(adv_id, [{ kind: 'crowd', id: crowd_id, version: left }])
    }
    const at = now()
    const matched = await identifiers.membersOf({ adv_id, crowd_id, version, type }, members_version, {
      signal: job.signal,
    })
    await job.finish(async (tx) => {
      await lockCrowds(tx, adv_id)
      const found = await tx
        .selectFrom('custom_crowd')
        .select(['version', 'match_seq'])
        .where('id', '=', crowd_id)
        .where('deleted_at', 'is', null)
        .forNoKeyUpdate()
        .executeTakeFirst()
      // Another version came into force meanwhile and has its own members.
      if (found?.version !== version || found.match_seq !== match_seq) {
        return dropLater(tx, adv_id, [{ id: crowd_id, version: members_version }])
      }
      await tx
        .updateTable('custom_crowd')
        .set({ members_version, matched, counted_at: at })
        .where('id', '=', crowd_id)
        .execute()
      await noteSize(tx, { crowd_id, version: members_version, count: matched, counted_at: at })
      await onMembers(tx, crowd_id)
    })
  })

  return {
    /** Matches one crowd whose members may be out of date. */
    matchSoon: (tx: Transaction<Database>, crowd_id: number) =>
      jobs.send(tx, MATCH, { crowd_id }, { singletonKey: `custom:${crowd_id}` }),

    /**
     * Matches a crowd again if an import ended after its people were read, when `ended` imports had ended: that import
     * may not have seen the version.
     */
    async matchMissed(
      tx: Transaction<Database>,
      { adv_id, crowd_id, ended }: { adv_id: number; crowd_id: number; ended: number },
    ): Promise<void> {
      const joining = await tx
        .selectFrom('import')
        .select('id')
        .where('adv_id', '=', adv_id)
        .where('status', '!=', 'done')
        .where('state', 'is not', null)
        .limit(1)
        .executeTakeFirst()
      if (joining || (await importsEnded(tx, adv_id)) !== ended) {
        await jobs.send(tx, MATCH, { crowd_id }, { singletonKey: `custom:${crowd_id}` })
      }
    },

    /** Matches all crowds of an advertiser after an import; `atOnce` after one was undone. */
    async matchAgain(adv_id: number, { atOnce = false } = {}): Promise<void> {
      await transaction(db, async (tx) => {
        const crowds = await tx
          .selectFrom('custom_crowd')
          .select(['id', 'counted_at'])
          .where('adv_id', '=', adv_id)
          .where('deleted_at', 'is', null)
          .where('version', '>', 0)
          .orderBy('id')
          .execute()
        for (const { id, counted_at } of crowds) {
          const startAfter = atOnce ? 0 : secondsLeft(counted_at ?? 0, MATCH_EVERY)
          await jobs.send(tx, MATCH, { crowd_id: id }, { singletonKey: `custom:${id}`, startAfter, atOnce })
        }
      })
    },
  }
}
/** Imports of messages that ended longer ago may be forgotten. */
const MESSAGES_COUNT_S = 86_400

/**
 * How many imports of the advertiser, and undos of imports, have ended. A changed number shows that one ended meanwhile,
 * without a clock. Imports of messages count by their ids, since old ones are forgotten.
 */
export async function importsEnded(db: Kysely<Database>, adv_id: number): Promise<number> {
  const { n } = await db
    .selectFrom('import')
    .select(
      sql<number>`coalesce(sum(case when source = 'tracking' then id when status = 'undone' then 2 else 1 end), 0)`.as(
        'n',
      ),
    )
    .where((eb) => eb.or([eb('source', '=', 'file'), eb('finished_at', '>', now() - MESSAGES_COUNT_S)]))
    .where('adv_id', '=', adv_id)
    .where('status', 'in', ['done', 'undoing', 'undo_failed', 'undone'])
    .executeTakeFirstOrThrow()
  return Number(n)
}

export type Matching = ReturnType<typeof matching>

import { type Kysely, sql, type Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { Forgotten } from '../../identifiers/tombstones.ts'
import { countMessages, emptyMessages, emptyShared } from '../../ingest/tracking/forgotten-messages.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import type { ForgetDeps } from './deps.ts'
import type { SealedPerson } from './gather.ts'
import { patternOf, REMOVED } from './texts.ts'

/** Messages of tracking calls: those that wait to be counted or were counted lately, and what is kept of refused ones. */
export function trackedMessages({ db, load }: Pick<ForgetDeps, 'db' | 'load'>) {
  const ofAdvertiser = (adv_id: number) => `adv_id = ${Number(adv_id)}`

  /** A condition on refusals: they name the person; null where nothing can. */
  function refusalsSql(adv_id: number, person: SealedPerson) {
    const [inText, inJson] = [patternOf(person, false), patternOf(person, true)]
    if (inText === null || inJson === null) return null
    return {
      inJson,
      named: sql`adv_id = ${adv_id} and (kind ~* ${inText} or event ~* ${inText} or message_id ~* ${inText}
        or outcome::text ~* ${inJson})`,
    }
  }

  return {
    async count(adv_id: number, forgotten: Forgotten, person: SealedPerson): Promise<number> {
      const messages = await countMessages(load, ofAdvertiser(adv_id), forgotten)
      const condition = refusalsSql(adv_id, person)
      if (condition === null) return messages
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from tracking_refusal where ${condition.named}`.execute(db)
      return messages + (rows[0]?.n ?? 0)
    },

    /** Takes the texts out of the person's messages. May be repeated. */
    async eraseMessages(adv_id: number, forgotten: Forgotten, person: SealedPerson): Promise<number> {
      const own = await emptyMessages(load, ofAdvertiser(adv_id), forgotten, 'removed')
      return own + (await emptyShared(load, adv_id, person.one_ids))
    },

    /** Takes what a sender wrote out of refusals that name the person; how many there were stays. */
    async eraseRefusals(tx: Kysely<Database>, adv_id: number, person: SealedPerson): Promise<number> {
      const condition = refusalsSql(adv_id, person)
      if (condition === null) return 0
      const { rows } = await sql`
        update tracking_refusal set kind = '', event = '', message_id = '',
          outcome = regexp_replace(outcome::text, ${condition.inJson}, ${REMOVED}, 'gi')::jsonb
        where ${condition.named} returning 1`.execute(tx)
      return rows.length
    },

    /** Says among the refusals how many messages were removed. */
    async note(tx: Transaction<Database>, adv_id: number, times: number): Promise<void> {
      if (times === 0) return
      await tx
        .insertInto('tracking_refusal')
        .values({
          ...{ adv_id, key_id: null, at: now(), times, is_kept: false },
          ...{ kind: '', event: '', message_id: '' },
          outcome: JSON.stringify(outcome('track_removed_on_request')),
        })
        .execute()
    },
  }
}

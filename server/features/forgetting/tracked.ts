import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql, type Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { Forgotten } from '../../identifiers/tombstones.ts'
import { countMessages, emptyMessages, emptyShared } from '../../ingest/tracking/forgotten-messages.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import type { ForgetDeps } from './deps.ts'
import type { SealedPerson } from './gather.ts'
import { patternOf, withoutPerson } from './texts.ts'

/** Messages of tracking calls: those that wait to be counted or were counted lately, and what is kept of refused ones. */
export function trackedMessages({ db, load }: Pick<ForgetDeps, 'db' | 'load'>) {
  const ofAdvertiser = (adv_id: number) => `adv_id = ${Number(adv_id)}`

  /** Refusals that name the person, each with its outcome without that. */
  async function refusalsNaming(from: Kysely<Database>, adv_id: number, person: SealedPerson) {
    const [inText, inJson] = [patternOf(person, false), patternOf(person, true)]
    if (inText === null || inJson === null) return []
    const found = await from
      .selectFrom('tracking_refusal')
      .select(['id', 'kind', 'event', 'message_id', 'outcome'])
      .where('adv_id', '=', adv_id)
      .where(
        sql<boolean>`(kind ~* ${inText} or event ~* ${inText} or message_id ~* ${inText} or outcome::text ~* ${inJson})`,
      )
      .execute()
    return found.flatMap(({ id, ...texts }) => {
      const without = withoutPerson(texts, person) as typeof texts
      return isDeepStrictEqual(without, texts) ? [] : [{ id, outcome: without.outcome }]
    })
  }

  return {
    async count(adv_id: number, forgotten: Forgotten, person: SealedPerson): Promise<number> {
      const messages = await countMessages(load, ofAdvertiser(adv_id), forgotten)
      return messages + (await refusalsNaming(db, adv_id, person)).length
    },

    /** Takes the texts out of the person's messages. May be repeated. */
    async eraseMessages(adv_id: number, forgotten: Forgotten, person: SealedPerson): Promise<number> {
      const own = await emptyMessages(load, ofAdvertiser(adv_id), forgotten, 'removed')
      return own + (await emptyShared(load, adv_id, person.one_ids))
    },

    /** Takes what a sender wrote out of refusals that name the person; how many there were stays. */
    async eraseRefusals(tx: Kysely<Database>, adv_id: number, person: SealedPerson): Promise<number> {
      const found = await refusalsNaming(tx, adv_id, person)
      for (const { id, outcome: without } of found) {
        await tx
          .updateTable('tracking_refusal')
          .set({ kind: '', event: '', message_id: '', outcome: JSON.stringify(without) })
          .where('id', '=', id)
          .execute()
      }
      return found.length
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

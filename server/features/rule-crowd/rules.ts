import type { Kysely } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { RuleNode } from '#contract/rule.ts'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import { notAfterNow } from '../../postgres/not-after-now.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { oldestCount, type Reference, referencesOf, setVersionsOf } from './references.ts'

const DRAFT_SECONDS = 86_400

/** Rules and their live counts. A rule is a draft until a crowd takes it. */
export function ruleService({ db, evaluator }: { db: Kysely<Database>; evaluator: RuleEvaluator }) {
  /** Finds a rule of one of the viewer's advertisers, which must be `adv_id` where one is given. */
  async function mustFind(tx: Kysely<Database>, viewer: Viewer, rId: number, adv_id?: number) {
    const rule = await tx.selectFrom('rule').selectAll().where('id', '=', rId).executeTakeFirst()
    if (!rule || !viewer.isMember(rule.adv_id)) throw new AppError('notFound', { what: '规则' })
    if (adv_id !== undefined && adv_id !== rule.adv_id) {
      throw new AppError('ruleMalformed', { reason: outcome('rule_of_other_advertiser') })
    }
    return rule
  }

  async function countReferences(adv_id: number, rule: RuleNode, references: Reference[], signal?: AbortSignal) {
    const cnt = await evaluator.countRule(adv_id, rule, setVersionsOf(references), signal ? { signal } : {})
    return { cnt, counted_at: oldestCount(references) ?? now() }
  }

  async function count(adv_id: number, rule: RuleNode, signal?: AbortSignal) {
    const references = await referencesOf(db, adv_id, rule)
    return { ...(await countReferences(adv_id, rule, references, signal)), references }
  }

  return {
    async open(viewer: Viewer, adv_id: number, from: number | undefined) {
      viewer.mustBeMember(adv_id)
      return transaction(db, async (tx) => {
        const def = from === undefined ? null : (await mustFind(tx, viewer, from, adv_id)).def
        const { id } = await tx
          .insertInto('rule')
          .values({
            adv_id,
            def: def && JSON.stringify(def),
            creator_id: viewer.id,
            created_at: now(),
            updated_at: now(),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await audit(tx, viewer, 'rule.open', { id, adv_id, from: from ?? null })
        return { rId: id }
      })
    },

    async get(viewer: Viewer, rId: number) {
      const rule = await mustFind(db, viewer, rId)
      if (!rule.def) return { rId, advId: rule.adv_id, def: null, cnt: {}, counted_at: null, tags: [] }
      const references = await referencesOf(db, rule.adv_id, rule.def)
      // While a tag is counted for the first time, the definition is answered without counts.
      const ready = references.every((r) => r.version > 0)
      const counted = ready ? await countReferences(rule.adv_id, rule.def, references) : { cnt: {}, counted_at: null }
      const tags = references.map(({ id, tag_type, name, count, icon, path }) => ({
        id,
        tag_type,
        name,
        count,
        icon,
        path,
      }))
      return { rId, advId: rule.adv_id, def: rule.def, ...counted, tags }
    },

    async store(viewer: Viewer, rId: number, adv_id: number, rule: RuleNode) {
      viewer.mustBeMember(adv_id)
      await mustFind(db, viewer, rId, adv_id)
      const { references, ...counted } = await count(adv_id, rule)
      await transaction(db, async (tx) => {
        await tx.selectFrom('rule').select('id').where('id', '=', rId).forUpdate().executeTakeFirst()
        const taken = await tx.selectFrom('people').select('id').where('rule_id', '=', rId).executeTakeFirst()
        if (taken) throw new AppError('ruleHasCrowd')
        await tx
          .updateTable('rule')
          .set({ def: JSON.stringify(rule), updated_at: now() })
          .where('id', '=', rId)
          .execute()
        await audit(tx, viewer, 'rule.store', { id: rId })
      })
      return counted
    },

    async count(viewer: Viewer, rId: number, adv_id: number, rule: RuleNode, signal: AbortSignal) {
      viewer.mustBeMember(adv_id)
      await mustFind(db, viewer, rId, adv_id)
      const { references, ...counted } = await count(adv_id, rule, signal)
      return {
        ...counted,
        tags: references.map(({ id, tag_type, count: people }) => ({ id, tag_type, count: people })),
      }
    },

    /** Deletes drafts that no crowd took within a day. */
    async dropDrafts(): Promise<void> {
      await notAfterNow(db, 'rule', 'updated_at')
      await db
        .deleteFrom('rule')
        .where('updated_at', '<', now() - DRAFT_SECONDS)
        .where((eb) =>
          eb.not(eb.exists(eb.selectFrom('people').select('people.id').whereRef('people.rule_id', '=', 'rule.id'))),
        )
        .execute()
    },
  }
}
export type RuleService = ReturnType<typeof ruleService>

import type { Kysely } from 'kysely'
import { CROWD_TAG, emptyLeavesOf, type RuleNode, subTagsOf } from '#contract/rule.ts'
import { AppError } from '../../errors.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { cycleThrough, expiredAmong, referencesOf } from './references.ts'

/** Checks the rule that a crowd is about to take: complete, not taken, without expired crowds and without a cycle. */
export async function checkRule(tx: Kysely<Database>, adv_id: number, rId: number, people_id: number | null) {
  const rule = await tx.selectFrom('rule').selectAll().where('id', '=', rId).forUpdate().executeTakeFirst()
  if (!rule || rule.adv_id !== adv_id) throw new AppError('notFound', { what: '规则' })
  const taken = await tx.selectFrom('people').select('id').where('rule_id', '=', rId).executeTakeFirst()
  if (taken && taken.id !== people_id) throw new AppError('ruleTaken')
  if (!rule.def || emptyLeavesOf(rule.def).length > 0) throw new AppError('ruleEmptyLeaf')
  const references = await referencesOf(tx, adv_id, rule.def)
  const expired = expiredAmong(references, now())
  if (expired) throw new AppError('ruleExpiredCrowd', { name: expired.name })
  const cycle = people_id === null ? null : await cycleThrough(tx, people_id, rule.def)
  if (cycle) throw new AppError('ruleCycle', { path: cycle.join(' → ') })
  return rule.def
}

/** Stores which tags and crowds the crowd's rule names. */
export async function writeUses(tx: Kysely<Database>, people_id: number, def: RuleNode): Promise<void> {
  await tx.deleteFrom('crowd_use').where('people_id', '=', people_id).execute()
  await tx
    .insertInto('crowd_use')
    .values(
      subTagsOf(def).map((t) => ({
        people_id,
        uses_kind: t.tag_type === CROWD_TAG ? ('crowd' as const) : ('tag' as const),
        uses_id: t.id,
      })),
    )
    .execute()
}

import type { Kysely } from 'kysely'
import { CROWD_TAG, type RuleNode } from '#contract/rule.ts'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import { usersOf } from '../../crowds/crowd-uses.ts'
import { packagesOfRuleCrowd } from '../../crowds/package-plans.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import type { RuleCrowdChecks } from './crowd-checks.ts'
import { oldestCount, referencesOf, setVersionsOf } from './references.ts'

interface Deps {
  db: Kysely<Database>
  evaluator: RuleEvaluator
  mustFind: RuleCrowdChecks['mustFind']
}

/** The id of a node around the rule, longer than any from the wire. */
const idOf = (what: string) => `${what} ${'-'.repeat(64)}`

/** How a rule would change the people of a crowd, by the crowd's present version, and what uses the crowd. */
export const compareRules =
  ({ db, evaluator, mustFind }: Deps) =>
  async (viewer: Viewer, id: number, rule: RuleNode, signal: AbortSignal) => {
    const { adv_id, name } = await mustFind(db, viewer, id)
    const crowd = await db
      .selectFrom('people')
      .select(['version', 'magnitude', 'computed_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { version, magnitude, computed_at } = crowd
    if (version === 0 || magnitude === null || computed_at === null) throw new AppError('crowdNoResult', { name })
    const references = await referencesOf(db, adv_id, rule)
    const versions = [
      ...setVersionsOf(references.filter((one) => one.tag_type !== CROWD_TAG || one.id !== id)),
      { kind: 'crowd' as const, id, version, count: magnitude },
    ]
    const present: RuleNode = { id: idOf('present'), op: null, subTags: [{ id, tag_type: CROWD_TAG }], exps: [] }
    const stay: RuleNode = { id: idOf('stay'), op: 'n', subTags: [], exps: [rule, present] }
    const [counted, users, packages] = await Promise.all([
      evaluator.countRule(adv_id, stay, versions, { signal }),
      usersOf(db, 'rule', id),
      packagesOfRuleCrowd(db, id),
    ])
    const [after = 0, staying = 0] = [counted[rule.id], counted[stay.id]]
    return {
      before: magnitude,
      computed_at,
      after,
      counted_at: oldestCount(references) ?? now(),
      entered: after - staying,
      left: magnitude - staying,
      users,
      packages,
    }
  }

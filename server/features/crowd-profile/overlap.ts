import type { Kysely } from 'kysely'
import { choicesOf, exactParts } from '#contract/crowd-overlap.ts'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import { crowdSets, subTagOf, versionOf } from '../../crowds/crowd-sets.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'

interface Deps {
  db: Kysely<Database>
  evaluator: RuleEvaluator
}

/** How some crowds overlap: the people who are in exactly these of them, for each choice. */
export const crowdOverlap =
  ({ db, evaluator }: Deps) =>
  async (viewer: Viewer, given: readonly number[], signal: AbortSignal) => {
    const ids = [...new Set(given)]
    const { adv_id, crowds } = await crowdSets(db, viewer, ids)
    const inAll = choicesOf(crowds).map((chosen) => ({
      ...{ id: chosen.map(({ id }) => id).join(','), op: 'n' as const, subTags: chosen.map(subTagOf), exps: [] },
    }))
    const counts = await evaluator.countRules(adv_id, inAll, crowds.map(versionOf), { signal })
    return {
      crowds: crowds.map(({ version: _, ...crowd }) => crowd),
      parts: exactParts(ids, new Map(Object.entries(counts))),
    }
  }

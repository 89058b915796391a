import type { Kysely } from 'kysely'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import { mustSeeCrowd } from '../../crowds/crowd-sets.ts'
import { changesBetween, versionsOf } from '../../crowds/version-changes.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'

interface Deps {
  db: Kysely<Database>
  evaluator: RuleEvaluator
}

/** Who entered and left a crowd between two of its versions. */
export const crowdChanges =
  ({ db, evaluator }: Deps) =>
  async (viewer: Viewer, id: number, asked: { from: number; to: number }, signal: AbortSignal) => {
    const { adv_id } = await mustSeeCrowd(db, viewer, id)
    const versions = await versionsOf(db, id, [asked.from, asked.to])
    const mustFind = (no: number) => {
      const found = versions.find(({ version }) => version === no)
      if (!found) throw new AppError('notFound', { what: '版本' })
      return found
    }
    const compared = { from: mustFind(asked.from), to: mustFind(asked.to) }
    const changes = await changesBetween(evaluator, { id, adv_id }, compared, signal)
    return { adv_id, ...compared, ...(changes ?? { entered: null, left: null, stayed: null }) }
  }

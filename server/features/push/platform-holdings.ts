import type { Kysely } from 'kysely'
import type { IdentifierType } from '#contract/identifier.ts'
import type { Database } from '../../postgres/schema.ts'

/** The values that earlier pushes of a child brought to the platform, or may have brought. */
export interface PlatformHoldings {
  types: readonly IdentifierType[]
  /** True when nothing was ever sent. */
  isEmpty: boolean
  /** Whether the platform is known to have taken something. */
  hasTaken: boolean
  /**
   * Selects (value, is_held, is_sure) of a type. The last operation on each value decides; is_sure is 0 where the outcome
   * of its part is unknown.
   */
  sql(type: IdentifierType): string
}

export async function platformHoldings(db: Kysely<Database>, child_id: number): Promise<PlatformHoldings> {
  const parts = await db
    .selectFrom('push_part')
    .innerJoin('push', 'push.id', 'push_part.push_id')
    .innerJoin('audience', 'audience.id', 'push.child_id')
    .select(['push.plan_id', 'push_part.no', 'push_part.type', 'push_part.status', 'push_part.attempts'])
    .where('push.child_id', '=', child_id)
    .where('push.plan_id', 'is not', null)
    .whereRef('push.plan_id', '>', 'audience.void_plan')
    .orderBy('push.plan_id')
    .orderBy('push_part.no')
    .execute()
  // Parts that were never sent have no effect.
  const tried = parts.filter((part) => part.status !== 'waiting' || part.attempts > 0)
  const pairs = (list: typeof tried) => `[${list.map((part) => `(${part.plan_id},${part.no})`).join(',')}]`
  return {
    types: [...new Set(tried.map((part) => part.type))],
    isEmpty: tried.length === 0,
    hasTaken: tried.some((part) => part.status === 'done'),
    sql(type) {
      const mine = tried.filter((part) => part.type === type)
      if (mine.length === 0) return `SELECT '' AS value, 0 AS is_held, 1 AS is_sure WHERE 0`
      const uncertain = mine.filter((part) => part.status !== 'done')
      const isSure =
        uncertain.length === 0
          ? '1'
          : `NOT has(CAST(${pairs(uncertain)}, 'Array(Tuple(UInt32, UInt32))'), (plan_id, part))`
      return `SELECT value, argMax(op, plan_id) = 1 AS is_held, argMax(${isSure}, plan_id) AS is_sure FROM push_value
        WHERE child_id = ${child_id} AND id_type = '${type}'
          AND (plan_id, part) IN (CAST(${pairs(mine)}, 'Array(Tuple(UInt32, UInt32))'))
        GROUP BY value`
    },
  }
}

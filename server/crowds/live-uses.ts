import { type RawBuilder, sql } from 'kysely'
import { now } from '../time/clock.ts'

/** Whether a plan of ours that uses something is enabled: its switches are on, and its last day is not over. */
export const isLive = (uses: 'plan_use' | 'audience_use' | 'targeting_use'): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${uses}.live`)} and coalesce(${sql.ref(`${uses}.until`)} >= ${now()}, true))`

import type { Kysely } from 'kysely'
import { mustSeeCrowd } from '../../crowds/crowd-sets.ts'
import { sizesOf } from '../../crowds/crowd-sizes.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'

/** Seconds. Of this time every computation is answered. */
const RECENTLY = 7 * 86_400

/** How many people a crowd had over time. */
export const crowdSizes =
  ({ db, timezone }: { db: Kysely<Database>; timezone: string }) =>
  async (viewer: Viewer, id: number) => {
    const crowd = await mustSeeCrowd(db, viewer, id)
    return { ...crowd, sizes: await sizesOf(db, id, { timezone, recently: now() - RECENTLY }) }
  }

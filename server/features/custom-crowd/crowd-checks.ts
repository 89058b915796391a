import type { Kysely } from 'kysely'
import { editRefusal } from '#contract/custom-crowd-rules.ts'
import { crowdChecks } from '../../crowds/crowd-checks.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { type CrowdRow, crowdRows, presentAll } from './store.ts'

export const customChecks = (db: Kysely<Database>) => ({
  ...crowdChecks(db, 'custom', (tx, ids) =>
    crowdRows(tx)
      .where('custom_crowd.id', 'in', [...ids])
      .orderBy('custom_crowd.id')
      .execute(),
  ),

  /** The id of the viewer's advertiser with this name; null if they are a member of none. */
  async memberNamed(viewer: Viewer, name: string): Promise<number | null> {
    const found = await db.selectFrom('advertiser').select('id').where('name', '=', name).executeTakeFirst()
    return found && viewer.isMember(found.id) ? found.id : null
  },

  /** The web disables the action by the same rule. */
  async mustBeEditable(tx: Kysely<Database>, row: CrowdRow) {
    const [crowd] = await presentAll(tx, [row])
    const reason = crowd ? editRefusal(crowd) : null
    if (reason) throw new AppError('customNotEditable', { reason })
  },
})
export type CustomChecks = ReturnType<typeof customChecks>

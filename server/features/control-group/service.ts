import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { ControlGroup, getControlGroup, setControlGroup } from '#contract/control-group.ts'
import { controlColumn, SET_CONTROL_GROUP } from '../../crowds/control-groups.ts'
import { CROWDS, type CrowdKind } from '../../crowds/kinds.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'

interface Crowd {
  kind: CrowdKind
  id: number
}

/** The control groups of crowds: set by viewers, held out by pushes. */
export function controlGroupService({ db }: { db: Kysely<Database> }) {
  async function mustFindCrowd(on: Kysely<Database>, viewer: Viewer, { kind, id }: Crowd, locks = false) {
    const { crowds, what } = CROWDS[kind]
    const row = await on
      .selectFrom(crowds)
      .select('adv_id')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .$if(locks, (query) => query.forNoKeyUpdate())
      .executeTakeFirst()
    if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what })
  }

  const current = (on: Kysely<Database>, { kind, id }: Crowd) =>
    on.selectFrom('control_group').where(controlColumn(kind), '=', id).where('ended_at', 'is', null)

  return {
    async get(viewer: Viewer, of: z.output<typeof getControlGroup.query>): Promise<{ group: ControlGroup | null }> {
      await mustFindCrowd(db, viewer, of)
      const group = await current(db, of)
        .innerJoin('viewer', 'viewer.id', 'control_group.viewer_id')
        .select(['share', 'control_group.created_at', 'pushed_at'])
        .select(sql<string>`coalesce(nullif(viewer.realname, ''), viewer.username)`.as('creator'))
        .executeTakeFirst()
      return { group: group ?? null }
    },

    /** A group that a push was planned with is never changed: another share is another group with a seed of its own. */
    async set(viewer: Viewer, { kind, id, share, restart }: z.output<typeof setControlGroup.body>): Promise<void> {
      await transaction(db, async (tx) => {
        // Of two changes at once the second sees the first one's group.
        await mustFindCrowd(tx, viewer, { kind, id }, true)
        // Locked: a push that is being planned either marks it as used first, or finds that it has ended.
        const before = await current(tx, { kind, id }).selectAll().forUpdate().executeTakeFirst()
        if ((before?.share ?? null) === share) return
        if (before && before.pushed_at !== null && !restart) throw new AppError('controlGroupPushed')
        if (before) {
          await tx.updateTable('control_group').set({ ended_at: now() }).where('id', '=', before.id).execute()
        }
        if (share !== null) {
          await tx
            .insertInto('control_group')
            .values({
              [controlColumn(kind)]: id,
              share,
              seed: randomBytes(8).toString('hex'),
              viewer_id: viewer.id,
              created_at: now(),
            })
            .execute()
        }
        const was = before ? { before: before.share, restarted: before.pushed_at !== null } : { before: null }
        await audit(tx, viewer, SET_CONTROL_GROUP, { kind, id, share, ...was })
      })
    },
  }
}
export type ControlGroupService = ReturnType<typeof controlGroupService>

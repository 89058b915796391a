import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { getCustomCrowd, listCustomCrowds } from '#contract/custom-crowd.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { holding } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'
import type { CrowdChecks } from './crowd-checks.ts'
import { funnelOf } from './funnel.ts'
import { crowdRows, presentAll, statusSql } from './store.ts'

/** Uploaded crowds as viewers find them. */
export function findCrowds({ db, checks }: { db: Kysely<Database>; checks: CrowdChecks }) {
  return {
    async list(viewer: Viewer, query: z.output<typeof listCustomCrowds.query>) {
      if (query.adv_id !== undefined) viewer.mustBeMember(query.adv_id)
      const mine = viewer.adv_ids.filter((id) => query.adv_id === undefined || id === query.adv_id)
      if (mine.length === 0) return { list: [], total: 0 }
      let rows = crowdRows(db).where('custom_crowd.adv_id', 'in', mine)
      if (query.name) rows = rows.where('custom_crowd.name', 'ilike', holding(query.name))
      if (query.creator_id?.length) rows = rows.where('custom_crowd.creator_id', 'in', query.creator_id)
      if (query.creator) {
        const like = holding(query.creator)
        rows = rows.where((eb) => eb.or([eb('viewer.realname', 'ilike', like), eb('viewer.username', 'ilike', like)]))
      }
      if (query.dir_id) rows = rows.where('custom_crowd.dir_id', '=', query.dir_id)
      if (query.created_at) {
        const [from, to] = query.created_at
        rows = rows.where('custom_crowd.created_at', '>=', from).where('custom_crowd.created_at', '<=', to)
      }
      // A crowd is also found by what one of its children is.
      const { status, tag_id } = query
      if (tag_id) {
        rows = rows.where((eb) =>
          eb.or([
            eb(eb.cast<string>('custom_crowd.id', 'text'), '=', tag_id),
            eb.exists(childrenWith(db).where('child.audience_id', '=', tag_id)),
          ]),
        )
      }
      if (status?.length) {
        rows = rows.where((eb) =>
          eb.or([eb(statusSql, 'in', status), eb.exists(childrenWith(db).where('child.status', 'in', status))]),
        )
      }
      const { total } = await rows
        .clearSelect()
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const direction = query.sort === 'created_at' ? 'asc' : 'desc'
      const page = await rows
        .orderBy('custom_crowd.created_at', direction)
        .orderBy('custom_crowd.id', direction)
        .limit(query.page_size)
        .offset((query.page - 1) * query.page_size)
        .execute()
      return { list: await presentAll(db, page), total }
    },

    async get(viewer: Viewer, id: number): Promise<z.output<typeof getCustomCrowd.data>> {
      const row = await checks.mustFind(db, viewer, id)
      const [[crowd], funnel] = await Promise.all([presentAll(db, [row]), funnelOf(db, row)])
      if (!crowd) throw new AppError('notFound', { what: '自定义人群' })
      return { crowd, funnel }
    },
  }
}

const childrenWith = (db: Kysely<Database>) =>
  db
    .selectFrom('audience as child')
    .select('child.id')
    .whereRef('child.custom_id', '=', 'custom_crowd.id' as never)
    .where('child.deleted_at', 'is', null)

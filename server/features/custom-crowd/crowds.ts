import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { getCustomCrowd, listCustomCrowds } from '#contract/custom-crowd.ts'
import { listedAdvertisers, listFilters, listPage } from '../../crowds/crowd-list.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import type { CustomChecks } from './crowd-checks.ts'
import { funnelOf } from './funnel.ts'
import { crowdRows, presentAll, statusSql } from './store.ts'

/** Lists uploaded crowds and reads one. */
export function findCrowds({ db, checks }: { db: Kysely<Database>; checks: CustomChecks }) {
  return {
    async list(viewer: Viewer, query: z.output<typeof listCustomCrowds.query>) {
      const mine = listedAdvertisers(viewer, query.adv_id)
      if (mine.length === 0) return { list: [], total: 0 }
      let rows = crowdRows(db).where(listFilters(viewer, 'custom', mine, query))
      // A crowd is also found by the id or status of one of its children.
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
      const { page, page_size, sort } = query
      const listed = await listPage(rows, 'custom', { sort, limit: page_size, offset: (page - 1) * page_size })
      return { list: await presentAll(db, listed.page), total: listed.total }
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

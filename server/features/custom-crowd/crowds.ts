import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { CustomListExport } from '#contract/crowd-list-export.ts'
import type { getCustomCrowd, listCustomCrowds } from '#contract/custom-crowd.ts'
import { listedAdvertisers, listFilters, listPage } from '../../crowds/crowd-list.ts'
import { listedIds, listLines } from '../../crowds/list-export.ts'
import { AppError } from '../../errors.ts'
import { phonesFor } from '../../files/mask-phones.ts'
import type { SentFile } from '../../http/file-download.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import type { CustomChecks } from './crowd-checks.ts'
import { funnelOf } from './funnel.ts'
import { LIST_HEAD, listCells } from './list-cells.ts'
import { crowdRows, presentAll, statusSql } from './store.ts'

/** Lists uploaded crowds and reads one. */
export function findCrowds({ db, checks, timezone }: { db: Kysely<Database>; checks: CustomChecks; timezone: string }) {
  function filtered(viewer: Viewer, mine: readonly number[], query: z.output<typeof CustomListExport>) {
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
    return rows
  }

  return {
    async list(viewer: Viewer, query: z.output<typeof listCustomCrowds.query>) {
      const mine = listedAdvertisers(viewer, query.adv_id)
      if (mine.length === 0) return { list: [], total: 0 }
      const rows = filtered(viewer, mine, query)
      const { page, page_size, sort } = query
      const listed = await listPage(rows, 'custom', { sort, limit: page_size, offset: (page - 1) * page_size })
      return { list: await presentAll(db, listed.page), total: listed.total }
    },

    /** What the list shows, all pages, as a file; audited. */
    async exportList(viewer: Viewer, query: z.output<typeof CustomListExport>): Promise<SentFile> {
      const mine = listedAdvertisers(viewer, query.adv_id)
      const ids = mine.length === 0 ? [] : await listedIds(filtered(viewer, mine, query), 'custom', query.sort)
      await audit(db, viewer, 'export.custom_crowds', { adv_ids: mine, rows: ids.length })
      const lines = listLines(LIST_HEAD, ids, async (part) => {
        const rows = await crowdRows(db)
          .where('custom_crowd.id', 'in', [...part])
          .execute()
        const crowds = await presentAll(db, rows)
        return new Map(crowds.map((crowd) => [crowd.id, listCells(crowd, phonesFor(viewer), timezone)]))
      })
      return { name: '自定义人群列表.csv', content: lines }
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

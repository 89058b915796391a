import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { listPeople, PeopleRow } from '#contract/rule-crowd.ts'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { holding } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import type { CrowdComputing } from './compute.ts'
import { crowdChecks } from './crowd-checks.ts'
import { removeCrowds } from './remove-crowds.ts'
import { saveCrowds } from './save-crowds.ts'
import { type CrowdRow, crowdRows, present, statusSql } from './store.ts'
import { inOrder, uploadedCrowds } from './uploaded.ts'

interface Deps {
  db: Kysely<Database>
  evaluator: RuleEvaluator
  timezone: string
  /** Crowds an advertiser may have. */
  capacity: number
  computing: CrowdComputing
}

/** Rule crowds as viewers find them; how they are saved and removed stands in files of its own. */
export function crowdService({ db, evaluator, timezone, capacity, computing }: Deps) {
  const checks = crowdChecks(db, capacity)
  const { mustFind, used, usersOf } = checks

  return {
    ...saveCrowds({ db, timezone, computing, checks }),
    ...removeCrowds({ db, evaluator, computing, checks }),

    async list(viewer: Viewer, query: z.output<typeof listPeople.query>) {
      const mine = viewer.adv_ids.filter((id) => query.adv_id === undefined || id === query.adv_id)
      if (query.adv_id !== undefined) viewer.mustBeMember(query.adv_id)
      if (mine.length === 0) return { res: [], total: 0 }
      const at = now()
      const status = query.ordinary ? (['completed', 'in_use'] as const) : query.status
      let rows = crowdRows(db, at).where('people.adv_id', 'in', mine)
      if (query.name) rows = rows.where('people.name', 'ilike', holding(query.name))
      if (query.creator_id?.length) rows = rows.where('people.creator_id', 'in', query.creator_id)
      if (query.creator) {
        const like = holding(query.creator)
        rows = rows.where((eb) => eb.or([eb('viewer.realname', 'ilike', like), eb('viewer.username', 'ilike', like)]))
      }
      if (query.tag_id) rows = rows.where('people.tag_id', '=', query.tag_id)
      if (query.dir_id) rows = rows.where('people.dir_id', '=', query.dir_id)
      if (query.created_at) {
        const [from, to] = query.created_at
        rows = rows.where('people.created_at', '>=', from).where('people.created_at', '<=', to)
      }
      if (status?.length) rows = rows.where(statusSql(at), 'in', [...status])
      const { total } = await rows
        .clearSelect()
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const direction = query.sort === 'created_at' ? 'asc' : 'desc'
      const sorted = rows.orderBy('people.created_at', direction).orderBy('people.id', direction)
      const from = (query.page - 1) * query.page_size
      const ofRule = (row: CrowdRow): PeopleRow => ({ ...present(row, at), kind: 'rule' })
      if (query.ordinary) {
        const uploaded = await uploadedCrowds(db, mine, query, from + query.page_size)
        const page = await sorted.limit(from + query.page_size).execute()
        const res = inOrder([...page.map(ofRule), ...uploaded.rows], direction).slice(from, from + query.page_size)
        return { res, total: total + uploaded.total }
      }
      const page = await sorted.limit(query.page_size).offset(from).execute()
      return { res: page.map(ofRule), total }
    },

    get: (viewer: Viewer, id: number) => mustFind(db, viewer, id),

    async quota(viewer: Viewer, adv_id: number) {
      viewer.mustBeMember(adv_id)
      return { capacity, used: await used(db, adv_id) }
    },

    /** What uses a crowd; `tag_id`, where it is given, must be the crowd's own. */
    async uses(viewer: Viewer, id: number, tag_id?: number) {
      const crowd = await mustFind(db, viewer, id)
      if (tag_id !== undefined && tag_id !== crowd.tagId) throw new AppError('notFound', { what: '人群包' })
      return usersOf(db, id)
    },

    /** What uses an uploaded crowd; its tag id is its id. */
    async usesOfUploaded(viewer: Viewer, id: number, tag_id?: number) {
      const crowd = await db
        .selectFrom('custom_crowd')
        .select('adv_id')
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (!crowd || !viewer.isMember(crowd.adv_id) || (tag_id !== undefined && tag_id !== id)) {
        throw new AppError('notFound', { what: '自定义人群' })
      }
      const plans = await db
        .selectFrom('audience_use')
        .innerJoin('audience', 'audience.id', 'audience_use.child_id')
        .select(['audience_use.plan_id as id', 'audience_use.plan_name as name'])
        .distinct()
        .where('audience.custom_id', '=', id)
        .where('audience_use.live', '=', true)
        .orderBy('audience_use.plan_id')
        .execute()
      return [...plans.map((plan) => ({ kind: 'plan' as const, ...plan })), ...(await usersOf(db, id))]
    },

    /** Everyone who made a crowd that the viewer may see. */
    async creators(viewer: Viewer, keyword: string | undefined) {
      if (viewer.adv_ids.length === 0) return []
      const rows = await db
        .selectFrom('viewer')
        .select(['id', 'realname', 'username'])
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('people')
            .select('creator_id')
            .where('adv_id', 'in', viewer.adv_ids)
            .where('deleted_at', 'is', null)
            .union(
              eb
                .selectFrom('custom_crowd')
                .select('creator_id')
                .where('adv_id', 'in', viewer.adv_ids)
                .where('deleted_at', 'is', null),
            ),
        )
        .orderBy('id')
        .execute()
      return rows
        .map(({ id, realname, username }) => ({ id, realname: realname || username }))
        .filter((row) => !keyword || row.realname.includes(keyword))
    },
  }
}
export type CrowdService = ReturnType<typeof crowdService>

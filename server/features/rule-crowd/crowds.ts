import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { CustomChild } from '#contract/audience.ts'
import type { checkRuleCrowdApplied, listCreators, listRuleCrowds, RuleCrowdRow } from '#contract/rule-crowd.ts'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import { crowdChecks } from '../../crowds/crowd-checks.ts'
import { creatorsOf, listedAdvertisers, listPage } from '../../crowds/crowd-list.ts'
import { plansOfCrowd } from '../../crowds/crowd-plans.ts'
import { usersOf } from '../../crowds/crowd-uses.ts'
import { plansOfPackages } from '../../crowds/package-plans.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { childrenOf } from '../audience/children.ts'
import { compareRules } from './compare.ts'
import type { CrowdComputing } from './compute.ts'
import { ruleCrowdChecks } from './crowd-checks.ts'
import { filteredCrowds } from './filtered.ts'
import { exportList } from './list-export.ts'
import { removeCrowds } from './remove-crowds.ts'
import { saveCrowds } from './save-crowds.ts'
import { type CrowdRow, present } from './store.ts'
import { inOrder, uploadedCrowds } from './uploaded.ts'

/** Seconds. */
const LOOK_NOTED_EVERY = 3600

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  evaluator: RuleEvaluator
  timezone: string
  /** How many rule crowds an advertiser may have. */
  capacity: number
  computing: CrowdComputing
  dropDrafts(): Promise<void>
}

/** Rule crowds: listed, counted against the quota, saved and removed. */
export function crowdService({ db, jobs, evaluator, timezone, capacity, computing, dropDrafts }: Deps) {
  const checks = ruleCrowdChecks(db, capacity)
  const { mustFind, used } = checks
  const uploaded = crowdChecks(db, 'custom', (tx, ids) =>
    tx
      .selectFrom('custom_crowd')
      .select(['id', 'adv_id'])
      .where('id', 'in', [...ids])
      .where('deleted_at', 'is', null)
      .execute(),
  )

  return {
    ...saveCrowds({ db, timezone, computing, checks }),
    ...removeCrowds({ db, jobs, evaluator, computing, checks, dropDrafts }),

    async list(viewer: Viewer, query: z.output<typeof listRuleCrowds.query>) {
      const mine = listedAdvertisers(viewer, query.adv_id)
      if (mine.length === 0) return { res: [], total: 0 }
      const at = now()
      const { rows } = await filteredCrowds(db, viewer, mine, query, at)
      const { page_size, sort } = query
      const from = (query.page - 1) * page_size
      const ofRule = (row: CrowdRow, audiences: CustomChild[] = []): RuleCrowdRow => ({
        ...present(row, at),
        kind: 'rule',
        audiences,
      })
      if (!query.ordinary) {
        const { page, total } = await listPage(rows, 'rule', { sort, limit: page_size, offset: from })
        const ids = page.map((row) => row.id)
        const audiences = await childrenOf(db, 'rule', ids)
        return { res: page.map((row) => ofRule(row, audiences.get(row.id))), total }
      }
      // All rows of both kinds up to the end of the page are read, to find out which are on it.
      const limit = from + page_size
      const [rules, customs] = await Promise.all([
        listPage(rows, 'rule', { sort, limit }),
        uploadedCrowds(db, { viewer, adv_ids: mine }, query, limit),
      ])
      const res = inOrder([...rules.page.map((row) => ofRule(row)), ...customs.rows], sort).slice(from, limit)
      return { res, total: rules.total + customs.total }
    },

    async get(viewer: Viewer, id: number) {
      const crowd = await mustFind(db, viewer, id)
      await noteLook(db, id)
      return crowd
    },

    async quota(viewer: Viewer, adv_id: number) {
      viewer.mustBeMember(adv_id)
      return { capacity, used: await used(db, adv_id) }
    },

    exportList: exportList({ db, timezone }),

    compare: compareRules({ db, evaluator, mustFind }),

    /** What uses a crowd; `tag_id`, where given, must be the crowd's own. */
    async uses(viewer: Viewer, id: number, tag_id?: number) {
      const crowd = await mustFind(db, viewer, id)
      if (tag_id !== undefined && tag_id !== crowd.tagId) throw new AppError('notFound', { what: '人群包' })
      return usersOf(db, 'rule', id)
    },

    /** Live plans that use a rule crowd (type 1) or a targeting package (type 2). */
    async plansOf(viewer: Viewer, { type, crowd_id, tag_id }: z.output<typeof checkRuleCrowdApplied.body>) {
      if (type === 1) {
        const crowd = await mustFind(db, viewer, crowd_id)
        if (tag_id !== undefined && tag_id !== crowd.tagId) throw new AppError('notFound', { what: '人群包' })
        return plansOfCrowd(db, 'rule', crowd_id)
      }
      const found = await db
        .selectFrom('targeting_package')
        .select('adv_id')
        .where('id', '=', crowd_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      const isOther = tag_id !== undefined && tag_id !== crowd_id
      if (!found || isOther || !viewer.isMember(found.adv_id)) throw new AppError('notFound', { what: '定向包' })
      const plans = (await plansOfPackages(db, [crowd_id])).get(crowd_id) ?? []
      return plans.map((plan) => ({ ...plan, package_name: null }))
    },

    /** What uses an uploaded crowd; its tag id is its id. */
    async usesOfUploaded(viewer: Viewer, id: number, tag_id?: number) {
      await uploaded.mustFind(db, viewer, id)
      if (tag_id !== undefined && tag_id !== id) throw new AppError('notFound', { what: '自定义人群' })
      return usersOf(db, 'custom', id)
    },

    creators: (viewer: Viewer, asked: z.output<typeof listCreators.body>) => creatorsOf(db, viewer, asked),
  }
}
/** Crowds that are looked at are recomputed before others. */
async function noteLook(db: Kysely<Database>, id: number): Promise<void> {
  const at = now()
  await db
    .updateTable('people')
    .set({ looked_at: at })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('looked_at', 'is', null),
        eb('looked_at', '<', at - LOOK_NOTED_EVERY),
        // Noted before the clock was set back.
        eb('looked_at', '>', at),
      ]),
    )
    .execute()
}
export type CrowdService = ReturnType<typeof crowdService>

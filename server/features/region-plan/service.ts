import { type Kysely, sql, type Transaction } from 'kysely'
import type { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import { type addRegionPlan, REGION_PLANS_MAX, type RegionPlan, type renameRegionPlan } from '#contract/region-plan.ts'
import { isPackageCode, type PackageCode } from '#contract/targeting/package-codes.ts'
import { AppError } from '../../errors.ts'
import { keptName, mustNameNoPhone } from '../../files/written-names.ts'
import type { Viewer } from '../../http/viewer.ts'
import { missingScope } from '../../platforms/missing-scope.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'

interface Deps {
  db: Kysely<Database>
  /** The regions that the account's platform lists; null while they were never read. */
  regionIds(account_id: number): Promise<ReadonlySet<string> | null>
}

/** The most unknown regions that a refusal names. */
const NAMED_MAX = 5

/** Regions that advertisers saved under a name. Packages hold a copy of what they chose, so a plan can go at any time. */
export function regionPlanService({ db, regionIds }: Deps) {
  async function mustFind(tx: Kysely<Database>, viewer: Viewer, id: number) {
    const row = await tx.selectFrom('region_plan').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '地域包' })
    return row
  }

  async function mustFindAccount(viewer: Viewer, id: number) {
    const account = await db
      .selectFrom('platform_account')
      .select(['adv_id', 'platform', 'name', 'scope_list', 'login_id', 'auth_error'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!account || !viewer.isMember(account.adv_id)) throw new AppError('notFound', { what: '平台账户' })
    const { adv_id, platform } = account
    if (!isPackageCode(platform)) throw new AppError('badInput', { reason: outcome('targeting_platform_local') })
    // As packages: those of an account whose authorisation ended can be changed.
    const missing = account.login_id !== null && account.auth_error === null ? missingScope(account) : null
    if (missing) throw new AppError('platformClosed', { reason: missing })
    return { adv_id, platform }
  }

  async function mustKnow(account_id: number, regions: readonly string[]) {
    const known = await regionIds(account_id)
    const unknown = known ? regions.filter((id) => !known.has(id)) : []
    if (unknown.length === 0) return
    const reason = outcome('region_plan_unknown', { ids: unknown.slice(0, NAMED_MAX), count: unknown.length })
    throw new AppError('badInput', { reason })
  }

  /** Changes of an advertiser's plans run one after the other. */
  const changeOf = <T>(adv_id: number, work: (tx: Transaction<Database>) => Promise<T>) =>
    transaction(db, async (tx) => {
      await tx.selectFrom('advertiser').select('id').where('id', '=', adv_id).forNoKeyUpdate().execute()
      return work(tx)
    })

  async function namesOf(tx: Kysely<Database>, adv_id: number, platform: PackageCode, except = 0) {
    const rows = await tx
      .selectFrom('region_plan')
      .select('name')
      .where('adv_id', '=', adv_id)
      .where('platform', '=', platform)
      .where('id', '!=', except)
      .execute()
    return rows.map(({ name }) => name)
  }

  return {
    /** An advertiser's plans for a platform, the newest first, for callers who have checked whose it is. */
    async ofAdvertiser(adv_id: number, platform: number): Promise<RegionPlan[]> {
      return db
        .selectFrom('region_plan')
        .innerJoin('viewer', 'viewer.id', 'region_plan.creator_id')
        .select(['region_plan.id', 'region_plan.name', 'region_plan.regions', 'region_plan.created_at'])
        .select(sql<string>`coalesce(nullif(viewer.realname, ''), viewer.username)`.as('creator'))
        .where('adv_id', '=', adv_id)
        .where('platform', '=', platform as PackageCode)
        .orderBy('region_plan.created_at', 'desc')
        .orderBy('region_plan.id', 'desc')
        .execute()
    },

    async add(viewer: Viewer, { advertiser_id, name, regions }: z.output<typeof addRegionPlan.body>) {
      const { adv_id, platform } = await mustFindAccount(viewer, advertiser_id)
      mustNameNoPhone(viewer, name)
      await mustKnow(advertiser_id, regions)
      return changeOf(adv_id, async (tx) => {
        const names = await namesOf(tx, adv_id, platform)
        if (names.includes(name)) throw new AppError('savedNameTaken', { what: '地域包' })
        if (names.length >= REGION_PLANS_MAX) {
          throw new AppError('badInput', { reason: outcome('region_plans_full', { max: REGION_PLANS_MAX }) })
        }
        const { id } = await tx
          .insertInto('region_plan')
          .values({
            ...{ adv_id, platform, name, creator_id: viewer.id, created_at: now() },
            regions: JSON.stringify(regions),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await audit(tx, viewer, 'region_plan.create', { id, adv_id, platform, name, regions: regions.length })
        return { id }
      })
    },

    async rename(viewer: Viewer, { id, name: wanted }: z.output<typeof renameRegionPlan.body>) {
      const { adv_id } = await mustFind(db, viewer, id)
      await changeOf(adv_id, async (tx) => {
        const row = await mustFind(tx, viewer, id)
        const name = keptName(viewer, wanted, row.name)
        if (name === row.name) return
        if ((await namesOf(tx, adv_id, row.platform, id)).includes(name))
          throw new AppError('savedNameTaken', { what: '地域包' })
        await tx.updateTable('region_plan').set({ name }).where('id', '=', id).execute()
        await audit(tx, viewer, 'region_plan.rename', { id, name })
      })
    },

    async remove(viewer: Viewer, id: number) {
      const { adv_id } = await mustFind(db, viewer, id)
      await changeOf(adv_id, async (tx) => {
        const { name } = await mustFind(tx, viewer, id)
        await tx.deleteFrom('region_plan').where('id', '=', id).execute()
        await audit(tx, viewer, 'region_plan.delete', { id, name })
      })
    },
  }
}
export type RegionPlanService = ReturnType<typeof regionPlanService>

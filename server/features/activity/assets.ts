import { sql } from 'kysely'
import type { z } from 'zod'
import { ACTIVITY_ASSETS_MAX, type listActivityAssets, type saveActivityAsset } from '#contract/activity-asset.ts'
import { outcome } from '#contract/outcome.ts'
import { PRODUCTS_MAX } from '#contract/product.ts'
import { listedAdvertisers } from '../../crowds/crowd-list.ts'
import { AppError } from '../../errors.ts'
import { mustNameNoPhone } from '../../files/written-names.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import { textHolds } from '../../postgres/like.ts'
import type { AssetContent } from '../../postgres/schema-activity.ts'
import { now } from '../../time/clock.ts'
import { changeActivity, changeOf } from './activities.ts'
import type { ActivityDeps } from './deps.ts'
import { reusableContent } from './save.ts'

interface Deps extends Pick<ActivityDeps, 'db'> {
  startFrom(viewer: Viewer, adv_id: number, content: AssetContent, valuable_id: number): Promise<{ id: number }>
}

/** Activities that advertisers saved to start others from, and the products that activities are for. */
export function activityAssets({ db, startFrom }: Deps) {
  async function mustFindAsset(viewer: Viewer, id: number) {
    const row = await db.selectFrom('campaign_asset').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '资产' })
    return row
  }

  return {
    async list(
      viewer: Viewer,
      { adv_id, name, page, page_size }: z.output<typeof listActivityAssets.query>,
    ): Promise<z.output<typeof listActivityAssets.data>> {
      let rows = db
        .selectFrom('campaign_asset as asset')
        .innerJoin('advertiser', 'advertiser.id', 'asset.adv_id')
        .innerJoin('viewer', 'viewer.id', 'asset.creator_id')
        .where('asset.adv_id', 'in', [0, ...listedAdvertisers(viewer, adv_id)])
      if (name) rows = rows.where(textHolds(viewer, sql.ref('asset.name'), name))
      const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const list = await rows
        .select(['asset.id as valuable_id', 'asset.name', 'asset.adv_id as advertiser_id', 'asset.created_at'])
        .select(['advertiser.name as advertiser_name'])
        .select([
          sql<number>`jsonb_array_length(asset.content -> 'plans')`.as('plans'),
          sql<string>`coalesce(nullif(viewer.realname, ''), viewer.username)`.as('creator'),
        ])
        .orderBy('asset.id', 'desc')
        .limit(page_size)
        .offset((page - 1) * page_size)
        .execute()
      return { list, total }
    },

    save: (viewer: Viewer, { id, name }: z.output<typeof saveActivityAsset.body>) =>
      changeActivity(db, viewer, id, async (tx, row) => {
        mustNameNoPhone(viewer, name)
        const names = await tx.selectFrom('campaign_asset').select('name').where('adv_id', '=', row.adv_id).execute()
        if (names.some((one) => one.name === name)) throw new AppError('savedNameTaken', { what: '资产' })
        if (names.length >= ACTIVITY_ASSETS_MAX) {
          throw new AppError('badInput', { reason: outcome('activity_assets_full', { max: ACTIVITY_ASSETS_MAX }) })
        }
        const content = JSON.stringify(await reusableContent(tx, row))
        const { id: valuable_id } = await tx
          .insertInto('campaign_asset')
          .values({ adv_id: row.adv_id, name, content, creator_id: viewer.id, created_at: now() })
          .returning('id')
          .executeTakeFirstOrThrow()
        await audit(tx, viewer, 'activity.save_asset', { id, valuable_id, name })
        return { valuable_id }
      }),

    async use(viewer: Viewer, valuable_id: number): Promise<{ id: number }> {
      const { adv_id, content } = await mustFindAsset(viewer, valuable_id)
      return startFrom(viewer, adv_id, content, valuable_id)
    },

    async remove(viewer: Viewer, valuable_id: number): Promise<void> {
      const { adv_id } = await mustFindAsset(viewer, valuable_id)
      await changeOf(db, adv_id, [], async (tx) => {
        const gone = await tx
          .deleteFrom('campaign_asset')
          .where('id', '=', valuable_id)
          .returning('name')
          .executeTakeFirst()
        if (!gone) throw new AppError('notFound', { what: '资产' })
        await audit(tx, viewer, 'activity.delete_asset', { valuable_id, name: gone.name })
      })
    },

    async products(viewer: Viewer, adv_id: number) {
      viewer.mustBeMember(adv_id)
      const list = await db
        .selectFrom('campaign_product')
        .select(['id', 'name'])
        .where('adv_id', '=', adv_id)
        .orderBy('name')
        .execute()
      return { list }
    },

    async addProduct(viewer: Viewer, { adv_id, name }: { adv_id: number; name: string }): Promise<{ id: number }> {
      viewer.mustBeMember(adv_id)
      mustNameNoPhone(viewer, name)
      return changeOf(db, adv_id, [], async (tx) => {
        const names = await tx.selectFrom('campaign_product').select('name').where('adv_id', '=', adv_id).execute()
        if (names.some((one) => one.name === name)) throw new AppError('savedNameTaken', { what: '产品' })
        if (names.length >= PRODUCTS_MAX) {
          throw new AppError('badInput', { reason: outcome('products_full', { max: PRODUCTS_MAX }) })
        }
        const { id } = await tx
          .insertInto('campaign_product')
          .values({ adv_id, name, created_at: now() })
          .returning('id')
          .executeTakeFirstOrThrow()
        await audit(tx, viewer, 'activity.add_product', { id, adv_id, name })
        return { id }
      })
    },

    async removeProduct(viewer: Viewer, id: number): Promise<void> {
      const row = await db.selectFrom('campaign_product').select('adv_id').where('id', '=', id).executeTakeFirst()
      if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '产品' })
      await changeOf(db, row.adv_id, [], async (tx) => {
        const gone = await tx.deleteFrom('campaign_product').where('id', '=', id).returning('name').executeTakeFirst()
        if (!gone) throw new AppError('notFound', { what: '产品' })
        await audit(tx, viewer, 'activity.delete_product', { id, name: gone.name })
      })
    },
  }
}

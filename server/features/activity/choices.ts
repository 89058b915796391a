import { sql } from 'kysely'
import type { z } from 'zod'
import { offeredColumns, shownColumns } from '#contract/activity/columns.ts'
import { type MetricKey, metricOf, metricTip } from '#contract/activity/metrics.ts'
import type { findSameName } from '#contract/activity.ts'
import type { Column } from '#contract/activity-columns.ts'
import type { listPlanCrowds } from '#contract/activity-plan.ts'
import { AppError } from '../../errors.ts'
import { phonesFor } from '../../files/mask-phones.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import { textHolds } from '../../postgres/like.ts'
import { transaction } from '../../postgres/transaction.ts'
import { isUsable } from './activities.ts'
import type { ActivityDeps } from './deps.ts'

const columnOf = (key: MetricKey): Column => {
  const { label, width, format, from, adds, short } = metricOf(key)
  return { key, label, width, tooltip: metricTip(key), format, from: [...from], adds, restricted: !short }
}

/** The columns of a viewer's list, the crowds that plans choose from, and whether a name is another activity's. */
export function activityChoices({ db, deployment }: Pick<ActivityDeps, 'db' | 'deployment'>) {
  return {
    async columns(viewer: Viewer) {
      const row = await db
        .selectFrom('campaign_columns')
        .select('keys')
        .where('viewer_id', '=', viewer.id)
        .executeTakeFirst()
      return {
        status: columnOf('status'),
        columns: offeredColumns(viewer, deployment).map(columnOf),
        chosen: shownColumns(viewer, deployment, row?.keys ?? null),
      }
    },

    async chooseColumns(viewer: Viewer, wanted: readonly MetricKey[]) {
      const offered = new Set(offeredColumns(viewer, deployment))
      if (wanted.some((key) => !offered.has(key))) throw new AppError('notFound', { what: '列' })
      await transaction(db, async (tx) => {
        const keys = JSON.stringify(wanted)
        await tx
          .insertInto('campaign_columns')
          .values({ viewer_id: viewer.id, keys })
          .onConflict((conflict) => conflict.column('viewer_id').doUpdateSet({ keys }))
          .execute()
        await audit(tx, viewer, 'activity.choose_columns', { keys: wanted })
      })
      return { chosen: shownColumns(viewer, deployment, wanted) }
    },

    async sameName(
      viewer: Viewer,
      { adv_id, name, except }: z.output<typeof findSameName.query>,
    ): Promise<z.output<typeof findSameName.data>> {
      viewer.mustBeMember(adv_id)
      // Whether a name with a phone is there would confirm a guessed phone.
      if (phonesFor(viewer)(name) !== name) return { id: null }
      const row = await db
        .selectFrom('campaign')
        .select('id')
        .where('adv_id', '=', adv_id)
        .where('name', '=', name)
        .where('deleted_at', 'is', null)
        .where('id', '!=', except ?? 0)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return { id: row?.id ?? null }
    },

    async crowds(
      viewer: Viewer,
      { account_id, name, page, page_size }: z.output<typeof listPlanCrowds.query>,
    ): Promise<z.output<typeof listPlanCrowds.data>> {
      const account = await db
        .selectFrom('platform_account')
        .select('adv_id')
        .where('id', '=', account_id)
        .executeTakeFirst()
      if (!account || !viewer.isMember(account.adv_id)) throw new AppError('notFound', { what: '平台账户' })
      const there = db.selectFrom('audience').where('account_id', '=', account_id)
      const { computing } = await there
        .where('deleted_at', 'is', null)
        .where('status', '=', 'computing')
        .select((eb) => eb.fn.countAll<number>().as('computing'))
        .executeTakeFirstOrThrow()
      let rows = there.where(isUsable)
      if (name) rows = rows.where(textHolds(viewer, sql.ref('audience.name'), name))
      const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const list = await rows
        .select(['id', 'name', 'covered as cover_num'])
        .orderBy('id', 'desc')
        .limit(page_size)
        .offset((page - 1) * page_size)
        .execute()
      return { list, total, computing }
    },
  }
}

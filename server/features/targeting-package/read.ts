import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import { formOf } from '#contract/targeting/five-tab/form.ts'
import { optionGroups } from '#contract/targeting/five-tab/options.ts'
import { fiveTabPlatform } from '#contract/targeting/five-tab/platforms.ts'
import { targetingWords } from '#contract/targeting/five-tab/words.ts'
import { type listTargetings, PACKAGE_CODES, type PackageCode, TARGETING_STATUS } from '#contract/targeting-package.ts'
import { listedAdvertisers } from '../../crowds/crowd-list.ts'
import type { Viewer } from '../../http/viewer.ts'
import { likePattern, textHolds } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'
import type { StoredTargeting } from '../../postgres/schema-targeting.ts'
import { now } from '../../time/clock.ts'
import { countPackages, mustFindAccount, mustFindPackage } from './checks.ts'
import { packageRows, plansOf, presentPackage, statusSql } from './store.ts'

type Asked = z.output<typeof listTargetings.body>

const options = { status: { ...TARGETING_STATUS } }

/** Lists of packages, a package, its account's quota. */
export function readPackages(db: Kysely<Database>) {
  function filtered(viewer: Viewer, adv_ids: readonly number[], platform: PackageCode, asked: Asked) {
    const at = now()
    let rows = packageRows(db, at)
      .where('targeting_package.adv_id', 'in', [...adv_ids])
      .where('targeting_package.platform', '=', platform)
    if (asked.name) rows = rows.where(textHolds(viewer, sql.ref('targeting_package.name'), asked.name))
    if (asked.advertiser_id) rows = rows.where('targeting_package.account_id', '=', asked.advertiser_id)
    if (asked.dir_id) rows = rows.where('targeting_package.dir_id', '=', asked.dir_id)
    if (asked.tag_id) rows = rows.where('targeting_package.id', '=', asked.tag_id)
    if (asked.creator_id?.length) rows = rows.where('targeting_package.creator_id', 'in', asked.creator_id)
    if (asked.creator) {
      const like = likePattern(asked.creator)
      rows = rows.where((eb) => eb.or([eb('viewer.realname', 'ilike', like), eb('viewer.username', 'ilike', like)]))
    }
    if (asked.created_at) {
      const [from, to] = asked.created_at
      rows = rows.where('targeting_package.created_at', '>=', from).where('targeting_package.created_at', '<=', to)
    }
    if (asked.status?.length) rows = rows.where(statusSql(at), 'in', asked.status)
    return rows
  }

  return {
    options(platform: PackageCode) {
      const editor = fiveTabPlatform(platform)
      return editor === null ? [] : optionGroups(editor)
    },

    async list(viewer: Viewer, asked: Asked) {
      const account = asked.advertiser_id === undefined ? null : await mustFindAccount(db, viewer, asked.advertiser_id)
      const platform = asked.platform ?? account?.platform ?? PACKAGE_CODES[0]
      const adv_ids = listedAdvertisers(viewer, asked.adv_id)
      if (adv_ids.length === 0) return { list: [], page_info: { total_number: 0 }, options }
      const rows = filtered(viewer, adv_ids, platform, asked)
      const { total_number } = await rows
        .clearSelect()
        .select((eb) => eb.fn.countAll<number>().as('total_number'))
        .executeTakeFirstOrThrow()
      const direction = asked.sort === 'created_at' ? 'asc' : 'desc'
      const page = await rows
        .orderBy('targeting_package.created_at', direction)
        .orderBy('targeting_package.id', direction)
        .limit(asked.page_size)
        .offset((asked.page - 1) * asked.page_size)
        .execute()
      return { list: page.map(presentPackage), page_info: { total_number }, options }
    },

    async get(viewer: Viewer, id: number) {
      const { targeting } = await mustFindPackage(db, viewer, id)
      const row = await packageRows(db, now()).where('targeting_package.id', '=', id).executeTakeFirstOrThrow()
      const plans = (await plansOf(db, [id])).get(id) ?? []
      return {
        ...presentPackage(row),
        targeting,
        bring_data: JSON.stringify({ previewTargets: previewOf(row.platform, targeting) }),
        invalid_time: row.invalid_time,
        plans: plans.map((plan) => ({ id: plan.id, name: plan.name })),
      }
    },

    /** The platform of today's packages publishes no limit. */
    async quota(viewer: Viewer, account_id: number) {
      const account = await mustFindAccount(db, viewer, account_id)
      return { used: await countPackages(db, account.id), total: null }
    },
  }
}

/** The targeting in words: one line for each field that restricts it. */
function previewOf(platform: PackageCode, targeting: StoredTargeting) {
  const editor = fiveTabPlatform(platform)
  if (editor === null) return []
  return targetingWords(editor, formOf(editor, targeting)).map(({ label, words }) => ({ label, words }))
}

import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import { platformInfo } from '#contract/platform.ts'
import { usesCrowds } from '#contract/targeting/crowds-of.ts'
import type { CrowdRow } from '#contract/targeting/five-tab/crowd-row.ts'
import { lostCrowds } from '#contract/targeting/lost-crowds.ts'
import { DEFAULT_PACKAGE_CODE, type PackageCode } from '#contract/targeting/package-codes.ts'
import { landingTypes, packageOptions, packageWords } from '#contract/targeting/packages.ts'
import type { PackageQuota } from '#contract/targeting/quota.ts'
import { type LeftOutWords, leftOutWords } from '#contract/targeting/there.ts'
import { type listTargetings, TARGETING_STATUS } from '#contract/targeting-package.ts'
import { listedAdvertisers } from '../../crowds/crowd-list.ts'
import { plansOfPackages } from '../../crowds/package-plans.ts'
import type { Viewer } from '../../http/viewer.ts'
import { shownNameHolds, textHolds } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'
import type { FoundCopy, StoredTargeting } from '../../postgres/schema-targeting.ts'
import { now } from '../../time/clock.ts'
import { mustFindAccount, mustFindPackage } from './checks.ts'
import { fullAccounts, type MirrorQueue } from './mirror/queue.ts'
import { quotasOf } from './quotas.ts'
import { packageRows, presentPackage, statusSql } from './store.ts'

type Asked = z.output<typeof listTargetings.body>

const options = { status: { ...TARGETING_STATUS } }

interface Deps {
  db: Kysely<Database>
  /** Checks whether the crowds of an account's packages are still there; answers them, if its platform did in time. */
  onOpening(account_id: number): Promise<readonly CrowdRow[] | null>
  mirror: MirrorQueue
}

/** Lists of packages, a package, its account's quota. */
export function readPackages({ db, onOpening, mirror }: Deps) {
  function filtered(viewer: Viewer, adv_ids: readonly number[], platform: PackageCode, asked: Asked) {
    const at = now()
    let rows = packageRows(db, at)
      .where('targeting_package.adv_id', 'in', [...adv_ids])
      .where('targeting_package.platform', '=', platform)
    if (asked.name) rows = rows.where(textHolds(viewer, sql.ref('targeting_package.name'), asked.name))
    if (asked.advertiser_id) rows = rows.where('targeting_package.account_id', '=', asked.advertiser_id)
    if (asked.dir_id) rows = rows.where('targeting_package.dir_id', '=', asked.dir_id)
    if (asked.tag_id) rows = rows.where('targeting_package.id', '=', asked.tag_id)
    if (asked.targeting_id) rows = rows.where('targeting_package.targeting_id', '=', asked.targeting_id)
    if (asked.creator_id?.length) rows = rows.where('targeting_package.creator_id', 'in', asked.creator_id)
    if (asked.creator) rows = rows.where(shownNameHolds(asked.creator))
    if (asked.created_at) {
      const [from, to] = asked.created_at
      rows = rows.where('targeting_package.created_at', '>=', from).where('targeting_package.created_at', '<=', to)
    }
    if (asked.status?.length) rows = rows.where(statusSql(db, at), 'in', asked.status)
    return rows
  }

  /** The accounts without room for another package; none where the platform publishes no limit. */
  async function fullOnes(adv_ids: readonly number[], platform: PackageCode) {
    const max = mirror.maxOf(platform)
    if (max === null) return []
    const { name } = platformInfo(platform)
    const accounts = await fullAccounts(db, { adv_ids, platform, max })
    return accounts.map((account) => outcome('targeting_quota_full', { account, platform: name }))
  }

  return {
    options: (platform: PackageCode) => packageOptions(platform),

    landingTypes: (platform: PackageCode) => [...landingTypes(platform)],

    async list(viewer: Viewer, asked: Asked) {
      const account = asked.advertiser_id === undefined ? null : await mustFindAccount(db, viewer, asked.advertiser_id)
      const platform = asked.platform ?? account?.platform ?? DEFAULT_PACKAGE_CODE
      const adv_ids = listedAdvertisers(viewer, asked.adv_id)
      if (adv_ids.length === 0) return { list: [], page_info: { total_number: 0 }, options, quota_outcomes: [] }
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
      const quota_outcomes = await fullOnes(adv_ids, platform)
      return { list: page.map(presentPackage), page_info: { total_number }, options, quota_outcomes }
    },

    async get(viewer: Viewer, id: number) {
      const { targeting, account_id } = await mustFindPackage(db, viewer, id)
      const crowds = usesCrowds(targeting) ? await onOpening(account_id) : null
      const row = await packageRows(db, now()).where('targeting_package.id', '=', id).executeTakeFirstOrThrow()
      const plans = (await plansOfPackages(db, [id])).get(id) ?? []
      const there = await db
        .selectFrom('targeting_package as package')
        .leftJoin('targeting_mirror as mirror', 'mirror.package_id', 'package.id')
        .leftJoin('targeting_there as there', 'there.package_id', 'package.id')
        .select(['mirror.found', 'there.words', 'there.lost_crowds'])
        .where('package.id', '=', id)
        .executeTakeFirstOrThrow()
      const on_platform = there.found
      const shown = presentPackage(row)
      return {
        ...shown,
        targeting,
        words_there: there.words,
        lost_there: there.lost_crowds?.map(({ name }) => name) ?? [],
        bring_data: bringData(row.platform, targeting, shown.left_out),
        invalid_time: row.invalid_time,
        plans,
        lost_crowds:
          row.status !== -1
            ? []
            : (there.lost_crowds?.map(({ id: crowd }) => crowd) ??
              (crowds ? lostCrowds(row.platform, targeting, crowds) : [])),
        on_platform: on_platform && {
          name: on_platform.name,
          targeting: on_platform.targeting,
          ...withLeftOut(row.platform, on_platform),
        },
      }
    },

    async quota(viewer: Viewer, account_id: number): Promise<PackageQuota> {
      const account = await mustFindAccount(db, viewer, account_id)
      const quotas = await quotasOf(db, mirror, [account])
      return quotas.get(account.id) as PackageQuota
    },

    quotasOf: (accounts: readonly { id: number; platform: number }[]) => quotasOf(db, mirror, accounts),
  }
}

const withLeftOut = (platform: PackageCode, { targeting, left_out: stored = [] }: FoundCopy) => {
  const left_out = leftOutWords(platform, stored)
  return { bring_data: bringData(platform, targeting, left_out), left_out }
}

/** The targeting in words: one line for each field that restricts it, and for each condition that it leaves out. */
function bringData(platform: PackageCode, targeting: StoredTargeting, left_out: readonly LeftOutWords[]): string {
  const ours = packageWords(platform, targeting).map(({ label, words }) => ({ label, words }))
  const theirs = left_out.map(({ label, words }) => ({ label: `${label}（仅平台）`, words }))
  return JSON.stringify({ previewTargets: [...ours, ...theirs] })
}

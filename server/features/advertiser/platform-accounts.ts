import type { Kysely } from 'kysely'
import type { PlatformAccount } from '#contract/advertiser.ts'
import { sentenceOrNull } from '#contract/outcome.ts'
import type { PlatformCode } from '#contract/platform.ts'
import { OPEN_PUSH } from '#contract/push-status.ts'
import type { PackageQuota } from '#contract/targeting/quota.ts'
import { type AccountAuthorisation, accountAuthorisations, authorisationOf } from '../../platforms/account-state.ts'
import type { Database } from '../../postgres/schema.ts'

/** The package quota of each account by its id; nothing for accounts of platforms without packages. */
export type PackageQuotas = (
  accounts: readonly { id: number; platform: number }[],
) => Promise<ReadonlyMap<number, PackageQuota>>

/** The advertisers' platform accounts, how far each is authorised and what depends on it. */
export async function accountsOf(
  db: Kysely<Database>,
  packageQuotas: PackageQuotas,
  adv_ids: readonly number[],
): Promise<(PlatformAccount & { adv_id: number })[]> {
  const rows = await accountAuthorisations(db)
    .select([
      'platform_account.adv_id',
      'platform_account.platform',
      'platform_account.external_id',
      'platform_account.name',
      'platform_account.remark',
      'platform_account.scope_list',
      'platform_login.name as login_name',
    ])
    .where('platform_account.adv_id', 'in', adv_ids)
    .orderBy('platform_account.id')
    .execute()
  const [served, audiences, pushes, quotas] = await Promise.all([
    db
      .selectFrom('platform_account')
      .select((eb) => ['login_id as id', eb.fn.countAll<number>().as('count')])
      .where('login_id', 'is not', null)
      .groupBy('login_id')
      .execute(),
    db
      .selectFrom('audience')
      .innerJoin('platform_account', 'platform_account.id', 'audience.account_id')
      .select((eb) => [
        'account_id as id',
        eb.fn.countAll<number>().as('count'),
        eb.fn.countAll<number>().filterWhere('keeps_step', '=', true).as('keeping'),
      ])
      .where('platform_account.adv_id', 'in', adv_ids)
      .where('deleted_at', 'is', null)
      .groupBy('account_id')
      .execute(),
    db
      .selectFrom('push')
      .innerJoin('audience', 'audience.id', 'push.child_id')
      .innerJoin('platform_account', 'platform_account.id', 'audience.account_id')
      .select((eb) => ['audience.account_id as id', eb.fn.countAll<number>().as('count')])
      .where('platform_account.adv_id', 'in', adv_ids)
      .where('push.status', 'in', OPEN_PUSH)
      .groupBy('audience.account_id')
      .execute(),
    packageQuotas(rows),
  ])
  return rows.map((row) => ({
    id: row.id,
    adv_id: row.adv_id,
    platform: row.platform as PlatformCode,
    external_id: row.external_id,
    name: row.name,
    remark: row.remark,
    scope_list: row.scope_list,
    ...shownAuthorisation(row),
    authorised_at: row.authorised_at,
    expires_at: row.refresh_expires_at,
    login:
      row.login_id === null || row.login_name === null
        ? null
        : { id: row.login_id, name: row.login_name, accounts: countOf(served, row.login_id) },
    audiences: countOf(audiences, row.id),
    keeping_step: Number(audiences.find((one) => one.id === row.id)?.keeping ?? 0),
    pushes: countOf(pushes, row.id),
    packages: quotas.get(row.id) ?? null,
  }))
}

function shownAuthorisation(row: AccountAuthorisation) {
  const { state, reason } = authorisationOf(row)
  return { state, reason: sentenceOrNull(reason), reason_outcome: reason }
}

const countOf = (rows: readonly { id: number | null; count: number }[], id: number | null) =>
  Number(rows.find((row) => row.id === id)?.count ?? 0)

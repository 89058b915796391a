import { sql } from 'kysely'
import type { z } from 'zod'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { addTargeting } from '#contract/targeting-package.ts'
import { transaction } from '../postgres/transaction.ts'
import { now } from '../time/clock.ts'
import { until } from './jobs.ts'
import { COMMERCE } from './platforms.ts'
import type { TestApp } from './test-app.ts'

let made = 0

/** An authorised account of the platform whose packages are only kept here. */
export const aCommerceAccount = (app: TestApp, adv_id: number, name?: string) =>
  aTargetingAccount(app, adv_id, COMMERCE, name)

/** An account of a platform with targeting packages, authorised without tokens. */
export async function aTargetingAccount(
  app: TestApp,
  adv_id: number,
  platform: PackageCode,
  name = `账户${++made}`,
): Promise<number> {
  const { db } = app.stores.postgres
  const { id: login_id } = await db
    .insertInto('platform_login')
    .values({ platform, external_id: `login-${++made}`, name: '登录', tokens: null, authorised_at: now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('platform_account')
    .values({
      adv_id,
      platform,
      external_id: `${30_000 + ++made}`,
      name,
      scope_list: '["all"]',
      login_id,
      authorised_at: now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The account's id on its platform. */
export async function externalIdOf(app: TestApp, account_id: number): Promise<string> {
  const { external_id } = await app.stores.postgres.db
    .selectFrom('platform_account')
    .select('external_id')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  return external_id
}

type Wanted = Partial<z.input<typeof addTargeting.body>>

/** A package for live rooms, of women over 50 unless other targeting is given. */
export const aPackage = (app: TestApp, advertiser_id: number, given: Wanted = {}) =>
  app.admin
    .get(addTargeting, {
      body: {
        targeting_name: `定向包${++made}`,
        dir_id: 1,
        advertiser_id,
        targeting: { landing_type: 'LIVE', gender: ['GENDER_FEMALE'], age: ['AGE_ABOVE_50'] },
        ...given,
      },
    })
    .then(({ id }) => id)

/** Runs the hourly check of the crowds that packages use, on every account. */
export async function checkCrowds(app: TestApp): Promise<void> {
  const { db } = app.stores.postgres
  await transaction(db, (tx) => app.stores.jobs.send(tx, 'targeting.crowds', {}))
  await until(async () => {
    const { rows } = await sql`select from pgboss.job
      where name like 'targeting.crowds%' and state in ('created', 'active', 'retry')`.execute(db)
    return rows.length === 0
  })
}

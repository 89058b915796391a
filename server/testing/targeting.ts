import type { z } from 'zod'
import { addTargeting } from '#contract/targeting-package.ts'
import { now } from '../time/clock.ts'
import { COMMERCE } from './platforms.ts'
import type { TestApp } from './test-app.ts'

let made = 0

/** An authorised account of the platform whose packages are only kept here. */
export async function aCommerceAccount(app: TestApp, adv_id: number, name = `千川账户${++made}`): Promise<number> {
  const { db } = app.stores.postgres
  const { id: login_id } = await db
    .insertInto('platform_login')
    .values({ platform: COMMERCE, external_id: `login-${++made}`, name: '登录', tokens: null, authorised_at: now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('platform_account')
    .values({
      adv_id,
      platform: COMMERCE,
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

import type { Kysely } from 'kysely'
import type { CntType } from '#contract/audience.ts'
import { audienceInfo } from '#contract/platform.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'

/** How many audiences an account has on a platform. */
export async function usedChildren(db: Kysely<Database>, account_id: number, cnt_type: CntType): Promise<number> {
  const { used } = await db
    .selectFrom('audience')
    .select((eb) => eb.fn.countAll<number>().as('used'))
    .where('account_id', '=', account_id)
    .where('cnt_type', '=', cnt_type)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(used)
}

/** The audiences of an account on a platform, against its quota. */
export async function quotaOf(db: Kysely<Database>, viewer: Viewer, account_id: number, cnt_type: CntType) {
  const account = await db
    .selectFrom('platform_account')
    .select('adv_id')
    .where('id', '=', account_id)
    .where('platform', '=', cnt_type)
    .executeTakeFirst()
  if (!account || !viewer.isMember(account.adv_id)) throw new AppError('notFound', { what: '平台账户' })
  return { used: await usedChildren(db, account_id, cnt_type), total: audienceInfo(cnt_type).limits.children }
}

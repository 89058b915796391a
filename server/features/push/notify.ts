import type { Transaction } from 'kysely'
import { accountFullName } from '#contract/advertiser.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { Database } from '../../postgres/schema.ts'
import type { Child } from '../audience/child.ts'
import type { PushDeps } from './deps.ts'
import { linkOf } from './records.ts'

/** Notifies the advertiser's webhooks that a push failed or paused. */
export async function notifyPush(
  deps: Pick<PushDeps, 'notify'>,
  tx: Transaction<Database>,
  { child, push_id, kind, reason }: { child: Child; push_id: number; kind: 'failed' | 'paused'; reason: AnyOutcome },
): Promise<void> {
  const account = await tx
    .selectFrom('platform_account')
    .select(['name', 'external_id', 'adv_id'])
    .where('id', '=', child.account_id)
    .executeTakeFirstOrThrow()
  await deps.notify(tx, {
    adv_id: account.adv_id,
    push_id,
    kind,
    crowd: child.name,
    account: accountFullName(account.name, account.external_id),
    reason,
    link: linkOf(child),
  })
}

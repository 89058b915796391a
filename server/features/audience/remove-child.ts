import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import type { CntType } from '#contract/audience.ts'
import type { deleteCustomCrowd } from '#contract/custom-crowd.ts'
import { sentenceOrNull } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { OPEN_PUSH } from '#contract/push-status.ts'
import { plansOfChildren } from '../../crowds/crowd-plans.ts'
import { deletionAnswer } from '../../crowds/crowd-uses.ts'
import { customLog } from '../../crowds/custom-log.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { accountAuthorisations, closedReason } from '../../platforms/account-state.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { type Child, lockChild } from './child.ts'
import { childRows } from './children.ts'
import type { AudienceDeps } from './deps.ts'
import { hasPlatformId, type PlatformChild, platformRemoval } from './remove-on-platform.ts'

/** Deletes an audience on its platform and then here. Called again after a crash in between, it does the rest. */
export function childRemoval(deps: AudienceDeps) {
  const { db, onRemoved } = deps
  const onPlatform = platformRemoval(deps)

  /** The child, when the viewer may see its crowd; `account_id` and `cnt_type` must be its own. */
  async function mustFind(viewer: Viewer, id: number, account_id: number, cnt_type: CntType | undefined) {
    const row = await childRows(db).where('audience.id', '=', id).executeTakeFirst()
    const isMatch = row?.account_id === account_id && (cnt_type === undefined || row.cnt_type === cnt_type)
    if (!row || !isMatch || !viewer.isMember(row.owner_id)) throw new AppError('notFound', { what: '子人群' })
    const child = await db.selectFrom('audience').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    return { row, child: { ...child, account_name: row.adv_name } }
  }

  /** Why a child can only be deleted here: the platform may have an audience, and its account is not authorised any more. */
  async function onlyHereReason(child: Child): Promise<AnyOutcome | null> {
    if (!(await onPlatform.mayBeThere(child))) return null
    const account = await accountAuthorisations(db)
      .select('platform_account.name')
      .where('platform_account.id', '=', child.account_id)
      .executeTakeFirstOrThrow()
    return closedReason(account)
  }

  return {
    /** Answers OK, or why not where only a check was asked for. `isLocal`: the platform is not asked and keeps what it has. */
    async removeChild(
      viewer: Viewer,
      id: number,
      account_id: number,
      cnt_type: CntType | undefined,
      { isCheck, isLocal = false }: { isCheck: boolean; isLocal?: boolean },
    ): Promise<z.output<typeof deleteCustomCrowd.data>> {
      const { row, child } = await mustFind(viewer, id, account_id, cnt_type)
      const why = await onlyHereReason(child)
      const kept = await deletionRefusal(db, row, why !== null)
      const only_here = { only_here: sentenceOrNull(why), only_here_outcome: why }
      if (isCheck) return { ...deletionAnswer(kept), ...only_here }
      if (kept) throw kept
      await mustHaveNoRunningPush(db, child, isLocal)
      if (isLocal && why === null) throw new AppError('childAuthorised', { name: child.account_name })
      const left = isLocal ? 'gone' : await onPlatform.remove(child)
      await transaction(db, async (tx) => {
        const still = await lockChild(tx, id)
        if (!still || still.deleted_at !== null) return
        await mustBeTheSame(tx, child, still)
        await tx.updateTable('audience').set({ deleted_at: now(), reason: null }).where('id', '=', id).execute()
        await onRemoved(tx, id)
        await record(tx, viewer, child, isLocal ? why : null)
        if (left === 'unknown') await onPlatform.removeLater(tx, child)
      })
      return { ...deletionAnswer(null), ...only_here }
    },
  }
}

/**
 * Why a child is kept: a live plan uses it, directly or through a package, or a push is under way. A waiting push cannot
 * begin on a closed account.
 */
async function deletionRefusal(
  tx: Kysely<Database>,
  child: { id: number; name: string; audience_id: string | null; push_status: string | null },
  isClosed: boolean,
): Promise<AppError | null> {
  const plans = await plansOfChildren(tx, [child.id])
  if (plans.length > 0) {
    const users = plans.map((plan) => ({ kind: 'plan' as const, ...plan }))
    return new AppError('audienceInUse', { tag: child.audience_id ?? child.name }, { users })
  }
  if (child.push_status === 'running' || (child.push_status === 'waiting' && !isClosed)) {
    return new AppError('customPushing', { name: child.name, action: '删除' })
  }
  return null
}

/** Refuses while a push of the child is running or about to run; one that waits behind a paused one does not run. */
async function mustHaveNoRunningPush(
  db: Kysely<Database>,
  child: { id: number; account_name: string },
  isLocal: boolean,
) {
  const open = await db
    .selectFrom('push')
    .select('status')
    .where('child_id', '=', child.id)
    .where('status', 'in', OPEN_PUSH)
    .execute()
  const has = (status: string) => open.some((push) => push.status === status)
  if (has('running') || (has('waiting') && !has('paused') && !isLocal)) {
    throw new AppError('pushBusy', { name: child.account_name })
  }
}

/** Refuses when a push started while the platform was asked: it may have made the audience anew. */
async function mustBeTheSame(tx: Transaction<Database>, child: PlatformChild & { account_name: string }, still: Child) {
  const running = await tx
    .selectFrom('push')
    .select('id')
    .where('child_id', '=', child.id)
    .where('status', '=', 'running')
    .executeTakeFirst()
  if (running || still.key !== child.key || (hasPlatformId(still) && !hasPlatformId(child))) {
    throw new AppError('pushBusy', { name: child.account_name })
  }
}

/** Writes the removal into the crowd's records and the audit; `leftReason` says why the platform was not asked. */
async function record(
  tx: Transaction<Database>,
  viewer: Viewer,
  child: Child & { account_name: string },
  leftReason: AnyOutcome | null,
): Promise<void> {
  const isLocal = leftReason !== null
  if (child.custom_id !== null) {
    await customLog(tx, viewer, {
      crowd_id: child.custom_id,
      child_id: child.id,
      op_type: 3,
      what: `删除「${child.account_name}」的子人群${isLocal ? '（仅在本地，平台上的人群包可能仍在）' : ''}`,
    })
  }
  await audit(tx, viewer, isLocal ? 'push.remove_child_here' : 'push.remove_child', {
    child_id: child.id,
    account_id: child.account_id,
    tag_id: child.audience_id,
    ...(isLocal
      ? {
          left_there: child.audience_id ?? child.source_id ?? child.key,
          reason: sentenceOrNull(leftReason),
          outcome: leftReason,
        }
      : {}),
  })
}

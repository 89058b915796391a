import { PLATFORMS, platformOfCode } from '#contract/platform.ts'
import { now } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import {
  type AccountSession,
  type AudienceRef,
  PlatformFault,
  type StepHooks,
} from '../../platforms/audience-platform.ts'
import { audit } from '../../postgres/audit.ts'
import { customLog } from '../../postgres/custom-log.ts'
import { transaction } from '../../postgres/transaction.ts'
import type { PushNeeds } from './needs.ts'
import type { PushQueue } from './queue.ts'
import type { Child } from './records.ts'

export const FORGET = 'push.forget'
const PATIENCE_MS = 20_000

/** Deletes an audience on its platform and then here; asked again after a crash in between, it does the rest. */
export function childRemoval(needs: PushNeeds, queue: PushQueue) {
  const { db, jobs, platformOf, session } = needs

  type Known = Pick<Child, 'id' | 'name' | 'platform_name' | 'key' | 'types' | 'cnt_type' | 'account_id'> & AudienceRef

  async function removeThere(child: Known) {
    const isKnown = child.audience_id !== null || child.source_id !== null
    if (!isKnown && !(await mayHaveBeenMade(child))) return
    const platform = platformOf(child.cnt_type)
    const said = (reason: string) =>
      new AppError('platformRefused', { platform: PLATFORMS[platformOfCode(child.cnt_type)].name, reason })
    const signal = AbortSignal.timeout(PATIENCE_MS)
    try {
      const known = { audience_id: child.audience_id, source_id: child.source_id }
      const account = await session(child.account_id)
      const on = { signal, sample: () => {} }
      const ref = isKnown ? known : await madeUnheard(account, child, on)
      if (ref) await platform.remove(account, ref, on)
    } catch (error) {
      if (signal.aborted) throw said('没有在时限内答复，请稍后再试')
      if (!(error instanceof PlatformFault)) throw error
      if (error.kind === 'gone') return
      if (error.kind === 'inUse') throw new AppError('audienceInUse', { tag: child.audience_id ?? child.name })
      if (error.kind === 'unauthorised') throw said(`${error.message}；请重新授权后再删除`)
      throw said(error.message)
    }
  }

  /** A push ended while it was making the audience: it may be there though no answer came. */
  async function mayHaveBeenMade(child: Known): Promise<boolean> {
    if (platformOf(child.cnt_type).order !== 'audience-first') return false
    const push = await db
      .selectFrom('push')
      .select('id')
      .where('child_id', '=', child.id)
      .where('step', '=', 'create')
      .executeTakeFirst()
    return push !== undefined
  }

  /** The audience that a call made whose answer was lost; null when the platform has none and takes none. */
  async function madeUnheard(account: AccountSession, child: Known, on: StepHooks): Promise<AudienceRef | null> {
    const wanted = {
      key: child.key,
      name: child.platform_name,
      description: child.platform_name,
      type: child.types[0] ?? 'HASH_IMEI',
      receipts: [],
    } as const
    try {
      return await platformOf(child.cnt_type).ensureAudience(account, wanted, on)
    } catch (error) {
      const isNone = error instanceof PlatformFault && ['quota', 'refused', 'nameTaken'].includes(error.kind)
      if (isNone) return null
      throw error
    }
  }

  return async function removeChild(viewer: Viewer, child_id: number): Promise<void> {
    const child = await db
      .selectFrom('audience')
      .innerJoin('platform_account', 'platform_account.id', 'audience.account_id')
      .selectAll('audience')
      .select(['platform_account.adv_id', 'platform_account.name as account_name'])
      .where('audience.id', '=', child_id)
      .where('audience.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!child || !viewer.isMember(child.adv_id)) throw new AppError('notFound', { what: '子人群' })
    const mustRest = async (reader: typeof db) => {
      const busy = await reader
        .selectFrom('push')
        .select('id')
        .where('child_id', '=', child_id)
        .where('status', 'in', ['waiting', 'running'])
        .executeTakeFirst()
      if (busy) throw new AppError('pushBusy', { name: child.account_name })
    }
    await mustRest(db)
    await removeThere(child)
    await transaction(db, async (tx) => {
      const still = await queue.lockChild(tx, child_id)
      if (!still || still.deleted_at !== null) return
      await tx.updateTable('audience').set({ deleted_at: now(), reason: null }).where('id', '=', child_id).execute()
      await tx
        .updateTable('push')
        .set({ status: 'failed', reason: '子人群已删除', finished_at: now() })
        .where('child_id', '=', child_id)
        .where('status', 'in', ['waiting', 'running', 'paused'])
        .execute()
      if (child.custom_id !== null) {
        await customLog(tx, viewer, {
          crowd_id: child.custom_id,
          child_id,
          op_type: 3,
          what: `删除「${child.account_name}」的子人群`,
        })
      }
      await audit(tx, viewer, 'push.remove_child', {
        child_id,
        account_id: child.account_id,
        tag_id: child.audience_id,
      })
      await jobs.send(tx, FORGET, { child_id })
    })
  }
}

import type { Transaction } from 'kysely'
import { PLATFORMS, platformOfCode } from '#contract/platform.ts'
import { OPEN_PUSH } from '#contract/push.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { closedWords, standings } from '../../platforms/account-state.ts'
import { type AudienceRef, PlatformFault } from '../../platforms/audience-platform.ts'
import { audit } from '../../postgres/audit.ts'
import { customLog } from '../../postgres/custom-log.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import type { PushNeeds } from './needs.ts'
import type { PushQueue } from './queue.ts'
import type { Child } from './records.ts'

export const FORGET = 'push.forget'
const UNHEARD = 'push.unheard'
const PATIENCE_MS = 20_000
/** A platform that reads files first shows what it made of them after 20 to 60 minutes. */
const UNHEARD_FOR = 3 * 3600
const UNHEARD_EVERY = 300

/** Deletes an audience on its platform and then here; asked again after a crash in between, it does the rest. */
export function childRemoval(needs: PushNeeds, queue: PushQueue) {
  const { db, jobs, platformOf, session } = needs

  type Known = Pick<Child, 'id' | 'name' | 'platform_name' | 'key' | 'cnt_type' | 'account_id'> & AudienceRef
  const isKnown = (child: AudienceRef) => child.audience_id !== null || child.source_id !== null

  /** Removes what the platform has. One that was never heard of may yet come to light there. */
  async function removeThere(child: Known): Promise<'gone' | 'unheard'> {
    if (!isKnown(child) && !(await mayHaveBeenMade(child))) return 'gone'
    const platform = platformOf(child.cnt_type)
    const said = (reason: string) =>
      new AppError('platformRefused', { platform: PLATFORMS[platformOfCode(child.cnt_type)].name, reason })
    const signal = AbortSignal.timeout(PATIENCE_MS)
    try {
      const account = await session(child.account_id)
      const on = { signal, sample: () => {} }
      const known = { audience_id: child.audience_id, source_id: child.source_id }
      const ref = isKnown(child) ? known : await platform.findAudience(account, wantedOf(child), on)
      if (!ref) return platform.order === 'data-first' ? 'unheard' : 'gone'
      await platform.remove(account, ref, on)
      return 'gone'
    } catch (error) {
      if (signal.aborted) throw said('没有在时限内答复，请稍后再试')
      if (!(error instanceof PlatformFault)) throw error
      if (error.kind === 'gone') return 'gone'
      if (error.kind === 'inUse') throw new AppError('audienceInUse', { tag: child.audience_id ?? child.name })
      if (error.kind === 'unauthorised') throw said(`${error.message}；请重新授权后再删除`)
      throw said(error.message)
    }
  }

  const wantedOf = (child: Known) => ({ key: child.key, name: child.platform_name })

  /** A push ended while it was making the audience: it may be there though no answer came. */
  async function mayHaveBeenMade(child: Pick<Child, 'id'>): Promise<boolean> {
    const push = await db
      .selectFrom('push')
      .select('id')
      .where('child_id', '=', child.id)
      .where('step', '=', 'create')
      .executeTakeFirst()
    return push !== undefined
  }

  jobs.handle<{ child_id: number; until: number }>(UNHEARD, { concurrency: 2, retries: 0 }, async (job) => {
    const { child_id, until } = job.data
    const child = await db.selectFrom('audience').selectAll().where('id', '=', child_id).executeTakeFirst()
    if (!child) return
    const platform = platformOf(child.cnt_type)
    const on = { signal: job.signal, sample: () => {} }
    try {
      const account = await session(child.account_id)
      const ref = await platform.findAudience(account, wantedOf(child), on)
      if (ref) return await platform.remove(account, ref, on)
    } catch (error) {
      if (job.signal.aborted || !(error instanceof PlatformFault)) throw error
      if (error.kind === 'gone') return
    }
    if (now() < until) await job.wait(async () => {}, UNHEARD_EVERY * needs.pace, '')
  })

  async function mustFind(viewer: Viewer, child_id: number) {
    const child = await db
      .selectFrom('audience')
      .innerJoin('platform_account', 'platform_account.id', 'audience.account_id')
      .selectAll('audience')
      .select(['platform_account.adv_id', 'platform_account.name as account_name'])
      .where('audience.id', '=', child_id)
      .where('audience.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!child || !viewer.isMember(child.adv_id)) throw new AppError('notFound', { what: '子人群' })
    return child
  }

  /** A push that waits behind one that is paused does nothing either. */
  async function mustRest(child: { id: number; account_name: string }, isLocal: boolean): Promise<void> {
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

  /** A push that began while its platform was asked brings the audience back, and may have done so already. */
  async function mustBeTheSame(tx: Transaction<Database>, child: Known & { account_name: string }, still: Child) {
    const running = await tx
      .selectFrom('push')
      .select('id')
      .where('child_id', '=', child.id)
      .where('status', '=', 'running')
      .executeTakeFirst()
    if (running || still.key !== child.key || (isKnown(still) && !isKnown(child))) {
      throw new AppError('pushBusy', { name: child.account_name })
    }
  }

  /** Why a child can be deleted here alone: its platform has, or may have, an audience and cannot be asked any more. */
  async function whyOnlyHere(child_id: number): Promise<string | null> {
    const child = await db.selectFrom('audience').selectAll().where('id', '=', child_id).executeTakeFirst()
    if (!child || (!isKnown(child) && !(await mayHaveBeenMade(child)))) return null
    const account = await standings(db)
      .select('platform_account.name')
      .where('platform_account.id', '=', child.account_id)
      .executeTakeFirstOrThrow()
    return closedWords(account)
  }

  return {
    whyOnlyHere,

    /** `isLocal`: the platform is not asked, and what it has stays there. */
    async removeChild(viewer: Viewer, child_id: number, { isLocal = false } = {}): Promise<void> {
      const child = await mustFind(viewer, child_id)
      await mustRest(child, isLocal)
      const reason = isLocal ? await whyOnlyHere(child_id) : null
      if (isLocal && reason === null) throw new AppError('childAuthorised', { name: child.account_name })
      const left = isLocal ? 'gone' : await removeThere(child)
      await transaction(db, async (tx) => {
        const still = await queue.lockChild(tx, child_id)
        if (!still || still.deleted_at !== null) return
        await mustBeTheSame(tx, child, still)
        await tx.updateTable('audience').set({ deleted_at: now(), reason: null }).where('id', '=', child_id).execute()
        await tx
          .updateTable('push')
          .set({ status: 'failed', reason: '子人群已删除', finished_at: now() })
          .where('child_id', '=', child_id)
          .where('status', 'in', OPEN_PUSH)
          .execute()
        if (child.custom_id !== null) {
          await customLog(tx, viewer, {
            crowd_id: child.custom_id,
            child_id,
            op_type: 3,
            what: `删除「${child.account_name}」的子人群${isLocal ? '（仅在本地，平台上的人群包可能仍在）' : ''}`,
          })
        }
        await audit(tx, viewer, isLocal ? 'push.remove_child_here' : 'push.remove_child', {
          child_id,
          account_id: child.account_id,
          tag_id: child.audience_id,
          ...(isLocal ? { left_there: child.audience_id ?? child.source_id ?? child.key, reason } : {}),
        })
        await jobs.send(tx, FORGET, { child_id })
        if (left === 'unheard') {
          const until = now() + UNHEARD_FOR
          await jobs.send(tx, UNHEARD, { child_id, until }, { startAfter: Math.ceil(UNHEARD_EVERY * needs.pace) })
        }
      })
    },
  }
}

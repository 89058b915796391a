import { outcome } from '#contract/outcome.ts'
import { audienceName, shorten } from '../../platforms/audience-name.ts'
import { type AudiencePlatform, PlatformFault } from '../../platforms/audience-platform.ts'
import type { Child } from '../audience/child.ts'
import { nameOnPlatform } from './check.ts'
import type { PushDeps } from './deps.ts'
import { type PushParts, recount } from './parts.ts'
import { sourceOf } from './records.ts'
import { findSource } from './source.ts'
import { type ActivePush, called, type Job, move, nextOf, refOf, refused, type StepResult } from './step-tools.ts'

/** Creates the audience on its platform, or renames the one that is there. */
export function createStep({ db }: PushDeps, parts: PushParts) {
  return async (job: Job, active: ActivePush): Promise<StepResult> => {
    const { push, child, platform } = active
    const isCreated = platform.order === 'data-first' ? child.source_id !== null : child.audience_id !== null
    if (isCreated) {
      await rename(job, active)
      return move(job, active, nextOf(active))
    }
    job.task.progress(0.1, '在平台上新建人群')
    const sent = platform.order === 'data-first' ? await parts.of(push.id) : []
    if (await parts.dropStale(job, active, sent)) return 'next'
    const type = child.types[0]
    if (!type) throw refused([outcome('no_type_chosen')])
    const wanted = {
      key: child.key,
      name: child.platform_name,
      description: shorten(`人群「${child.name}」`, { max: platform.limits.description, unit: 'bytes' }),
      type,
      receipts: sent.map((part) => part.receipt ?? ''),
    }
    const ref = await createUnderFreeName(job, active, wanted)
    return move(job, active, nextOf(active), async (tx) => {
      await tx
        .updateTable('audience')
        .set({ ...ref })
        .where('id', '=', child.id)
        .execute()
      await tx.updateTable('push_part').set({ is_applied: true }).where('push_id', '=', push.id).execute()
      await recount(tx, push.id)
    })
  }

  /** Gives the audience the name of its crowd, where the platform can rename. */
  async function rename(job: Job, active: ActivePush): Promise<void> {
    const { child, platform, session } = active
    const { kind, id } = sourceOf(child)
    const source = platform.rename && (await findSource(db, kind, id))
    if (!source || source.name === child.name) return
    let name = await nameOnPlatform(db, source, child.account_id, platform)
    await called(job, active, async (on) => {
      try {
        if (name !== child.platform_name) await platform.rename?.(session, refOf(active), name, on)
      } catch (error) {
        if (!(error instanceof PlatformFault) || error.kind !== 'nameTaken') throw error
        name = markedName(source.name, child, platform)
        await platform.rename?.(session, refOf(active), name, on)
      }
    })
    await job.step((tx) =>
      tx.updateTable('audience').set({ name: source.name, platform_name: name }).where('id', '=', child.id).execute(),
    )
  }
}

type WantedAudience = Parameters<AudiencePlatform['ensureAudience']>[1]

/** Where the account has another audience of this name, the name gets a mark of its own. */
async function createUnderFreeName(job: Job, active: ActivePush, wanted: WantedAudience) {
  const { child, platform, session } = active
  let name = wanted.name
  return called(job, active, async (on) => {
    try {
      return await platform.ensureAudience(session, wanted, on)
    } catch (error) {
      if (!(error instanceof PlatformFault) || error.kind !== 'nameTaken') throw error
      name = markedName(child.name, child, platform)
      if (name === wanted.name) throw error
      await job.step((tx) =>
        tx.updateTable('audience').set({ platform_name: name }).where('id', '=', child.id).execute(),
      )
      return platform.ensureAudience(session, { ...wanted, name }, on)
    }
  })
}

const markedName = (name: string, { key }: Pick<Child, 'key'>, { limits }: AudiencePlatform) =>
  audienceName(name, key.slice(-6), limits.name, true)

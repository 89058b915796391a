import { outcome } from '#contract/outcome.ts'
import type { LeftOut } from '#contract/targeting/there.ts'
import type { RunningJob } from '../../../jobs/kind.ts'
import { type AccountSession, PlatformFault, type StepHooks } from '../../../platforms/audience-platform.ts'
import type {
  PackageContent,
  PackageWriting,
  PlatformPackage,
  TargetingPackages,
} from '../../../platforms/targeting-platform.ts'
import { now } from '../../../time/clock.ts'
import { endFailed } from './faults.ts'
import { translated } from './made-there.ts'
import {
  copyName,
  copyWithKey,
  isNameOf,
  isSameContent,
  isSameCopy,
  keepUses,
  type MirrorRow,
  setMirror,
} from './rows.ts'

/** A package to bring to its platform, and how. */
export interface Active {
  row: MirrorRow
  packages: TargetingPackages
  writing: PackageWriting
  session: AccountSession
}
type Job = RunningJob<object>

const isFault = (error: unknown, kind: PlatformFault['kind']): error is PlatformFault =>
  error instanceof PlatformFault && error.kind === kind

/**
 * Brings one package to its platform: creates, updates or deletes its copy. May be killed anywhere and run again: what an
 * earlier run created is found by the key in its description, and what it wrote is known from `sending`.
 */
export async function mirrorOne(job: Job, active: Active): Promise<void> {
  if (active.row.deleted_at !== null) return removeCopy(job, active)
  return active.row.targeting_id === null ? createCopy(job, active) : updateCopy(job, active)
}

const hooks = (job: Job): StepHooks => ({ signal: job.signal, sample: () => undefined })

/** The copy that an earlier call created, whose answer was lost. */
async function foundCopy(job: Job, { row, packages, session }: Active) {
  return row.is_tried ? copyWithKey(await packages.list(session, hooks(job)), row.key) : undefined
}

async function createCopy(job: Job, active: Active): Promise<void> {
  const { row, packages, writing, session } = active
  const found = await foundCopy(job, active)
  if (found) {
    await settle(job, active, { id: found.targeting_id, name: found.name, content: found.content })
    return
  }
  const content = packages.contentOf(row.targeting)
  // A call without an answer may still be carried out. Under its own name again, only one of the two can succeed.
  const tried = row.is_tried && row.sending ? [row.sending.name] : []
  const names = new Set([...tried, copyName(row, writing, false), copyName(row, writing, true)])
  let taken: unknown
  for (const name of names) {
    await job.step((tx) => setMirror(tx, row.id, { is_tried: true, sending: JSON.stringify({ name, content }) }))
    try {
      const id = await writing.create(session, { key: row.key, name, targeting: row.targeting }, hooks(job))
      await settle(job, active, { id, name, content })
      return
    } catch (error) {
      if (!isFault(error, 'nameTaken')) throw error
      taken = error
      // Such a call may have been carried out since the list was read, and its copy have the name.
      const late = copyWithKey(await packages.list(session, hooks(job)), row.key)
      if (!late) continue
      await settle(job, active, { id: late.targeting_id, name: late.name, content: late.content })
      return
    }
  }
  throw taken
}

async function updateCopy(job: Job, active: Active): Promise<void> {
  const { row, packages, writing, session } = active
  const id = row.targeting_id as string
  const content = packages.contentOf(row.targeting)
  const isSent = isSameContent(row.content, content) && isNameOf(row, writing, row.sent_name)
  // Nothing that the platform holds was changed: only its folder, its expiry, or fields that stay here.
  if (isSent && !row.is_forced && row.sending === null) {
    await settle(job, active, { id, name: row.sent_name ?? row.name, content })
    return
  }
  const there = (await packages.list(session, hooks(job))).find((one) => one.targeting_id === id)
  if (!there) throw new PlatformFault('gone', outcome('targeting_gone_there'))
  const { others } = row
  const known = [row.content && { name: row.sent_name ?? '', content: row.content }, row.sending]
  const isOurs = row.is_forced || known.some((one) => one !== null && isSameCopy({ ...one, others }, there))
  if (!isOurs) {
    if (isSameCopy({ name: there.name, content, others }, there) && isNameOf(row, writing, there.name)) {
      await settle(job, active, { id, name: there.name, content })
      return
    }
    const found = foundCopyOf(there, translated(packages, there, row.targeting))
    await job.step((tx) => setMirror(tx, row.id, { state: 'changed', outcome: null, attempts: 0, found }))
    return
  }
  // What a call without an answer wrote stays known as ours, should the next one get no answer either.
  const isArrived = row.sending !== null && isSameCopy({ ...row.sending, others: there.others }, there)
  const arrived = isArrived ? { name: there.name, content: JSON.stringify(there.content) } : {}
  const name = await underFreeName(active, async (name) => {
    await job.step((tx) => setMirror(tx, row.id, { ...arrived, sending: JSON.stringify({ name, content }) }))
    await writing.update(session, id, { key: row.key, name, targeting: row.targeting }, hooks(job))
  })
  await settle(job, active, { id, name, content, others: there.others })
}

async function removeCopy(job: Job, active: Active): Promise<void> {
  const { row, packages, writing, session } = active
  const id = row.targeting_id ?? (await foundCopy(job, active))?.targeting_id
  if (id !== undefined) {
    try {
      await writing.delete(session, id, hooks(job))
    } catch (error) {
      if (isFault(error, 'inUse')) {
        const uses = (await packages.use?.(session, id, hooks(job))) ?? []
        await job.step(async (tx) => {
          await tx.updateTable('targeting_package').set({ targeting_id: id }).where('id', '=', row.id).execute()
          await keepUses(tx, row.id, uses)
          await endFailed(tx, row, error.outcome)
        })
        return
      }
      if (!isFault(error, 'gone')) throw error
    }
  }
  await job.step(async (tx) => {
    await tx.updateTable('targeting_package').set({ targeting_id: null }).where('id', '=', row.id).execute()
    // Its key stays known: a creation that the platform carries out late is deleted then.
    await setMirror(tx, row.id, { state: 'gone', outcome: null, attempts: 0, rev: row.rev + 1 })
  })
}

/** Stores what stands on the platform now. A package that was saved meanwhile stays in the queue. */
async function settle(
  job: Job,
  { row, packages, writing }: Active,
  copy: { id: string; name: string; content: PackageContent; others?: readonly LeftOut[] },
): Promise<void> {
  const isWhole = isNameOf(row, writing, copy.name) && isSameContent(copy.content, packages.contentOf(row.targeting))
  await job.step(async (tx) => {
    const current = await tx
      .updateTable('targeting_package')
      .set({ targeting_id: copy.id })
      .where('id', '=', row.id)
      .returning(['ver', 'deleted_at'])
      .executeTakeFirstOrThrow()
    const isSettled = isWhole && current.ver === row.ver && current.deleted_at === null
    await setMirror(tx, row.id, {
      state: isSettled ? 'synced' : 'waiting',
      is_tried: true,
      ...(isWhole && { is_forced: false, sending: null, found: null }),
      name: copy.name,
      content: JSON.stringify(copy.content),
      ...(copy.others && { others: JSON.stringify(copy.others) }),
      rev: row.rev + 1,
      attempts: 0,
      outcome: null,
      ...(isSettled && { synced_at: now() }),
    })
  })
}

/** Writes under the package's name, or with a mark of its own where the account has another package of that name. */
async function underFreeName({ row, writing }: Active, write: (name: string) => Promise<void>): Promise<string> {
  const marked = copyName(row, writing, true)
  const first = row.sent_name === marked ? marked : copyName(row, writing, false)
  try {
    await write(first)
    return first
  } catch (error) {
    if (!isFault(error, 'nameTaken') || first === marked) throw error
    await write(marked)
    return marked
  }
}

/** What a copy becomes for the reader, who compares it with ours. */
export const foundCopyOf = (
  { name, content, others }: Pick<PlatformPackage, 'name' | 'content' | 'others'>,
  { targeting, left_out }: ReturnType<typeof translated>,
) => JSON.stringify({ name, content, others, targeting, left_out })

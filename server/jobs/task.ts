import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import { sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { logUnlessAway } from '../postgres/away.ts'
import type { Database } from '../postgres/schema.ts'

/** A running job's progress is written at most this often. */
const WRITE_EVERY_MS = 250

export interface TaskProgress {
  /** Null for a job that is hidden from viewers. */
  id: number | null
  /** `share` from 0 to 1. Written a few times a second at most. Never fails the job. */
  progress(share: number, stage?: string): void
}

/** The stage of a task that neither waits for something nor has progressed. */
export const NO_STAGE = { stage: '', stage_outcome: null }

/** The stage of a task that waits, and why. */
export const stageOf = (why: AnyOutcome | null) =>
  why === null ? NO_STAGE : { stage: sentenceOf(why), stage_outcome: why }

/** A running job's progress, which viewers see as its task. */
export function taskProgress(db: Kysely<Database>, id: number | null) {
  let latest: { progress: number; stage?: string } | undefined
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  // Bound to the context in which the job started, so that progress is not written inside a handler's transaction.
  const write = AsyncLocalStorage.bind(() => {
    timer = undefined
    const values = latest
    latest = undefined
    if (id === null || !values) return
    writing = writing
      .then(async () => {
        await db.updateTable('task').set(values).where('id', '=', id).where('status', '=', 'running').execute()
      })
      .catch((error: unknown) => logUnlessAway('任务进度未能写入', error))
  })

  return {
    id,
    progress(share: number, stage?: string) {
      if (id === null) return
      latest = { ...latest, progress: Math.min(1, Math.max(0, share)), ...(stage === undefined ? {} : { stage }) }
      timer ??= setTimeout(write, WRITE_EVERY_MS)
    },
    /** After this nothing is written any more. */
    async close() {
      clearTimeout(timer)
      id = null
      await writing
    },
  }
}

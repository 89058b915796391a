import { outcome } from '#contract/outcome.ts'
import { removedValues } from '../../identifiers/removed-values.ts'
import { hasPlatformId } from '../audience/remove-on-platform.ts'
import type { PushDeps } from './deps.ts'
import { newPlanId } from './plan-id.ts'
import { json, setPush } from './records.ts'
import { type ActivePush, type Job, nextOf, refused, type StepResult } from './step-tools.ts'

/**
 * Plans the removal of a forgotten person: one file for each type of value. The values stay encrypted where they are; the
 * rest of the audience is left as it is, whether it follows its crowd or not.
 */
export async function planRemoval({ db, secrets }: PushDeps, job: Job, active: ActivePush): Promise<StepResult> {
  const { push, child } = active
  const values = await removedValues(db, secrets, push.forget_account_id ?? 0)
  if (values === null) throw refused([outcome('removal_values_erased')])
  // Without an audience there is nobody to remove.
  const isThere = hasPlatformId(child)
  const plan_id = await newPlanId(job, active)
  const counts = new Map<string, number>()
  for (const { type } of values) counts.set(type, (counts.get(type) ?? 0) + 1)
  await job.step(async (tx) => {
    const parts = [...counts].map(([type, count], at) => ({
      push_id: push.id,
      no: at + 1,
      op: 'remove' as const,
      type: type as (typeof values)[number]['type'],
      count,
      status: 'waiting' as const,
      samples: json([]),
    }))
    if (isThere && parts.length > 0) await tx.insertInto('push_part').values(parts).execute()
    const { planning: _, ...state } = push.state
    await setPush(tx, push.id, {
      plan_id,
      removes: isThere ? values.length : 0,
      step: isThere ? nextOf(active) : 'done',
      attempts: 0,
      state,
    })
  })
  return 'next'
}

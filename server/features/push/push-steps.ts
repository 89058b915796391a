import { createStep } from './create-step.ts'
import type { PushDeps } from './deps.ts'
import { pushParts } from './parts.ts'
import type { Planner } from './plan.ts'
import { planStep } from './plan-step.ts'
import { applyStep, sendStep } from './send-steps.ts'
import { settleSteps } from './settle-steps.ts'
import type { ActivePush, Job, StepResult } from './step-tools.ts'

/** The steps of a push. Each may be cut short at any moment and is then begun again. */
export function pushSteps(deps: PushDeps, planner: Planner) {
  const parts = pushParts(deps)
  const steps = {
    plan: planStep(deps, planner),
    create: createStep(deps, parts),
    send: sendStep(parts),
    apply: applyStep(parts),
    ...settleSteps(deps, parts),
  }
  return async function runStep(job: Job, active: ActivePush): Promise<StepResult> {
    return active.push.step === 'done' ? 'done' : steps[active.push.step](job, active)
  }
}

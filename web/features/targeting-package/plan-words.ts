import type { LivePlan } from '#contract/live-plan.ts'
import { namesOf } from '../../domain/crowd/deletion.tsx'

/** Which live plans deliver otherwise once a package's targeting changes; empty where none uses it. */
export const planWords = (plans: readonly LivePlan[]): string =>
  plans.length === 0 ? '' : `正在使用它的计划${namesOf(plans)}随后按新的定向投放。`

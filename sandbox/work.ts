import type { SwitchBoard } from './switches.ts'

/** A platform's background work: starts and finishes what is due, and says when the next step is due. */
export interface Work {
  /** Performs the due steps that are short. */
  tick(now: number): void
  /** Processes one file if one is due; returns whether there was one. */
  takeOne(now: number, isStopped: () => boolean): Promise<boolean>
  nextDue(): number | null
}

/** Seconds that something takes from now: the wait before it starts, and the whole. */
export function durations(switches: SwitchBoard): { wait: number; whole: number } {
  const { processing_seconds, slow_rate } = switches.now
  const whole = processing_seconds * (switches.happens(slow_rate) ? 10 : 1)
  return { wait: whole / 5, whole }
}

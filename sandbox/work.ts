import type { SwitchBoard } from './switches.ts'

/** A platform's background work: starts and ends what is due, and says when something else will be. */
export interface Work {
  /** Short steps. */
  tick(now: number): void
  /** Takes one file in, if one is due; answers whether there was one. */
  takeOne(now: number, isStopped: () => boolean): Promise<boolean>
  nextDue(): number | null
}

/** How long something takes from now: the wait before it is begun, and the whole, seconds. */
export function durations(switches: SwitchBoard): { wait: number; whole: number } {
  const { processing_seconds, slow_rate } = switches.now
  const whole = processing_seconds * (switches.happens(slow_rate) ? 10 : 1)
  return { wait: whole / 5, whole }
}

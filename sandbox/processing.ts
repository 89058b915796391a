import { setImmediate as breathe } from 'node:timers/promises'
import type { Parts } from './parts.ts'
import { socialWork } from './social/work.ts'
import { videoWork } from './video/work.ts'

/** The longest pause between two checks, so that a moved clock is noticed. */
const CHECK_EVERY_MS = 500

export type Processing = ReturnType<typeof processing>

/** Processes files, publications and pushes in the background, by the sandbox's clock. */
export function processing(parts: Parts) {
  const { clock } = parts
  const sides = [socialWork(parts), videoWork(parts)]
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let isStopped = false
  let isWoken = false

  async function run(): Promise<void> {
    do {
      isWoken = false
      for (const side of sides) {
        side.tick(clock.now())
        while (!isStopped && (await side.takeOne(clock.now(), () => isStopped))) {
          await breathe()
          for (const one of sides) one.tick(clock.now())
        }
      }
    } while (isWoken && !isStopped)
  }

  function wake() {
    if (isStopped) return
    isWoken = true
    if (running) return
    if (timer) clearTimeout(timer)
    running = run()
      .catch((error) => console.error('sandbox', error))
      .finally(() => {
        running = null
        sleep()
      })
  }

  function sleep() {
    if (isStopped) return
    if (isWoken) return wake()
    const dueTimes = sides.map((side) => side.nextDue()).filter((due) => due !== null)
    if (dueTimes.length === 0) return
    const wait = (Math.min(...dueTimes) - clock.now()) * 1000
    timer = setTimeout(wake, Math.max(1, Math.min(CHECK_EVERY_MS, wait)))
  }

  // Continues work that a stop left unfinished.
  wake()
  return {
    wake,
    /** Waits until all due work is done. */
    async settle() {
      for (;;) {
        wake()
        await running
        const now = clock.now()
        if (!sides.some((side) => (side.nextDue() ?? Number.POSITIVE_INFINITY) <= now)) return
      }
    },
    async close() {
      isStopped = true
      if (timer) clearTimeout(timer)
      await running
    },
  }
}

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'shift-date.ts')).href
/** After this time every thread has read the file. */
const FOLLOWED_MS = 100

const RealDate = Date

export const HOUR_MS = 3_600_000

/** A wall clock that a test sets: for processes that are started with `env`, or for this one and the threads it starts. */
export function shiftedClock(shiftMs = 0) {
  const dir = mkdtempSync(join(tmpdir(), 'renqun-clock-'))
  const path = join(dir, 'shift')
  const write = (ms: number) => {
    // The threads may read it at any moment, so it is replaced as a whole.
    writeFileSync(`${path}.new`, String(ms))
    renameSync(`${path}.new`, path)
  }
  write(shiftMs)
  const env = { CLOCK_SHIFT_FILE: path, NODE_OPTIONS: `--import ${PRELOAD}` }
  return {
    env,
    /** Sets the offset from the real time; it is in force when this returns. */
    async set(ms: number) {
      write(ms)
      await pause(FOLLOWED_MS)
    },
    async shiftHere() {
      Object.assign(process.env, env)
      await import(PRELOAD)
    },
    /** Ends the shift of this process too, since other test files follow in it. */
    remove() {
      for (const name of Object.keys(env)) delete process.env[name]
      globalThis.Date = RealDate
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

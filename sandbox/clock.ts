import type { Database } from './database.ts'

export interface Clock {
  /** Time for tokens, processing and daily rules, in seconds. */
  now(): number
  /** The machine's time, with which a call's timestamp is compared. */
  wall(): number
  advance(seconds: number): void
}

/** Real time plus the seconds added by control calls. */
export function openClock(db: Database, wall: () => number = () => Date.now() / 1000): Clock {
  let offset = Number(db.kept('clock_offset') ?? 0)
  return {
    wall,
    now: () => wall() + offset,
    advance(seconds) {
      offset += seconds
      db.keep('clock_offset', String(offset))
    },
  }
}

/** `yyyy-MM-dd HH:mm:ss` in the platforms' time zone, as both platforms write it. */
export const timeText = (seconds: number): string =>
  new Date((seconds + 8 * 3600) * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** The number of the day in the platforms' time zone. */
export const dayOf = (seconds: number): number => Math.floor((seconds + 8 * 3600) / 86_400)

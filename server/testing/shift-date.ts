import { readFileSync } from 'node:fs'

// Loaded first (`node --import`), in worker threads too: shifts this thread's Date by the milliseconds in the file
// CLOCK_SHIFT_FILE, and follows changes of the file. Timers keep their real length.
const POLL_MS = 20

const path = process.env.CLOCK_SHIFT_FILE ?? ''
let shift = 0
const readShift = () => {
  shift = Number(readFileSync(path, 'utf8'))
}
readShift()
setInterval(() => {
  try {
    readShift()
  } catch {
    // The test has ended and removed the file.
  }
}, POLL_MS).unref()

const RealDate = Date
const now = () => RealDate.now() + shift
const ShiftedDate = new Proxy(RealDate, {
  construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
  apply: () => new RealDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})
globalThis.Date = ShiftedDate

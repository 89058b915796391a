import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onceGuard } from './once.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A work whose runs end when the test says so. */
function heldWork() {
  const ends: { done: () => void; failed: (error: Error) => void }[] = []
  const work = vi.fn(() => new Promise<void>((done, failed) => ends.push({ done, failed })))
  return { work, ends }
}

test('two clicks are one, and what fails can be tried again at once', async () => {
  const { work, ends } = heldWork()
  const guard = onceGuard()
  const first = guard(work)
  await guard(work)
  expect(work).toHaveBeenCalledTimes(1)
  ends[0]?.failed(new Error('taken'))
  await expect(first).rejects.toThrow('taken')

  const second = guard(work)
  expect(work).toHaveBeenCalledTimes(2)
  ends[1]?.done()
  await second
  await guard(work)
  expect(work).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(500)
  void guard(work)
  expect(work).toHaveBeenCalledTimes(3)
})

test('a click after a question that was answered no counts at once', async () => {
  const { work, ends } = heldWork()
  const guard = onceGuard()
  const asked = guard(work)
  vi.advanceTimersByTime(800)
  ends[0]?.done()
  await asked
  vi.advanceTimersByTime(0)
  void guard(work)
  expect(work).toHaveBeenCalledTimes(2)
})

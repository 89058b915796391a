import { AppError } from '../../errors.ts'
import { PREVIEW_SECONDS, PREVIEWS_AT_ONCE, previewTimedOut } from '../../files/preview-limits.ts'

/** How many previews of one viewer may wait. */
const WAITING_MAX = 10

interface Waiting {
  viewer_id: number
  start: () => void
}

/**
 * Runs one preview at a time for each viewer, and PREVIEWS_AT_ONCE in all. A viewer's second preview waits for the first
 * instead of ending it: two windows may each show a file, and a page that is left aborts its call itself.
 */
export function previewTurns(atOnce = PREVIEWS_AT_ONCE) {
  const waiting: Waiting[] = []
  const running = new Set<number>()

  function startNext() {
    while (running.size < atOnce) {
      const at = waiting.findIndex(({ viewer_id }) => !running.has(viewer_id))
      const [next] = at === -1 ? [] : waiting.splice(at, 1)
      if (!next) return
      running.add(next.viewer_id)
      next.start()
    }
  }

  function turnOf(viewer_id: number, signal: AbortSignal | undefined): Promise<void> {
    const turn = Promise.withResolvers<void>()
    const leave = () => {
      const at = waiting.indexOf(mine)
      if (at !== -1) waiting.splice(at, 1)
      turn.reject(signal?.reason)
    }
    const mine = {
      viewer_id,
      start() {
        signal?.removeEventListener('abort', leave)
        turn.resolve()
      },
    }
    signal?.addEventListener('abort', leave, { once: true })
    waiting.push(mine)
    startNext()
    return turn.promise
  }

  /** Runs the work when it is the viewer's turn; stops it when the caller disconnects or after PREVIEW_SECONDS. */
  return async function inTurn<T>(
    viewer_id: number,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted()
    if (waiting.filter((one) => one.viewer_id === viewer_id).length >= WAITING_MAX) throw new AppError('tooMany')
    await turnOf(viewer_id, signal)
    const deadline = AbortSignal.timeout(PREVIEW_SECONDS * 1000)
    try {
      return await work(signal ? AbortSignal.any([signal, deadline]) : deadline)
    } catch (error) {
      throw deadline.aborted && !signal?.aborted ? previewTimedOut() : error
    } finally {
      running.delete(viewer_id)
      startNext()
    }
  }
}

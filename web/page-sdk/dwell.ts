import { DWELL_EVENT } from '#contract/tracking-snippets.ts'
import type { Track } from './track.ts'

/** Shorter stays are not sent. */
const SHORTEST_MS = 1000

/**
 * Sends how long the page was in sight, whole seconds and tenths, each time it is hidden or left. A page that is shown
 * again sends only what is new, so the sum is the whole stay.
 */
export function noteDwell(track: Track): void {
  let shownAt = document.visibilityState === 'visible' ? performance.now() : null
  const send = () => {
    if (shownAt === null) return
    const stayed = performance.now() - shownAt
    shownAt = null
    if (stayed >= SHORTEST_MS) track(DWELL_EVENT, { seconds: Math.round(stayed / 100) / 10 })
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') send()
    else shownAt ??= performance.now()
  })
  // Some browsers leave a page without hiding it first, and bring it back whole.
  window.addEventListener('pagehide', send)
  window.addEventListener('pageshow', () => {
    shownAt ??= performance.now()
  })
}

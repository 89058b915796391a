import { LONG_PRESS_EVENT } from '#contract/tracking-snippets.ts'
import type { Track } from './track.ts'

const HELD_MS = 350
/** A finger that moves further scrolls. */
const MOVED_PX = 10
const NAME_MAX = 200

/** Sends a long press on an image, which is how a QR code in a page is read. */
export function noteLongPress(track: Track): void {
  let held: { timer: number; x: number; y: number } | null = null
  const end = () => {
    if (held) clearTimeout(held.timer)
    held = null
  }
  document.addEventListener(
    'pointerdown',
    ({ target, isPrimary, button, clientX: x, clientY: y }) => {
      end()
      if (!isPrimary || button !== 0 || !(target instanceof Element)) return
      const image = target.closest('img, canvas, [data-qr]')
      if (!image) return
      const timer = window.setTimeout(() => {
        held = null
        track(LONG_PRESS_EVENT, { image: nameOf(image) })
      }, HELD_MS)
      held = { timer, x, y }
    },
    { capture: true, passive: true },
  )
  document.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      if (held && Math.hypot(clientX - held.x, clientY - held.y) > MOVED_PX) end()
    },
    { capture: true, passive: true },
  )
  for (const type of ['pointerup', 'pointercancel'] as const)
    document.addEventListener(type, end, { capture: true, passive: true })
}

/** Its text, or the name of its file; a `data:` address says nothing. */
function nameOf(image: Element): string {
  const text = image.getAttribute('alt') || image.getAttribute('aria-label') || image.getAttribute('data-qr')
  const address = image instanceof HTMLImageElement && !image.src.startsWith('data:') ? image.src : ''
  return (text || address.split(/[?#]/)[0]?.split('/').at(-1) || '').slice(0, NAME_MAX)
}

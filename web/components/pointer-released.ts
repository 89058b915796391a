/** The click follows the release in a later task; after a touch some milliseconds later. */
const CLICK_WITHIN_MS = 50

let isPressed = false
let waiting: (() => void)[] = []

function release() {
  isPressed = false
  const ready = waiting
  waiting = []
  for (const go of ready) go()
}

// Tests of pure functions load this without a page.
if (typeof document !== 'undefined') {
  let ending: ReturnType<typeof setTimeout> | undefined
  const on = (event: string, listen: () => void) => document.addEventListener(event, listen, { capture: true })
  on('pointerdown', () => {
    clearTimeout(ending)
    isPressed = true
  })
  for (const end of ['pointerup', 'pointercancel'])
    on(end, () => {
      ending = setTimeout(release, CLICK_WITHIN_MS)
    })
}

/** Resolves while nothing is pressed: an element that is replaced between pressing and releasing gets no click. */
export const pointerReleased = (): Promise<void> =>
  isPressed ? new Promise((go) => waiting.push(go)) : Promise.resolve()

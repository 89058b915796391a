import type { Page } from '@playwright/test'

/** From now on the page notes how long its interactions and its frames take, ms. */
export async function watchInteractions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const took: Record<number, number> = {}
    const frames: number[] = []
    Object.assign(window, { took, frames })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
        if (entry.interactionId > 0)
          took[entry.interactionId] = Math.max(took[entry.interactionId] ?? 0, entry.duration)
    }).observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit)
    let last = performance.now()
    const next = () => {
      const at = performance.now()
      frames.push(at - last)
      last = at
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
}

/** How long each click or key took until its effect was painted, ms. */
export const interactionsOf = (page: Page): Promise<number[]> =>
  page.evaluate(() => Object.values((window as unknown as { took: Record<number, number> }).took))

/** Turns the wheel over a place of the page, and returns the longest frame after each turn, ms. */
export async function longestFrames(page: Page, { turns, by }: { turns: number; by: number }): Promise<number[]> {
  const longest: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    await page.evaluate(() => {
      ;(window as unknown as { frames: number[] }).frames.length = 0
    })
    await page.mouse.wheel(0, by)
    await page.waitForTimeout(250)
    longest.push(await page.evaluate(() => Math.max(...(window as unknown as { frames: number[] }).frames)))
  }
  return longest
}

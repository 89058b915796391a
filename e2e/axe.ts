import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Fails if axe finds a serious or critical fault on the page. */
export async function expectAccessible(page: Page): Promise<void> {
  // A dialog that is fading in has too little contrast.
  await page.evaluate(() => {
    // Endless animations, such as spinners, never finish.
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
    const waited = new Promise((resolve) => setTimeout(resolve, 3000))
    return Promise.race([Promise.allSettled(ending.map((one) => one.finished)), waited])
  })
  // Runs in the page itself: there are no frames, for which it would open another page. Passed checks are not reported.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze()
  const faults = violations
    .filter((one) => one.impact === 'serious' || one.impact === 'critical')
    .map((one) => `${one.id}: ${one.nodes.map((node) => `${node.target} ${node.any[0]?.message ?? ''}`).join('; ')}`)
  expect(faults, page.url()).toEqual([])
}

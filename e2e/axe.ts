import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Nothing on the page as it stands is a serious or critical fault to axe. */
export async function expectAccessible(page: Page): Promise<void> {
  // A dialog half faded in has the contrast of a half faded dialog.
  await page.evaluate(() => {
    // What turns for ever, such as a spinner, never finishes.
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
    const waited = new Promise((resolve) => setTimeout(resolve, 3000))
    return Promise.race([Promise.allSettled(ending.map((one) => one.finished)), waited])
  })
  // In the page itself: there are no frames, for which it would open a page of its own. Of what passes nothing is told.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze()
  const faults = violations
    .filter((one) => one.impact === 'serious' || one.impact === 'critical')
    .map((one) => `${one.id}: ${one.nodes.map((node) => `${node.target} ${node.any[0]?.message ?? ''}`).join('; ')}`)
  expect(faults, page.url()).toEqual([])
}

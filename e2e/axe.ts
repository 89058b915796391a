import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Frame, type Page } from '@playwright/test'
import type axe from 'axe-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare global {
  interface Window {
    axe?: typeof axe
  }
}

/** Fails if axe finds a serious or critical fault on the page, or in one of its frames. */
export async function expectAccessible(page: Page | Frame): Promise<void> {
  // What answers an earlier question is pale while the newer answer is on its way.
  await page
    .waitForFunction(() => !document.querySelector('[aria-busy="true"]'), null, { timeout: 3000 })
    .catch(() => {})
  // A dialog that is fading in has too little contrast.
  await page.evaluate(() => {
    // Endless animations, such as spinners, never finish.
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
    const waited = new Promise((resolve) => setTimeout(resolve, 3000))
    return Promise.race([Promise.allSettled(ending.map((one) => one.finished)), waited])
  })
  // Compiling axe takes longer than its checks, so a page that has it keeps it. Its own package for Playwright compiles
  // it twice for each check.
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(AXE)
  // Runs in the page itself, without its frames. Passed checks are not reported.
  const violations = await page.evaluate(async () => {
    const found = await window.axe?.run(document, { resultTypes: ['violations'] })
    return found?.violations
  })
  const faults = violations
    ?.filter((one) => one.impact === 'serious' || one.impact === 'critical')
    .map((one) => `${one.id}: ${one.nodes.map((node) => `${node.target} ${node.any[0]?.message ?? ''}`).join('; ')}`)
  expect(faults, page.url()).toEqual([])
}

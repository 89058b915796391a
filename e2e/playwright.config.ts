import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from './chromium.ts'

export default defineConfig({
  testDir: '.',
  globalSetup: './setup.ts',
  outputDir: '../test-results/e2e',
  fullyParallel: false,
  // Two browsers with a server each fill two cores. On an existing server (E2E_URL) names of advertisers would collide.
  workers: process.env.E2E_URL ? 1 : 2,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: process.env.E2E_RESULTS ?? '../test-results/e2e.json' }]],
  use: {
    // A missing element fails well before the test's timeout.
    actionTimeout: 30_000,
    launchOptions: await chromiumLaunch(),
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
    // Animations would be a quarter of the work; touch.spec.ts tests them.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Traces would be another sixth of the work.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
  },
})

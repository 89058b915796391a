import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from './chromium.ts'

export default defineConfig({
  testDir: '.',
  globalSetup: './setup.ts',
  outputDir: '../test-results/e2e',
  fullyParallel: false,
  // Two cores are full with two browsers and a server for each. Someone's own server (E2E_URL) has one advertiser of a name.
  workers: process.env.E2E_URL ? 1 : 2,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: process.env.E2E_RESULTS ?? '../test-results/e2e.json' }]],
  use: {
    // What never becomes clickable fails well before the journey's own time is up.
    actionTimeout: 30_000,
    launchOptions: await chromiumLaunch(),
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
    // A quarter of the work would be drawing things that fade; touch.spec.ts has the movement.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Another sixth of it goes into pictures of what nearly always goes well.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
  },
})

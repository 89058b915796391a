import { totalmem } from 'node:os'
import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from './chromium.ts'

/** A browser with its server takes up to 2 GB. */
const ROOMY_BYTES = 10 * 2 ** 30

/** A journey waits for a third of its time: two cores are busy with four. On an existing server (E2E_URL) names would collide. */
function workers(): number {
  if (process.env.E2E_URL) return 1
  return totalmem() >= ROOMY_BYTES ? 4 : 2
}

/** Without both, Chromium leaves a page's process at the blank page between two tests. */
const ONE_PROCESS = ['--disable-site-isolation-trials', '--renderer-process-limit=1']
const launch = await chromiumLaunch()

export default defineConfig({
  testDir: '.',
  // E2E_LONG=1 takes the long journeys, 0 leaves them out; without it both are found, to run one by its name.
  testMatch: process.env.E2E_LONG === '1' ? '**/*.long.spec.ts' : '**/*.spec.ts',
  ...(process.env.E2E_LONG === '0' && { testIgnore: '**/*.long.spec.ts' }),
  globalSetup: './setup.ts',
  outputDir: '../test-results/e2e',
  fullyParallel: false,
  workers: workers(),
  // On a shared machine a page may stand still for longer than a test waits. The report names what needed it.
  retries: 1,
  timeout: 240_000,
  // These cost nothing where all is well, and the slowest machine seen takes four times as long as the fastest.
  // By itself `toPass` waits a second between later tries.
  expect: { timeout: 30_000, toPass: { intervals: [100, 250] } },
  reporter: [['list'], ['json', { outputFile: process.env.E2E_RESULTS ?? '../test-results/e2e.json' }]],
  use: {
    // A missing element fails well before the test's timeout.
    actionTimeout: 60_000,
    // A worker's tests open their pages in one process, which then has the compiled code; Playwright resets storage,
    // cookies and routes between them. The first page in a new process takes twice the processor time.
    reuseContext: true,
    launchOptions: { ...launch, args: [...(launch.args ?? []), ...ONE_PROCESS] },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
    // Animations would be a quarter of the work; touch.long.spec.ts tests them.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Traces would be another sixth of the work.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
  },
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Counts, judged, NOTHING, playwrightCounts, sum, vitestCounts } from './counts.ts'
import { ROOT, run } from './run.ts'
import { failedLines, playwrightTests, slowest, slowestLines, unsteadyLines, vitestTests } from './test-report.ts'

const RESULTS = join(ROOT, 'test-results')
const UNIT = join(RESULTS, 'unit.json')
const LONG = join(RESULTS, 'long.json')
const E2E = join(RESULTS, 'e2e.json')
const LONG_E2E = join(RESULTS, 'long-e2e.json')
const SLOWEST_SHOWN = 20

/** A failing check counts as one failure; a passing one is not counted. */
const check = async (program: string, args: string[]): Promise<Counts> => {
  const isFine = await run(program, args)
  return { ...NOTHING, failed: isFine ? 0 : 1 }
}

/** Vitest on some of the projects in its configuration. */
const vitest = async (report: string, projects: readonly string[]): Promise<Counts> => {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const isFine = await run('vitest', ['run', ...reporters, ...projects.map((project) => `--project=${project}`)])
  return judged(vitestCounts(report), isFine)
}

/** Playwright on the usual journeys or on the long ones. */
const playwright = async (report: string, { isLong }: { isLong: boolean }): Promise<Counts> => {
  const isFine = await run('playwright', ['test', '--config', 'e2e/playwright.config.ts'], {
    E2E_RESULTS: report,
    E2E_LONG: isLong ? '1' : '0',
  })
  return judged(playwrightCounts(report), isFine)
}

const STEPS: Record<string, () => Promise<Counts>> = {
  types: () => check('tsc', ['-b']),
  lint: async () => sum(await check('biome', ['check', '.']), await check('knip', [])),
  unit: () => vitest(UNIT, ['contract', 'server', 'tools', 'web']),
  browser: () => playwright(E2E, { isLong: false }),
  long: () => vitest(LONG, ['long']),
  'long-browser': () => playwright(LONG_E2E, { isLong: true }),
}
/** Those that every change is tried with. The long ones take as long again. */
const USUAL = ['types', 'lint', 'unit', 'browser']

/** `npm test -- unit` runs only that step, `npm run test:long` the long ones. */
const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !(name in STEPS))
if (unknown !== undefined) {
  console.error(`没有步骤 ${unknown}：可以是 ${Object.keys(STEPS).join('、')}`)
  process.exit(1)
}

rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })
const isWanted = (name: string) => (wanted.length === 0 ? USUAL : wanted).includes(name)
let total = NOTHING
// Each of these uses one core for most of its time. The other steps use all cores.
const together = ['types', 'lint']
const hasPages = isWanted('browser') || isWanted('long-browser')
await Promise.all([...together.map(take), hasPages ? buildPages() : undefined])
for (const name of Object.keys(STEPS)) if (!together.includes(name)) await take(name)
const tests = [...vitestTests(UNIT), ...vitestTests(LONG), ...playwrightTests(E2E), ...playwrightTests(LONG_E2E)]
const timed = slowest(tests, SLOWEST_SHOWN)
if (timed.length > 0) console.log(`\n── slowest ${timed.length} ──\n${slowestLines(timed).join('\n')}`)
// Last, since only the end of a long output may be kept.
const unsteady = unsteadyLines(tests)
if (unsteady.length > 0) console.log(`\n── passed at the second try ──\n${unsteady.join('\n')}`)
const failed = failedLines(tests)
if (failed.length > 0) console.log(`\n── failed ──\n${failed.join('\n')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1

async function take(name: string): Promise<void> {
  const step = STEPS[name]
  if (!step || !isWanted(name)) return
  console.log(`\n── ${name} ──`)
  const began = Date.now()
  const counts = await step()
  total = sum(total, counts)
  const skipped = counts.skipped > 0 ? `（跳过 ${counts.skipped}）` : ''
  console.log(`── ${name}: ${counts.failed === 0 ? 'ok' : `${counts.failed} failed`}${skipped} ${seconds(began)}`)
}

/** The browser step would build them alone. It also reports why they cannot be built, since it tries again. */
async function buildPages(): Promise<void> {
  const build = spawn(process.execPath, [join(ROOT, 'scripts', 'build-web.ts')], { cwd: ROOT, stdio: 'ignore' })
  await once(build, 'exit')
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`
}

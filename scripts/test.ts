import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Counts, judged, NOTHING, playwrightCounts, sum, vitestCounts } from './counts.ts'
import { ROOT, run } from './run.ts'
import { playwrightTests, slowest, slowestLines, vitestTests } from './slowest.ts'

const RESULTS = join(ROOT, 'test-results')
const UNIT = join(RESULTS, 'unit.json')
const E2E = join(RESULTS, 'e2e.json')
const SLOWEST_SHOWN = 20

/** A failing check counts as one failure; a passing one is not counted. */
const check = async (program: string, args: string[]): Promise<Counts> => {
  const isFine = await run(program, args)
  return { ...NOTHING, failed: isFine ? 0 : 1 }
}

const STEPS: Record<string, () => Promise<Counts>> = {
  types: () => check('tsc', ['-b']),
  lint: async () => sum(await check('biome', ['check', '.']), await check('knip', [])),
  unit: async () => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${UNIT}`]
    const isFine = await run('vitest', ['run', ...reporters])
    return judged(vitestCounts(UNIT), isFine)
  },
  browser: async () => {
    const isFine = await run('playwright', ['test', '--config', 'e2e/playwright.config.ts'], { E2E_RESULTS: E2E })
    return judged(playwrightCounts(E2E), isFine)
  },
}

/** `npm test -- unit` runs only that step. */
const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !(name in STEPS))
if (unknown !== undefined) {
  console.error(`没有步骤 ${unknown}：可以是 ${Object.keys(STEPS).join('、')}`)
  process.exit(1)
}

rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })
let total = NOTHING
for (const [name, step] of Object.entries(STEPS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n── ${name} ──`)
  const began = Date.now()
  const counts = await step()
  total = sum(total, counts)
  const skipped = counts.skipped > 0 ? `（跳过 ${counts.skipped}）` : ''
  console.log(`── ${name}: ${counts.failed === 0 ? 'ok' : `${counts.failed} failed`}${skipped} ${seconds(began)}`)
}
const timed = slowest([...vitestTests(UNIT), ...playwrightTests(E2E)], SLOWEST_SHOWN)
if (timed.length > 0) console.log(`\n── slowest ${timed.length} ──\n${slowestLines(timed).join('\n')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1

function seconds(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`
}

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './run.ts'
import { playwrightTests, slowest, slowestLines, vitestTests } from './slowest.ts'

function report(content: object): string {
  const path = join(mkdtempSync(join(tmpdir(), 'renqun-slowest-')), 'report.json')
  writeFileSync(path, JSON.stringify(content))
  return path
}

test('lists the slowest tests of both runners, the slowest first', () => {
  const unit = report({
    testResults: [
      {
        name: join(ROOT, 'server/scenarios/kill.test.ts'),
        assertionResults: [
          { fullName: ' ten kills', duration: 30_000 },
          { fullName: 'a skipped test', duration: null },
        ],
      },
    ],
  })
  const browser = report({
    suites: [
      {
        specs: [],
        suites: [
          {
            specs: [
              {
                title: 'signs in',
                file: 'login.spec.ts',
                tests: [{ results: [{ duration: 900 }, { duration: 600 }] }],
              },
              { title: 'pushes a crowd', file: 'push.spec.ts', tests: [{ results: [{ duration: 45_000 }] }] },
            ],
          },
        ],
      },
    ],
  })
  expect(slowestLines(slowest([...vitestTests(unit), ...playwrightTests(browser)], 3))).toEqual([
    '   45.0 s  e2e/push.spec.ts › pushes a crowd',
    '   30.0 s  server/scenarios/kill.test.ts › ten kills',
    '    1.5 s  e2e/login.spec.ts › signs in',
  ])
})

test('a runner without a report lists no tests', () => {
  expect(vitestTests('/nowhere/unit.json')).toEqual([])
  expect(playwrightTests('/nowhere/e2e.json')).toEqual([])
})

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './run.ts'
import { failedLines, playwrightTests, slowest, slowestLines, vitestTests } from './test-report.ts'

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

test('lists the failed tests of both runners with the first line of their messages', () => {
  const unit = report({
    testResults: [
      {
        name: join(ROOT, 'server/http.test.ts'),
        status: 'failed',
        assertionResults: [
          { fullName: 'refuses a stranger', status: 'failed', failureMessages: ['expected 200 to be 403\n at line 3'] },
          { fullName: 'answers', status: 'passed', failureMessages: [] },
        ],
      },
      { name: join(ROOT, 'cli/a.test.ts'), status: 'failed', message: 'no such file', assertionResults: [] },
    ],
  })
  const error = { message: '\u001b[31mTimeout of 30000ms exceeded\u001b[39m\nCall log' }
  const browser = report({
    suites: [
      {
        specs: [
          {
            title: 'signs in',
            file: 'a.spec.ts',
            tests: [{ status: 'unexpected', results: [{ duration: 1, error }] }],
          },
          { title: 'signs out', file: 'a.spec.ts', tests: [{ status: 'expected', results: [{ duration: 1 }] }] },
        ],
      },
    ],
  })
  expect(failedLines([...vitestTests(unit), ...playwrightTests(browser)])).toEqual([
    '  server/http.test.ts › refuses a stranger: expected 200 to be 403',
    '  cli/a.test.ts › the file: no such file',
    '  e2e/a.spec.ts › signs in: Timeout of 30000ms exceeded',
  ])
})

test('a runner without a report lists no tests', () => {
  expect(vitestTests('/nowhere/unit.json')).toEqual([])
  expect(playwrightTests('/nowhere/e2e.json')).toEqual([])
})

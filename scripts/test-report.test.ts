import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './run.ts'
import { failedLines, playwrightTests, slowest, slowestLines, unsteadyLines, vitestTests } from './test-report.ts'

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

test('lists the tests that passed at the second try apart, with what the page held at the first', () => {
  const unit = report({
    testResults: [
      {
        name: join(ROOT, 'server/http.test.ts'),
        status: 'passed',
        assertionResults: [
          { fullName: 'waits', status: 'passed', failureMessages: ['expected 1 to be 2\n at line 3'] },
          { fullName: 'answers', status: 'passed', failureMessages: [] },
        ],
      },
    ],
  })
  const path = join(mkdtempSync(join(tmpdir(), 'renqun-page-')), 'error-context.md')
  writeFileSync(path, '# Page snapshot\n\n```yaml\n- main:\n  - button "新建"\n```\n\n# Test source\n')
  const first = { duration: 1, error: { message: 'not found' }, attachments: [{ name: 'error-context', path }] }
  const browser = report({
    suites: [
      {
        specs: [
          { title: 'signs in', file: 'a.spec.ts', tests: [{ status: 'flaky', results: [first, { duration: 1 }] }] },
          { title: 'signs out', file: 'a.spec.ts', tests: [{ status: 'expected', results: [{ duration: 1 }] }] },
        ],
      },
    ],
  })
  const tests = [...vitestTests(unit), ...playwrightTests(browser)]
  expect(failedLines(tests)).toEqual([])
  expect(unsteadyLines(tests)).toEqual([
    '  server/http.test.ts › waits: expected 1 to be 2',
    '  e2e/a.spec.ts › signs in: not found',
    '    | - main:\n    |   - button "新建"',
  ])
})

test('a runner without a report lists no tests', () => {
  expect(vitestTests('/nowhere/unit.json')).toEqual([])
  expect(playwrightTests('/nowhere/e2e.json')).toEqual([])
})

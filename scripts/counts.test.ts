import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judged, NOTHING, playwrightCounts, sum, vitestCounts } from './counts.ts'

function report(content: object): string {
  const path = join(mkdtempSync(join(tmpdir(), 'renqun-counts-')), 'report.json')
  writeFileSync(path, JSON.stringify(content))
  return path
}

test('counts a file that does not load as one more failure', () => {
  const path = report({
    numPassedTests: 2,
    numFailedTests: 1,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [
      { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] },
      { status: 'failed', assertionResults: [] },
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
    ],
  })
  expect(vitestCounts(path)).toEqual({ passed: 2, failed: 2, skipped: 1 })
})

test('a journey that passes on its second try counts as passed', () => {
  const path = report({ stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 } })
  expect(playwrightCounts(path)).toEqual({ passed: 4, failed: 1, skipped: 2 })
})

test('a runner that crashed, failed or ran nothing counts as failed', () => {
  expect(judged(vitestCounts('/nowhere.json'), false)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  expect(judged({ passed: 5, failed: 0, skipped: 0 }, false).failed).toBe(1)
  expect(judged(NOTHING, true).failed).toBe(1)
  expect(judged({ passed: 5, failed: 2, skipped: 0 }, false).failed).toBe(2)
  expect(judged({ passed: 5, failed: 0, skipped: 1 }, true)).toEqual({ passed: 5, failed: 0, skipped: 1 })
})

test('counts are added', () => {
  expect(sum({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 })).toEqual({
    passed: 11,
    failed: 22,
    skipped: 33,
  })
})

import { readFileSync } from 'node:fs'

export type Counts = { passed: number; failed: number; skipped: number }

export const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 }

export const sum = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
})

/**
 * A runner's counts, with at least one failure when the runner itself failed (a file that does not load, a crash, an error
 * between two tests) or ran nothing.
 */
export function judged(counts: Counts | undefined, isEndedWell: boolean): Counts {
  const is = counts ?? NOTHING
  const hasRun = is.passed + is.failed > 0
  return is.failed === 0 && !(isEndedWell && hasRun) ? { ...is, failed: 1 } : is
}

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

export function vitestCounts(path: string): Counts | undefined {
  const report = readReport<VitestReport>(path)
  if (!report) return undefined
  // A file that fails to load has no tests to count as failed.
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number; skipped: number } }

export function playwrightCounts(path: string): Counts | undefined {
  const stats = readReport<PlaywrightReport>(path)?.stats
  return stats && { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
}

/** A runner's JSON report; undefined if it crashed before writing one. */
export function readReport<Report>(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return undefined
  }
}

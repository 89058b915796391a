import { relative } from 'node:path'
import { readReport } from './counts.ts'
import { ROOT } from './run.ts'

export interface TimedTest {
  /** Relative to the project's root. */
  file: string
  title: string
  ms: number
}

/** The `count` tests that took longest, the slowest first. */
export function slowest(tests: readonly TimedTest[], count: number): TimedTest[] {
  return tests.toSorted((one, other) => other.ms - one.ms).slice(0, count)
}

/** `  12.3 s  server/scenarios/kill.test.ts › ten kills …`: a line for each test. */
export function slowestLines(tests: readonly TimedTest[]): string[] {
  return tests.map(({ file, title, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file} › ${title}`)
}

type VitestReport = {
  testResults: { name: string; assertionResults: { fullName: string; duration?: number | null }[] }[]
}

/** The tests of Vitest's JSON report; none when there is no report. */
export function vitestTests(path: string): TimedTest[] {
  return (readReport<VitestReport>(path)?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      file: relative(ROOT, name),
      title: fullName.trim(),
      ms: duration ?? 0,
    })),
  )
}

type PlaywrightSuite = {
  suites?: PlaywrightSuite[]
  specs: { title: string; file: string; tests: { results: { duration: number }[] }[] }[]
}

/** The journeys of Playwright's JSON report, with the time of all their tries; none if there is no report. */
export function playwrightTests(path: string): TimedTest[] {
  const testsOf = ({ suites = [], specs }: PlaywrightSuite): TimedTest[] => [
    ...specs.map(({ title, file, tests }) => ({
      file: `e2e/${file}`,
      title,
      ms: tests.flatMap(({ results }) => results).reduce((total, { duration }) => total + duration, 0),
    })),
    ...suites.flatMap(testsOf),
  ]
  return (readReport<{ suites: PlaywrightSuite[] }>(path)?.suites ?? []).flatMap(testsOf)
}

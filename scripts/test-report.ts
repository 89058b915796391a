import { relative } from 'node:path'
import { readReport } from './counts.ts'
import { ROOT } from './run.ts'

export interface RunTest {
  /** Relative to the project's root. */
  file: string
  title: string
  ms: number
  /** The first line of why it failed; null if it did not. */
  failure: string | null
}

/** The `count` tests that took longest, the slowest first. */
export function slowest(tests: readonly RunTest[], count: number): RunTest[] {
  return tests.toSorted((one, other) => other.ms - one.ms).slice(0, count)
}

/** `  12.3 s  server/scenarios/kill.test.ts › ten kills …`: a line for each test. */
export function slowestLines(tests: readonly RunTest[]): string[] {
  return tests.map(({ file, title, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file} › ${title}`)
}

/** `  server/http.test.ts › refuses a stranger: expected 200 to be 403`: a line for each test that failed. */
export function failedLines(tests: readonly RunTest[]): string[] {
  return tests.flatMap(({ file, title, failure }) => (failure === null ? [] : [`  ${file} › ${title}: ${failure}`]))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Playwright colours its messages.
const COLOURS = /\u001b\[[0-9;]*m/g
const firstLine = (message = '') => message.replace(COLOURS, '').split('\n')[0] || 'no message'

type VitestReport = {
  testResults: {
    name: string
    status?: string
    message?: string
    assertionResults: { fullName: string; duration?: number | null; status?: string; failureMessages?: string[] }[]
  }[]
}

/** The tests of Vitest's JSON report; none when there is no report. A file that does not load counts as a failed test. */
export function vitestTests(path: string): RunTest[] {
  return (readReport<VitestReport>(path)?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(ROOT, name)
    const tests = assertionResults.map(
      ({ fullName, duration, status: how, failureMessages = [] }): RunTest => ({
        file,
        title: fullName.trim(),
        ms: duration ?? 0,
        failure: how === 'failed' ? firstLine(failureMessages[0]) : null,
      }),
    )
    const isBroken = status === 'failed' && !tests.some(({ failure }) => failure !== null)
    return isBroken ? [...tests, { file, title: 'the file', ms: 0, failure: firstLine(message) }] : tests
  })
}

type PlaywrightSuite = {
  suites?: PlaywrightSuite[]
  specs: {
    title: string
    file: string
    tests: { status?: string; results: { duration: number; error?: { message?: string } }[] }[]
  }[]
}

/** The journeys of Playwright's JSON report, with the time of all their tries; none if there is no report. */
export function playwrightTests(path: string): RunTest[] {
  const testsOf = ({ suites = [], specs }: PlaywrightSuite): RunTest[] => [
    ...specs.map(({ title, file, tests }): RunTest => {
      const results = tests.flatMap((one) => one.results)
      const hasFailed = tests.some(({ status }) => status === 'unexpected')
      return {
        file: `e2e/${file}`,
        title,
        ms: results.reduce((total, { duration }) => total + duration, 0),
        failure: hasFailed ? firstLine(results.find(({ error }) => error)?.error?.message) : null,
      }
    }),
    ...suites.flatMap(testsOf),
  ]
  return (readReport<{ suites: PlaywrightSuite[] }>(path)?.suites ?? []).flatMap(testsOf)
}

import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { readReport } from './counts.ts'
import { ROOT } from './run.ts'

export interface RunTest {
  /** Relative to the project's root. */
  file: string
  title: string
  ms: number
  /** The first line of why a try of it failed; null if none did. */
  failure: string | null
  /** Whether its last try passed. */
  hasPassed: boolean
  /** What the browser's page held when it failed; null for other tests. */
  page: string | null
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
  return tests.filter(({ hasPassed }) => !hasPassed).flatMap(linesOf)
}

/** The same lines for each test that passed only at its second try. */
export function unsteadyLines(tests: readonly RunTest[]): string[] {
  return tests.filter(({ hasPassed }) => hasPassed).flatMap(linesOf)
}

const linesOf = ({ file, title, failure, page }: RunTest): string[] =>
  failure === null
    ? []
    : [`  ${file} › ${title}: ${failure}`, ...(page === null ? [] : [page.replace(/^/gm, '    | ')])]

// biome-ignore lint/suspicious/noControlCharactersInRegex: Playwright colours its messages.
const COLOURS = /\u001b\[[0-9;]*m/g
const firstLine = (message = '') => message.replace(COLOURS, '').split('\n')[0] || 'no message'
/** Of a page with a long list the rest says nothing new. */
const PAGE_LINES_MAX = 120

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
        failure: how === 'failed' || failureMessages.length > 0 ? firstLine(failureMessages[0]) : null,
        hasPassed: how !== 'failed',
        page: null,
      }),
    )
    const isBroken = status === 'failed' && tests.every(({ hasPassed }) => hasPassed)
    const broken = { file, title: 'the file', ms: 0, failure: firstLine(message), hasPassed: false, page: null }
    return isBroken ? [...tests, broken] : tests
  })
}

type PlaywrightSuite = {
  suites?: PlaywrightSuite[]
  specs: {
    title: string
    file: string
    tests: { status?: string; results: PlaywrightTry[] }[]
  }[]
}

type PlaywrightTry = {
  duration: number
  error?: { message?: string }
  attachments?: { name: string; path?: string }[]
}

/** The journeys of Playwright's JSON report, with the time of all their tries; none if there is no report. */
export function playwrightTests(path: string): RunTest[] {
  const testsOf = ({ suites = [], specs }: PlaywrightSuite): RunTest[] => [
    ...specs.map(({ title, file, tests }): RunTest => {
      const results = tests.flatMap((one) => one.results)
      const failed = results.find(({ error }) => error)
      return {
        file: `e2e/${file}`,
        title,
        ms: results.reduce((total, { duration }) => total + duration, 0),
        failure: failed ? firstLine(failed.error?.message) : null,
        hasPassed: tests.every(({ status }) => status !== 'unexpected'),
        page: failed ? pageOf(failed) : null,
      }
    }),
    ...suites.flatMap(testsOf),
  ]
  return (readReport<{ suites: PlaywrightSuite[] }>(path)?.suites ?? []).flatMap(testsOf)
}

/** The snapshot of the page, which Playwright writes into a Markdown file beside the error. */
function pageOf({ attachments = [] }: PlaywrightTry): string | null {
  const path = attachments.find(({ name }) => name === 'error-context')?.path
  if (path === undefined || !existsSync(path)) return null
  const [, snapshot] = /```yaml\n([\s\S]*?)```/.exec(readFileSync(path, 'utf8')) ?? []
  return snapshot?.trimEnd().split('\n').slice(0, PAGE_LINES_MAX).join('\n') ?? null
}

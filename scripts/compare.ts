/** What a benchmark prints as `RESULT {…}`: a few numbers, null for what was not measured. */
export type Result = Record<string, number | null>

export interface Comparison {
  commit: string
  rounds: number
  /** The benchmark's own arguments, given to both versions. */
  args: string[]
}

const ROUNDS = 5

/** Reads `--against <commit>` and `--rounds N`; null without `--against`. Throws for a wrong value. */
export function comparisonOf(given: readonly string[]): Comparison | null {
  if (!given.includes('--against')) return null
  const args = [...given]
  const taken = (name: string) => {
    const index = args.indexOf(name)
    return index === -1 ? undefined : args.splice(index, 2)[1]
  }
  const commit = taken('--against')
  const rounds = Number(taken('--rounds') ?? ROUNDS)
  if (!commit || commit.startsWith('-')) throw new Error('--against 之后要写旧版本的 commit')
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds 之后要写正整数')
  return { commit, rounds, args }
}

/** The versions of a round in the order in which they run: each is first in every other round. */
export const orderOf = (round: number): ('old' | 'new')[] => (round % 2 === 0 ? ['old', 'new'] : ['new', 'old'])

/** The last `RESULT {…}` of a benchmark's output. */
export function resultIn(output: string): Result {
  const line = output.split('\n').findLast((line) => line.startsWith('RESULT '))
  if (!line) throw new Error('the benchmark printed no RESULT')
  return JSON.parse(line.slice('RESULT '.length)) as Result
}

/** The middle value; of an even number of values the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper
}

/** A table of each number's median with its range, old and new, and the new median divided by the old one. */
export function comparisonTable(old: readonly Result[], current: readonly Result[]): string {
  const names = [...new Set([...old, ...current].flatMap((result) => Object.keys(result)))]
  const valuesOf = (results: readonly Result[], name: string) =>
    results.map((result) => result[name]).filter((value) => value !== null && value !== undefined)
  const rows = names.map((name) => {
    const [before, after] = [valuesOf(old, name), valuesOf(current, name)]
    return [name, cell(before), cell(after), ratio(median(before), median(after))]
  })
  return aligned([['', 'old', 'new', 'new / old'], ...rows])
}

const number = (value: number) => String(Number(value.toPrecision(4)))
function cell(values: readonly number[]): string {
  if (values.length === 0) return '–'
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return least === most ? number(least) : `${number(median(values))} (${number(least)} to ${number(most)})`
}
const ratio = (before: number, after: number) => (Number.isFinite(after / before) ? (after / before).toFixed(2) : '–')

/** Text to the left, numbers to the right. */
function aligned(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows
    .map((row) =>
      row
        .map((text, column) =>
          column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart((widths[column] ?? 0) + 2),
        )
        .join(''),
    )
    .join('\n')
}

import type { z } from 'zod'
import { safeEncode } from 'zod/v4/core'

/** A field that its schema refuses, and how it was handled. The value is left out, since it may be personal. */
export interface BrokenField {
  /** The path of keys, without list indexes: `data.list.definition.condition.value`. */
  field: string
  /** The row's id, if it has one. */
  row_id: number | null
  /** zod's issue code, such as `too_big` or `invalid_type`. */
  code: string
  done: 'cut' | 'emptied' | 'left out' | 'row dropped'
}

export type EncodedAnswer = { ok: true; data: unknown; broken: BrokenField[] } | { ok: false; error: z.core.$ZodError }

type Path = readonly PropertyKey[]
type Holder = Record<PropertyKey, unknown>

/** Marks a dropped row until all issues of a round are handled. */
const DROPPED = Symbol('dropped')
/** At most this many rounds; each one repairsRows every issue or takes a stronger step for it. */
const ROUNDS_MAX = 100

/**
 * Mends an answer so that it fits its schema. A row that breaks the schema keeps its readable fields: a text that is too
 * long is cut, other wrong fields are emptied or left out if the schema allows that, otherwise the row is dropped.
 * Only rows are repaired: elements of a list that stands in the answer's data, or in another row. What is inside a rule or
 * a definition stays whole, since an editor would save it without the missing part.
 */
export function encodeAnswer(
  schema: z.core.$ZodType,
  answer: unknown,
  { repairsRows }: { repairsRows: boolean },
): EncodedAnswer {
  const first = safeEncode(schema, answer)
  if (first.success) return { ok: true, data: first.data, broken: [] }
  if (!repairsRows) return { ok: false, error: first.error }
  const rows = repairs(structuredClone(answer))
  let error: z.core.$ZodError = first.error
  for (let round = 0; round < ROUNDS_MAX; round++) {
    if (!rows.repair(error.issues)) break
    const result = safeEncode(schema, rows.answer)
    if (result.success) return { ok: true, data: result.data, broken: rows.broken() }
    error = result.error
  }
  return { ok: false, error: first.error }
}

function repairs(answer: unknown) {
  /** Steps taken at each path, and the last step. */
  const taken = new Map<string, number>()
  const broken = new Map<string, BrokenField>()
  const brokenBefore: BrokenField[] = []

  /** One step for each issue; false when one is not in a row. */
  function repair(issues: readonly z.core.$ZodIssue[]): boolean {
    let isDropped = false
    for (const issue of issues) {
      const row = rowOf(answer, issue.path)
      if (!row) return false
      isDropped = repairField(issue, row) === 'row dropped' || isDropped
    }
    if (isDropped) {
      // Indexes have changed, so the remaining issues are found again.
      removeDropped(answer)
      brokenBefore.push(...broken.values())
      broken.clear()
      taken.clear()
    }
    return true
  }

  /** Takes the next step at the issue's path; when none is left, at its parent; finally drops the row. */
  function repairField(issue: z.core.$ZodIssue, row: Path): BrokenField['done'] | null {
    for (let path: Path = issue.path; path.length >= row.length; path = path.slice(0, -1)) {
      const holder = valueAt(answer, path.slice(0, -1))
      const key = path.at(-1) as PropertyKey
      // Another issue of this round has already emptied or dropped its parent.
      if (!isHolder(holder) || holder[key] === DROPPED) return null
      const isRow = path.length === row.length
      const steps = isRow ? ROW_STEPS : stepsOf(issue, holder[key], path.length === issue.path.length)
      const at = path.join('\n')
      const step = steps[taken.get(at) ?? 0]
      if (!step) continue
      taken.set(at, (taken.get(at) ?? 0) + 1)
      recordBroken(at, {
        field: fieldOf(issue.path),
        row_id: idOf(valueAt(answer, row)),
        code: issue.code ?? '',
        done: step.done,
      })
      if (step.done === 'left out') delete holder[key]
      else holder[key] = step.to
      return step.done
    }
    return null
  }

  /** One entry per path: the first issue at or below it, and the last step taken. */
  function recordBroken(at: string, field: BrokenField): void {
    const earlier = [...broken.keys()].filter((key) => key === at || key.startsWith(`${at}\n`))
    const first = broken.get(earlier[0] ?? '') ?? field
    for (const key of earlier) broken.delete(key)
    broken.set(at, { ...first, done: field.done })
  }

  return { answer, repair, broken: () => [...brokenBefore, ...broken.values()] }
}

interface Step {
  done: BrokenField['done']
  to?: unknown
}

const ROW_STEPS: Step[] = [{ done: 'row dropped', to: DROPPED }]

function stepsOf(issue: z.core.$ZodIssue, value: unknown, isValueWrong: boolean): Step[] {
  const steps: Step[] = [{ done: 'emptied', to: null }, { done: 'left out' }]
  if (!isValueWrong) return steps
  if (issue.code === 'too_big' && typeof value === 'string') {
    return [{ done: 'cut', to: [...value].slice(0, Number(issue.maximum)).join('') }, ...steps]
  }
  const isNoText = issue.code === 'invalid_type' && issue.expected === 'string'
  return isNoText ? [...steps, { done: 'emptied', to: '' }] : steps
}

function removeDropped(value: unknown): void {
  if (!isHolder(value)) return
  if (Array.isArray(value)) value.splice(0, value.length, ...value.filter((one) => one !== DROPPED))
  for (const one of Object.values(value)) removeDropped(one)
}

/** The innermost row on the path: `data`, a key unless data is a list, an index; then key and index in turn. */
function rowOf(answer: unknown, path: Path): Path | null {
  let at = 1
  let row: Path | null = null
  for (;;) {
    if (!Array.isArray(valueAt(answer, path.slice(0, at)))) at++
    if (at >= path.length || !Array.isArray(valueAt(answer, path.slice(0, at)))) return row
    row = path.slice(0, ++at)
  }
}

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null
const valueAt = (answer: unknown, path: Path): unknown =>
  path.reduce((value, key) => (isHolder(value) ? value[key] : undefined), answer)
const fieldOf = (path: Path) => path.filter((key) => typeof key === 'string').join('.')
const idOf = (row: unknown) => (isHolder(row) && typeof row.id === 'number' ? row.id : null)

import { DICTIONARY_MAX, DictionaryEntry } from '#contract/tag-field.ts'

/** One row of the editor of a dictionary. */
export interface DictionaryRow {
  key: number
  value: string
  label: string
  /** The viewer may not see it; it stays as it is. */
  isMasked: boolean
}

let made = 0
export const newRow = (value = '', label = ''): DictionaryRow => ({ key: ++made, value, label, isMasked: false })

export const rowsOfDictionary = (
  entries: readonly { value: string; label: string; is_masked?: boolean }[],
): DictionaryRow[] =>
  entries.map(({ value, label, is_masked = false }) => ({ ...newRow(value, label), isMasked: is_masked }))

/** The entries to save: a value without a name is shown as it is, so it needs no entry. */
export const entriesOf = (rows: readonly DictionaryRow[]): DictionaryEntry[] =>
  rows
    .filter(({ label, isMasked }) => !isMasked && label.trim() !== '')
    .map(({ value, label }) => ({ value, label: label.trim() }))

/** What is wrong, by the row's key; rows without a name are not wrong. */
export function problemsOfRows(rows: readonly DictionaryRow[]): ReadonlyMap<number, string> {
  const problems = new Map<number, string>()
  const seen = new Set<string>()
  for (const { key, value, label, isMasked } of rows) {
    if (isMasked || label.trim() === '') continue
    const read = DictionaryEntry.safeParse({ value, label })
    const problem = read.success ? null : (read.error.issues[0]?.message ?? null)
    if (problem) problems.set(key, problem)
    else if (seen.has(value)) problems.set(key, '同一个值只能有一个名称')
    seen.add(value)
  }
  return problems
}

const SEPARATOR = /[\t=＝→,，；;：:]|->/

interface Pasted {
  rows: DictionaryRow[]
  /** Numbers of the lines that are no value with its name, from 1. */
  unread: number[]
}

/** Lines of a value and its name, as they are pasted from a table or typed: `0=男`, `0,男`. Empty lines are skipped. */
export function pastedRows(text: string): Pasted {
  const rows: DictionaryRow[] = []
  const unread: number[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const found = SEPARATOR.exec(line)
    const value = found ? line.slice(0, found.index).trim() : ''
    const label = found ? line.slice(found.index + found[0].length).trim() : ''
    if (value === '' || label === '' || rows.length >= DICTIONARY_MAX) unread.push(index + 1)
    else rows.push(newRow(value, label))
  }
  return { rows, unread }
}

const UNREAD_SHOWN = 5

/** Which pasted lines are not taken; null if all are. */
export function unreadText({ rows, unread }: Pasted): string | null {
  if (unread.length === 0) return null
  const why = rows.length < DICTIONARY_MAX ? '没有读出值和名称' : `没有读出值和名称，或超过 ${DICTIONARY_MAX} 个`
  const more = unread.length > UNREAD_SHOWN ? '等' : ''
  return `${unread.length} 行不会加入（${why}）：第 ${unread.slice(0, UNREAD_SHOWN).join('、')} ${more}行`
}

/** The rows with more; a value that stands already gets the new name, and empty rows go. */
export function withRows(rows: readonly DictionaryRow[], more: readonly DictionaryRow[]): DictionaryRow[] {
  const byValue = new Map(more.map((row) => [row.value, row]))
  const kept = rows
    .filter(({ value, label }) => value !== '' || label !== '')
    .map((row) => {
      const label = byValue.get(row.value)?.label
      byValue.delete(row.value)
      return label ? { ...row, label } : row
    })
  return [...kept, ...byValue.values()].slice(0, DICTIONARY_MAX)
}

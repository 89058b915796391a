import { type IdentifierType, identifierLineOf, rawLine } from '#contract/identifier.ts'
import { cellOf, type TextChoice } from '#contract/identifier-column.ts'
import { lineFault } from '#contract/line-fault.ts'
import { MARK_FAULTS, MISSING_CELL_MARK, markedOutcome, WITHHELD_MARK } from '#contract/line-mark.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { hashLines } from '../../lib/hash/hash-lines.ts'
import type { UploadItem } from './items.ts'
import { areAllRaw, hashedTo, type Preparation } from './preparing.ts'

const LINES = 10
/** Characters of a hash that are shown. */
const HASH_SHOWN = 10

export interface PreviewLine {
  /** Counts from 1. */
  line: number
  text: string
  /** The identifier that it becomes, or why it is malformed. */
  becomes: string
  isBad: boolean
}

/** What becomes of the first lines of a file. `item`: what was seen of it, and what the viewer says of its values. */
export function previewLines(
  preparation: Preparation,
  choice: TextChoice,
  lines: readonly string[],
  item: Pick<UploadItem, 'chosen' | 'isUnclear'> = { chosen: {}, isUnclear: false },
): PreviewLine[] {
  const hashed = hashedTo(preparation)
  const allRaw = areAllRaw(preparation.type, item)
  const mustSay = item.isUnclear && !item.chosen.values
  return lines.slice(0, LINES).map((text, at) => {
    const shown = { line: at + 1, text: text.replace(/^\uFEFF/, '') }
    if (at === 0 && choice.has_header) return { ...shown, becomes: '列名，不计入行数', isBad: false }
    const cell = cellOf(text, choice)
    const fault = cell === null ? MARK_FAULTS[MISSING_CELL_MARK] : null
    if (cell === null) return { ...shown, becomes: reason(preparation.type, fault ?? 0), isBad: true }
    if (cell.trim() === '') return { ...shown, becomes: '无效：空行', isBad: true }
    return { ...shown, ...(hashed ? hashedAs(hashed, cell, allRaw, mustSay) : checkedAs(preparation.type, cell)) }
  })
}

const reason = (type: IdentifierType, fault: number) => `无效：${sentenceOf(markedOutcome(type, fault))}`

function hashedAs(type: IdentifierType, cell: string, allRaw: boolean, mustSay: boolean) {
  const read = rawLine(type, cell, allRaw)
  if (read.kind === 'malformed') return { becomes: reason(type, MARK_FAULTS[WITHHELD_MARK]), isBad: true }
  if (read.kind === 'already' && mustSay) return { becomes: '待选择：原始值或密文', isBad: true }
  if (read.kind === 'already') return { becomes: '已是密文，原样发送', isBad: false }
  const bytes = new TextEncoder().encode(`${read.text}\n`)
  let hash = ''
  const choice = { encoding: 'utf-8', separator: null, column: 0, has_header: false } as const
  hashLines(type, choice, bytes, false, (part) => (hash += new TextDecoder().decode(part.subarray(0, HASH_SHOWN))), {
    withLanes: false,
    allRaw,
  })
  return { becomes: `${read.isNormalised ? `${read.text} → ` : ''}${hash}…`, isBad: false }
}

function checkedAs(type: IdentifierType, cell: string) {
  const fault = lineFault(type, cell)
  if (fault) return { becomes: `无效：${sentenceOf(fault)}`, isBad: true }
  return { becomes: identifierLineOf(type, cell) ?? '', isBad: false }
}

import { IDENTIFIERS, type IdentifierType, identifierLineOf, rawLine } from './identifier.ts'
import { COLUMNS_SHOWN, cellsOf, SEPARATORS, type Separator, type TextChoice } from './identifier-column.ts'
import type { TextEncoding } from './text-encoding.ts'

/** Column names that stand in the first line of files of identifiers. */
const NAMED =
  /^(?:(?:.*(?:手机|电话|号码|设备|标识|加密).*)|(?:mobile|phone|tel|telephone|cell|imei|idfa|oaid|mac|qq|md5|sha256|id|uid|value|identifier|device)(?:[ _-]?(?:no|num|number|id|md5|sha256|hash))?|(?:.*(?:phone|mobile|imei|idfa|oaid|_md5|_sha256).*))$/i
const LINES = 200

/** Whether a cell is of use: a value of the type, or with `hashes` one that the browser can turn into it. */
export function isUsable(type: IdentifierType, cell: string, hashes: boolean): boolean {
  const isHashed = hashes && IDENTIFIERS[type].form !== 'plain'
  return isHashed ? rawLine(type, cell).kind !== 'malformed' : identifierLineOf(type, cell) !== null
}

/** The likely way to find the identifiers in a file's first lines. */
export function guessChoice(
  type: IdentifierType,
  lines: readonly string[],
  encoding: TextEncoding,
  hashes: boolean,
): TextChoice {
  const some = lines.slice(0, LINES).filter((line) => line.trim() !== '')
  const separator = separatorOf(some)
  if (separator === null) {
    const has_header = hasHeader(type, some, hashes)
    return { encoding, separator: null, column: 0, has_header }
  }
  const rows = some.map((line) => cellsOf(line, separator).slice(0, COLUMNS_SHOWN))
  const columns = Math.max(...rows.map((row) => row.length))
  const uses = Array.from(
    { length: columns },
    (_, at) => rows.filter((row) => row[at] !== undefined && isUsable(type, row[at], hashes)).length,
  )
  const most = Math.max(...uses)
  const named = rows[0]?.findIndex((cell) => isName(cell)) ?? -1
  const column = most > 0 ? uses.indexOf(most) : Math.max(0, named)
  const cells = rows.map((row) => row[column] ?? '')
  return { encoding, separator, column, has_header: hasHeader(type, cells, hashes) }
}

/** The separator that nearly all lines have, as often in each. */
function separatorOf(lines: readonly string[]): Separator | null {
  for (const separator of Object.keys(SEPARATORS) as Separator[]) {
    const counts = lines.map((line) => cellsOf(line, separator).length)
    const [usual] = [...new Set(counts)].sort(
      (one, other) => counts.filter((n) => n === other).length - counts.filter((n) => n === one).length,
    )
    if (usual !== undefined && usual > 1 && counts.filter((n) => n > 1).length * 5 >= counts.length * 4)
      return separator
  }
  return null
}

const isName = (cell: string) =>
  NAMED.test(
    cell
      .replace(/^\uFEFF/, '')
      .replaceAll('"', '')
      .trim(),
  )

/** The first cell is no value, and either it is a usual name or most of those below it are values. */
function hasHeader(type: IdentifierType, [first = '', ...rest]: readonly string[], hashes: boolean): boolean {
  const name = first
    .replace(/^\uFEFF/, '')
    .replaceAll('"', '')
    .trim()
  if (name === '' || !/\p{L}/u.test(name)) return false
  // An OAID may be any text, so only its usual names count.
  if (isUsable(type, first, hashes)) return IDENTIFIERS[type].subject === 'OAID' && isName(name) && rest.length > 0
  if (isName(name)) return true
  return rest.length > 0 && rest.filter((cell) => isUsable(type, cell, hashes)).length * 2 > rest.length
}

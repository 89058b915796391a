import { quote } from '../../clickhouse/bind.ts'
import { LONG_ROW, type Slice } from '../../files/slice.ts'
import type { HashKey } from './plan.ts'
import { hash128 } from './plan.ts'
import { ID_LENGTH_MAX, REFUSED } from './refusal.ts'

const US = "'\\x1f'"

/** SQL for the cells of a slice's line; `r` is the row within the slice. */
export function sliceSql(
  slice: Slice,
  key: HashKey,
  { isNumbered, sentTo }: { isNumbered: boolean; sentTo: string | null },
) {
  const source = sentTo ?? `file(${quote(slice.path)}, 'LineAsString', 'line String')`
  const trimmed = (cell: string) => (slice.hasBlanks ? `trimBoth(${cell})` : cell)
  // If the row number is the id, it also makes equal rows different.
  const hashOf = (text: string, row: string) =>
    hash128(key, isNumbered ? `concat(toString(${row}), '\\x1f', ${text})` : text)
  if (slice.layout === 'lines') {
    const row = `toUInt64(r + ${slice.firstRow + 1})`
    const text = slice.hasReturns ? String.raw`trim(TRAILING '\r' FROM line)` : 'line'
    return {
      from: `(SELECT _row_number AS r, ${text} AS text, splitByChar(${quote(slice.separator)}, text) AS f FROM ${source})`,
      row,
      cell: (at: number) => trimmed(`f[${at + 1}]`),
      isRagged: `length(f) != ${slice.columns.length}`,
      isLong: '0',
      hash: hashOf('text', row),
    }
  }
  const rest = 'substring(line, length(f[1]) + length(f[2]) + length(f[3]) + 4)'
  // A row is hashed as its unquoted line where possible, so that quotes and slices make no difference.
  const bare = `translate(${rest}, ${US}, ${quote(slice.separator)})`
  return {
    from: `(SELECT line, splitByChar(${US}, line) AS f, toUInt32(toUInt64(f[1]) - ${slice.firstRow + 1}) AS r FROM ${source})`,
    row: 'toUInt64(f[1])',
    cell: (at: number) => trimmed(slice.hasBreaks ? `replaceAll(f[${at + 4}], '\\x1e', '\\n')` : `f[${at + 4}]`),
    isRagged: '0',
    isLong: `f[3] = ${quote(LONG_ROW)}`,
    hash: hashOf(`multiIf(f[3] = 'p', ${bare}, f[3] = 's', ${rest}, f[3])`, 'toUInt64(f[1])'),
  }
}
export type SliceSql = ReturnType<typeof sliceSql>

/** The reasons that users and events share, in the order in which they are checked. */
export const idReasons = ({ isRagged, isLong }: SliceSql): [string, number][] => [
  [isLong, REFUSED.longRow],
  [isRagged, REFUSED.ragged],
  [`one_id = ''`, REFUSED.noId],
  [`length(one_id) > ${ID_LENGTH_MAX}`, REFUSED.longId],
]

export const firstReason = (reasons: readonly (readonly [string, number])[]) =>
  `multiIf(${reasons.map(([condition, reason]) => `${condition}, ${reason}`).join(', ')}, 0)`

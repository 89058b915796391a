/** Lines of a file that follow each other and are counted apart, as those of one sender. */
export interface FilePart {
  /** Greater than 0. */
  part: number
  lines: number
}

/** Each part with its last line. */
const ends = (parts: readonly FilePart[]) => {
  let end = 0
  return parts.map(({ part, lines }) => {
    end += lines
    return { part, end }
  })
}

/** The part that has a line, counted from 1; undefined beyond the last one. */
export const partOf = (parts: readonly FilePart[], line: number): number | undefined =>
  ends(parts).find(({ end }) => line <= end)?.part

/** The same in SQL, where no part is 0. */
export const partSql = (parts: readonly FilePart[], line: string): string =>
  parts.length === 0
    ? 'toUInt32(0)'
    : `multiIf(${ends(parts)
        .map(({ part, end }) => `${line} <= ${end}, toUInt32(${part})`)
        .join(', ')}, toUInt32(0))`

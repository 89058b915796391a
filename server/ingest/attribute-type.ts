import type { Engine } from '../clickhouse/open.ts'

export type AttributeType = 'text' | 'number' | 'date'

/** Digits that begin with a needless zero are a code, not a number. */
const isNumber = (column: string) =>
  `(isFinite(ifNull(toFloat64OrNull(${column}), nan))
    AND NOT (startsWith(${column}, '0') AND length(${column}) > 1 AND NOT startsWith(${column}, '0.')))`
const isDay = (text: string) => `ifNull(toString(toDate32OrNull(${text})) = ${text}, 0)`
const isDate = (column: string) =>
  `if(length(${column}) = 10, ${isDay(column)},
    match(${column}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2})?$') AND ${isDay(`substring(${column}, 1, 10)`)})`

const SAMPLE = 5000

/** Finds what attributes hold while their chunks go by: a type stands until one value speaks against it. */
export function attributeTypes(load: Engine) {
  const open = new Map<string, Set<'number' | 'date'>>()
  const hasValues = new Set<string>()

  async function look(columns: string[], from: string) {
    const asked = columns.filter((column) => (open.get(column)?.size ?? 0) > 0)
    if (asked.length === 0) return
    const counts = asked.flatMap((column) => [
      `countIf(${column} != '') AS v_${column}`,
      ...(open.get(column)?.has('number')
        ? [`countIf(${column} != '' AND NOT ${isNumber(column)}) AS n_${column}`]
        : []),
      ...(open.get(column)?.has('date') ? [`countIf(${column} != '' AND NOT ${isDate(column)}) AS d_${column}`] : []),
    ])
    const [row] = await load.query<Record<string, number>>(`SELECT ${counts.join(', ')} FROM ${from}`)
    for (const column of asked) {
      if (row?.[`v_${column}`]) hasValues.add(column)
      if (row?.[`n_${column}`]) open.get(column)?.delete('number')
      if (row?.[`d_${column}`]) open.get(column)?.delete('date')
    }
  }

  return {
    async watch(columns: string[], chunk: string) {
      for (const column of columns) if (!open.has(column)) open.set(column, new Set(['number', 'date']))
      await look(columns, `(SELECT * FROM ${chunk} WHERE reason = 0 LIMIT ${SAMPLE})`)
      await look(columns, `(SELECT * FROM ${chunk} WHERE reason = 0)`)
    },
    /** null when no value was seen. */
    typeOf(column: string): AttributeType | null {
      if (!hasValues.has(column)) return null
      const left = open.get(column)
      return left?.has('number') ? 'number' : left?.has('date') ? 'date' : 'text'
    },
  }
}

import { quote } from './bind.ts'

/** NULL when the text is no number. */
export const numberSql = (text: string) => `toFloat64OrNull(${text})`

/** NULL when the text is no time; the engine would read a short number as a day of this month. */
export const timeSql = (text: string, zone: string) =>
  `if(length(${text}) >= 8, parseDateTime64BestEffortOrNull(${text}, 3, ${quote(zone)}), NULL)`

/** 0 or 1: whether a condition can read the text as a value of the type. */
export function readsAsSql(type: 'text' | 'number' | 'date', text: string, zone: string): string {
  if (type === 'text') return '1'
  return type === 'number' ? `isFinite(ifNull(${numberSql(text)}, nan))` : `isNotNull(${timeSql(text, zone)})`
}

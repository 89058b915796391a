/** A metric's value in a row; null where it is not known, or where the viewer may not see it. */
export function metricIn(row: object, key: string): number | null {
  const value = (row as Record<string, unknown>)[key]
  return typeof value === 'number' ? value : null
}

/** Codes in the order in which they are offered, whatever the order in which they were chosen; unknown ones follow. */
export function inOfferedOrder(labels: Readonly<Record<string, string>>, codes: readonly string[]): string[] {
  const places = new Map(Object.keys(labels).map((code, place) => [code, place]))
  return codes.toSorted((a, b) => (places.get(a) ?? places.size) - (places.get(b) ?? places.size))
}

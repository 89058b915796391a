/** The parameters of a URL with these values; null removes one. */
export function withParams(
  params: URLSearchParams,
  values: Readonly<Record<string, number | string | null>>,
): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(values)) {
    if (value === null) next.delete(name)
    else next.set(name, String(value))
  }
  return next
}

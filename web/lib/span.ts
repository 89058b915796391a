/** A range of seconds as the URL and the calls write it. */

export function readSpan(text: string): [number, number] | null {
  const [from, to] = text.split(',').filter(Boolean).map(Number)
  return from !== undefined && to !== undefined && Number.isInteger(from) && Number.isInteger(to) && from <= to
    ? [from, to]
    : null
}

export const writeSpan = (span: readonly [number, number] | null): string => span?.join(',') ?? ''

import { z } from 'zod'

declare global {
  // The compiler's library does not know this yet.
  interface JSON {
    /** `source`: the number as it was written. */
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
    rawJSON(text: string): object
  }
}

// Platforms write 64-bit ids as JSON numbers, which a double would change. In our code they are text.

/** A double gives back a decimal of so many digits as it was written. */
const DIGITS_KEPT = 15
const isLossy = (source: string) =>
  (/^-?[\d.]+/.exec(source)?.[0].replace(/^-?0*\.?0*|\./g, '').length ?? 0) > DIGITS_KEPT

/** Parses JSON; numbers that a double cannot hold become text. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, { source }) => {
    if (typeof value !== 'number' || !source) return value
    return (Number.isInteger(value) ? !Number.isSafeInteger(value) : isLossy(source)) ? source : value
  })
}

/** A platform's id for a body or a JSON query; `JSON.stringify` writes it as a number with all digits. */
export function idNumber(id: string): object {
  if (!/^(0|[1-9]\d{0,19})$/.test(id)) throw new Error(`not a platform's id: ${id}`)
  return JSON.rawJSON(id)
}

/** An id in an answer, written as a number or as text. */
export const WireId = z.union([z.string().min(1), z.number().int()]).transform(String)

/** A count in an answer; some come as text. */
export const WireCount = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)])

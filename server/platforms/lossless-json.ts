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

/** Parses JSON; whole numbers that a double cannot hold become text. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, { source }) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) && source ? source : value,
  )
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

import { z } from 'zod'

// Platforms write 64-bit ids as JSON numbers; a double would change them. Inside they are text.

/** JSON with every whole number that a double cannot hold as text; other numbers stay numbers. */
export function parseJson(text: string): unknown {
  const revive = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source
      ? context.source
      : value
  // The third argument is newer than the compiler's list of what a reviver is given.
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown)
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** A platform's id for a body or a JSON query: `JSON.stringify` writes it as the number that it is, to the last digit. */
export function idNumber(id: string): unknown {
  if (!/^(0|[1-9]\d{0,19})$/.test(id)) throw new Error(`not a platform's id: ${id}`)
  return rawJSON(id)
}

/** An id in an answer, written as a number or as text. */
export const WireId = z.union([z.string().min(1), z.number().int()]).transform(String)

/** A count in an answer; some come as text. */
export const WireCount = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)])

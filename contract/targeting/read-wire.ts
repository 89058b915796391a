import { z } from 'zod'
import { type Outcome, outcome } from '../outcome.ts'
import { unstorable } from '../storable.ts'

/** What a caller sent, read by a schema; or why it cannot be. */
type Read<T> = { value: T; refusal: null } | { value: null; refusal: Outcome }

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads a targeting that is an object or its JSON text; a refusal names the field. */
export function readWire<T>(schema: z.ZodType<T>, given: unknown): Read<T> {
  const value = typeof given === 'string' ? jsonOf(given) : given
  if (value === undefined) return { value: null, refusal: outcome('targeting_not_json') }
  // A text is checked like the body that it came in.
  const unkept = typeof given === 'string' ? unstorable({ targeting: value }) : null
  if (unkept) return { value: null, refusal: unkept }
  // The key is in the sentences.
  const read = z.object({ targeting: schema }).safeParse({ targeting: value })
  if (read.success) return { value: read.data.targeting as T, refusal: null }
  const text = read.error.issues[0]?.message ?? ''
  return { value: null, refusal: outcome('input_refused', { text }) }
}

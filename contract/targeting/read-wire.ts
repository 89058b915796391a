import { z } from 'zod'
import { type Outcome, outcome } from '../outcome.ts'
import { unstorable } from '../storable.ts'

/** What a caller sent, read by a schema; or why it cannot be, with the field if it is one's fault. */
type Read<T> = { value: T; refusal: null } | { value: null; refusal: Outcome; field: string | null }

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where in the editor a refused targeting is wrong. */
export interface FaultPlace {
  tab: string
  field: string
}

/** The place of a field; null for one that stands in no tab. */
export const placeOf = (fields: Readonly<Record<string, { tab: string }>>, field: string | null): FaultPlace | null => {
  const found = field !== null && Object.hasOwn(fields, field) ? fields[field] : undefined
  return found && field !== null ? { tab: found.tab, field } : null
}

/** Reads a targeting that is an object or its JSON text; a refusal names the field. */
export function readWire<T>(schema: z.ZodType<T>, given: unknown): Read<T> {
  const value = typeof given === 'string' ? jsonOf(given) : given
  if (value === undefined) return { value: null, refusal: outcome('targeting_not_json'), field: null }
  // A text is checked like the body that it came in.
  const unkept = typeof given === 'string' ? unstorable({ targeting: value }) : null
  if (unkept) return { value: null, refusal: unkept, field: null }
  // The key is in the sentences.
  const read = z.object({ targeting: schema }).safeParse({ targeting: value })
  if (read.success) return { value: read.data.targeting as T, refusal: null }
  const [issue] = read.error.issues
  const field = issue?.path[1]
  return {
    value: null,
    refusal: outcome('input_refused', { text: issue?.message ?? '' }),
    field: typeof field === 'string' ? field : null,
  }
}

import type { Outcome } from '../../outcome.ts'
import { type FaultPlace, placeOf, readWire } from '../read-wire.ts'
import { firstFault, formFaults } from './faults.ts'
import { FIELDS } from './fields.ts'
import { formOf } from './form.ts'
import { savedTargeting } from './save.ts'
import { SocialTargeting } from './schema.ts'

/** A targeting that may be saved, or the first thing that is wrong with it, and where. */
type Read = { targeting: SocialTargeting; refusal: null } | { targeting: null; refusal: Outcome; at: FaultPlace | null }
const refused = (refusal: Outcome, field: string | null): Read => ({
  targeting: null,
  refusal,
  at: placeOf(FIELDS, field),
})

/**
 * Reads a targeting as a caller sent it, an object or its JSON text: checks every dimension and tab, and leaves out what
 * does not apply, as the editor does on saving. A refusal names the field, or the first dimension that is incomplete.
 */
export function readTargeting(given: unknown): Read {
  const read = readWire(SocialTargeting, given)
  if (read.refusal) return refused(read.refusal, read.field)
  const form = formOf(read.value)
  const faults = formFaults(form)
  const first = faults.find(({ tab }) => tab === firstFault(faults)?.tab)
  return first ? refused(first.reason, first.field) : { targeting: savedTargeting(form), refusal: null }
}

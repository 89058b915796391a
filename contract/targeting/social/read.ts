import type { Outcome } from '../../outcome.ts'
import { readWire } from '../read-wire.ts'
import { firstFault, formFaults } from './faults.ts'
import { formOf } from './form.ts'
import { savedTargeting } from './save.ts'
import { SocialTargeting } from './schema.ts'

/** A targeting that may be saved, or the first thing that is wrong with it. */
type Read = { targeting: SocialTargeting; refusal: null } | { targeting: null; refusal: Outcome }

/**
 * Reads a targeting as a caller sent it, an object or its JSON text: checks every dimension and tab, and leaves out what
 * does not apply, as the editor does on saving. A refusal names the field, or the first dimension that is incomplete.
 */
export function readTargeting(given: unknown): Read {
  const { value, refusal } = readWire(SocialTargeting, given)
  if (refusal) return { targeting: null, refusal }
  const form = formOf(value)
  const faults = formFaults(form)
  const first = faults.find(({ tab }) => tab === firstFault(faults)?.tab)
  return first ? { targeting: null, refusal: first.reason } : { targeting: savedTargeting(form), refusal: null }
}

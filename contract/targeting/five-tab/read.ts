import type { Outcome } from '../../outcome.ts'
import { type FaultPlace, placeOf, readWire } from '../read-wire.ts'
import { baseFaults, firstFault, formFaults } from './faults.ts'
import { FIELDS } from './fields.ts'
import { formOf } from './form.ts'
import type { FiveTabPlatform } from './platforms.ts'
import { savedTargeting } from './save.ts'
import { FIVE_TAB_TARGETING, type FiveTabTargeting } from './schema.ts'

/** A targeting that may be saved, or the first thing that is wrong with it, and where. */
type Read =
  | { targeting: FiveTabTargeting; refusal: null }
  | { targeting: null; refusal: Outcome; at: FaultPlace | null }
const refused = (refusal: Outcome, field: string | null): Read => ({
  targeting: null,
  refusal,
  at: placeOf(FIELDS, field),
})

/**
 * Reads a targeting as a caller sent it, an object or its JSON text: checks every field and tab, and leaves out what does
 * not apply, as the editor does on saving. A refusal names the field, or the first tab that is incomplete.
 */
export function readTargeting(platform: FiveTabPlatform, given: unknown): Read {
  const read = readWire(FIVE_TAB_TARGETING[platform], given)
  if (read.refusal) return refused(read.refusal, read.field)
  const form = formOf(platform, read.value)
  const wrongType = baseFaults(platform, { targeting_name: '-', dir_id: 1, landing_type: form.landing_type })[0]
  if (wrongType) return refused(wrongType.reason, null)
  const faults = formFaults(platform, form)
  const first = faults.find(({ tab }) => tab === firstFault(faults)?.tab)
  return first ? refused(first.reason, first.field) : { targeting: savedTargeting(platform, form), refusal: null }
}

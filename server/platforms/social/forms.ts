import type { IdentifierType } from '#contract/identifier.ts'
import { IDENTIFIERS } from '#contract/identifier.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { PLATFORMS } from '#contract/platform.ts'
import type { SendForm } from '../audience-platform.ts'

/** Accepted only by the older generation of the API. */
const WITHDRAWN: ReadonlySet<IdentifierType> = new Set(PLATFORMS.social.audiences.withdrawn)

/** The platform's names of the forms equal the console's, and values are sent as they are stored. */
export function socialForm(
  type: IdentifierType,
): { form: SendForm; reason: null } | { form: null; reason: AnyOutcome } {
  if (WITHDRAWN.has(type)) {
    const names = { platform: PLATFORMS.social.name, type: IDENTIFIERS[type].label }
    return { form: null, reason: outcome('platform_withdrew_type', names) }
  }
  return { form: { wire: type, transform: 'none' }, reason: null }
}

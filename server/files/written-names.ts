import { outcome } from '#contract/outcome.ts'
import { AppError } from '../errors.ts'
import { phonesFor } from './mask-phones.ts'

interface Writer {
  see_phones: boolean
}

/** The text to store where a form sent `wanted`: what it was shown masked, and left as it was, stays what it is. */
export const keptText = (viewer: Writer, wanted: string | undefined, stored: string): string =>
  wanted === undefined || wanted === phonesFor(viewer)(stored) ? stored : wanted

/**
 * Refuses a name with a phone from a viewer who may not see phones. That another thing has the same name, or that a
 * value has it, would confirm a guessed phone.
 */
export function mustNameNoPhone(viewer: Writer, name: string): void {
  if (phonesFor(viewer)(name) !== name) throw new AppError('phonesHidden', { reason: outcome('phone_in_name') })
}

/** `keptText` for a name that must be free. */
export function keptName(viewer: Writer, wanted: string | undefined, stored: string): string {
  const name = keptText(viewer, wanted, stored)
  if (name !== stored) mustNameNoPhone(viewer, name)
  return name
}

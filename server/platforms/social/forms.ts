import type { IdentifierType } from '#contract/identifier.ts'
import { IDENTIFIERS } from '#contract/identifier.ts'
import type { SendForm } from '../audience-platform.ts'

/** Taken by the older generation of the API only. */
const WITHDRAWN = new Set<IdentifierType>(['MAC', 'HASH_MAC', 'QQ', 'HASH_QQ'])

/** The platform names its forms as the console does, and takes each as it is stored. */
export function socialForm(type: IdentifierType): { form: SendForm; reason: null } | { form: null; reason: string } {
  if (WITHDRAWN.has(type)) return { form: null, reason: `腾讯广告现行版本不再接收 ${IDENTIFIERS[type].label}` }
  return { form: { wire: type, transform: 'none' }, reason: null }
}

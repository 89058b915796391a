import type { IdentifierType } from '#contract/identifier.ts'
import { IDENTIFIERS } from '#contract/identifier.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { PLATFORMS } from '#contract/platform.ts'
import type { SendForm } from '../audience-platform.ts'

/** Numbers of the platform's `dataType`. Plain device ids (0, 1, 7) are no longer parsed, so their MD5 is sent. */
const DATA_TYPES = { IMEI_MD5: '4', IDFA_MD5: '5', MOBILE_HASH_SHA256: '6', OAID_MD5: '8' } as const

type Taken = (typeof PLATFORMS.video.audiences.identifiers)[number]

const FORMS: Record<Taken, SendForm> = {
  IMEI: { wire: DATA_TYPES.IMEI_MD5, transform: 'md5_lower' },
  HASH_IMEI: { wire: DATA_TYPES.IMEI_MD5, transform: 'none' },
  // An IDFA is hashed as written, an IMEI and an OAID in lower case.
  IDFA: { wire: DATA_TYPES.IDFA_MD5, transform: 'md5' },
  HASH_IDFA: { wire: DATA_TYPES.IDFA_MD5, transform: 'none' },
  OAID: { wire: DATA_TYPES.OAID_MD5, transform: 'md5_lower' },
  HASH_OAID: { wire: DATA_TYPES.OAID_MD5, transform: 'none' },
  SHA256_MOBILE_PHONE: { wire: DATA_TYPES.MOBILE_HASH_SHA256, transform: 'none' },
}

const isTaken = (type: IdentifierType): type is Taken => Object.hasOwn(FORMS, type)

/** Why the others cannot be sent: one hash cannot be converted into another. */
export function videoForm(type: IdentifierType): { form: SendForm; reason: null } | { form: null; reason: AnyOutcome } {
  if (isTaken(type)) return { form: FORMS[type], reason: null }
  const { subject, label } = IDENTIFIERS[type]
  const platform = PLATFORMS.video.name
  const onlyHash = (subject: string, hash: string) => ({
    form: null,
    reason: outcome('platform_takes_only_hash', { platform, subject, hash }),
  })
  if (subject === 'MOBILE_PHONE') return onlyHash('手机号', 'SHA256')
  if (subject === 'MAC' || subject === 'QQ') {
    return { form: null, reason: outcome('platform_refuses_type', { platform, type: label }) }
  }
  return onlyHash(subject, 'MD5')
}

import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { isPlain } from '../../identifiers/forms-sql.ts'
import type { AudiencePlatform } from '../../platforms/audience-platform.ts'

/** Bytes of the longest value of a type, with the line break. */
const BYTES: Record<string, number> = { IDFA: 37, IMEI: 16, OAID: 65, MAC: 18, QQ: 13 }
const bytesOf = (type: IdentifierType) =>
  (isPlain(type) ? BYTES[type] : IDENTIFIERS[type].form === 'md5' ? 33 : 65) ?? 65

/** The most values of a part. */
export const partSize = ({ limits }: AudiencePlatform, type: IdentifierType) =>
  Math.max(1, Math.min(limits.partValues, Math.floor(limits.partBytes / bytesOf(type))))

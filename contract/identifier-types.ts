/** The names of the identifier types on the wire, in their order; what they mean is in `identifier.ts`. */
export const IDENTIFIER_TYPES = [
  ...(['IDFA', 'HASH_IDFA', 'MD5_SHA256_IDFA', 'IMEI', 'HASH_IMEI', 'MD5_SHA256_IMEI'] as const),
  ...(['OAID', 'HASH_OAID', 'MD5_SHA256_OAID', 'MAC', 'HASH_MAC'] as const),
  ...(['HASH_MOBILE_PHONE', 'SHA256_MOBILE_PHONE', 'QQ', 'HASH_QQ'] as const),
] as const

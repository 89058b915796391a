/** The format of each kind's lines; `md5` ignores case. */
interface Kind {
  format: RegExp
  isCaseless?: true
  /** Only in the older generation. */
  isOld?: true
  needsApp?: true
}

const MD5: Kind = { format: /^[0-9A-Fa-f]{32}$/, isCaseless: true }
const SHA256: Kind = { format: /^[0-9a-f]{64}$/ }
const OPEN_ID: Kind = { format: /^[0-9A-Za-z_-]{6,128}$/, needsApp: true }

export const ID_TYPES: Record<string, Kind> = {
  IDFA: { format: /^[0-9A-Z]{8}(-[0-9A-Z]{4}){3}-[0-9A-Z]{12}$/ },
  HASH_IDFA: MD5,
  MD5_SHA256_IDFA: SHA256,
  IMEI: { format: /^(\d{14,15}|[0-9a-z]{14,15})$/ },
  HASH_IMEI: MD5,
  MD5_SHA256_IMEI: SHA256,
  OAID: { format: /^[!-~]{1,64}$/ },
  HASH_OAID: MD5,
  MD5_SHA256_OAID: SHA256,
  HASH_MOBILE_PHONE: MD5,
  SHA256_MOBILE_PHONE: SHA256,
  WX_OPENID: OPEN_ID,
  WX_UNIONID: OPEN_ID,
  WECHAT_OPENID: OPEN_ID,
  SALTED_HASH_IMEI: MD5,
  SALTED_HASH_IDFA: MD5,
  CAID: { format: /^[0-9A-Za-z_]{1,64}$/ },
  MAC: { format: /^[0-9A-F]{12}$/, isOld: true },
  HASH_MAC: { ...MD5, isOld: true },
  QQ: { format: /^[1-9]\d{4,11}$/, isOld: true },
  HASH_QQ: { ...MD5, isOld: true },
  GDT_OPENID: { ...OPEN_ID, isOld: true },
  MOBILE_QQ_OPENID: { ...OPEN_ID, isOld: true },
}

/** The value as it is compared; null if the line does not match its kind. */
export function valueOfLine(type: string, line: string): string | null {
  const kind = ID_TYPES[type]
  if (!kind?.format.test(line)) return null
  return kind.isCaseless ? line.toLowerCase() : line
}

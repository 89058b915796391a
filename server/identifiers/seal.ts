import { createDecipheriv, createHmac } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts the text of a column inside the engine with AES-256-GCM. The nonce is derived from the text and its own key,
 * so a text has only one sealed form: repeated rows stay equal, and two texts share a nonce only on a hash collision.
 */
export const sealSql = (text: string, key: Buffer): string =>
  `if(${text} = '', '', base64Encode(${sealedBytesSql(text, key)}))`

/** The same as raw bytes, for a text that is not empty. */
export function sealedBytesSql(text: string, key: Buffer): string {
  const salt = createHmac('sha256', key).update('nonce').digest('hex')
  const nonce = `substring(SHA256(concat('${salt}', ${text})), 1, ${NONCE_BYTES})`
  return `concat(${nonce}, encrypt('aes-256-gcm', ${text}, unhex('${key.toString('hex')}'), ${nonce}))`
}

/**
 * The text of a column that `sealedBytesSql` wrote. The engine may evaluate rows that it filters out later, so a value
 * that is not sealed text gives '' instead of an error.
 */
export function unsealedSql(bytes: string, key: Buffer): string {
  // It throws for values too short to be sealed text.
  const isShort = `length(${bytes}) < ${NONCE_BYTES + TAG_BYTES}`
  const body = `concat(substring(${bytes}, ${NONCE_BYTES + 1}), if(${isShort}, '${'0'.repeat(TAG_BYTES)}', ''))`
  const nonce = `rightPad(substring(${bytes}, 1, ${NONCE_BYTES}), ${NONCE_BYTES}, '0')`
  return `ifNull(tryDecrypt('aes-256-gcm', ${body}, unhex('${key.toString('hex')}'), ${nonce}), '')`
}

/** Reads what `sealSql` wrote; '' stays ''. */
export function unseal(sealed: string, key: Buffer): string {
  if (sealed === '') return ''
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const body = bytes.subarray(NONCE_BYTES, -TAG_BYTES)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}

/** The purpose from which the key for people's phones and device ids is derived. */
export const PERSON_KEY_PURPOSE = 'person'

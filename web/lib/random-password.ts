/** Without characters that are easily confused. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A random password of about 5.7 bits per character. */
export function randomPassword(length = 16): string {
  // Bytes past the last whole multiple are dropped, so that all characters are equally likely.
  const limit = 256 - (256 % ALPHABET.length)
  let password = ''
  while (password.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < limit && password.length < length) password += ALPHABET[byte % ALPHABET.length]
    }
  }
  return password
}

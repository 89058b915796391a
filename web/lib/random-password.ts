/** Without the characters that are misread for each other. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password nobody chose, of about 5.7 bits to the character. */
export function randomPassword(length = 16): string {
  // Bytes past the last whole multiple are thrown away, so that no character is likelier than another.
  const limit = 256 - (256 % ALPHABET.length)
  let password = ''
  while (password.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < limit && password.length < length) password += ALPHABET[byte % ALPHABET.length]
    }
  }
  return password
}

/** The part of a crowd that is held out, in percent of its people. */
export const SHARE_MIN = 1
export const SHARE_MAX = 50

/**
 * Whether somebody is in the control group. It depends on nothing but the group's seed, the key and the share, so that a
 * crowd that is computed again, a push that is repeated and a report all find the same people.
 *
 * The rule: the text `seed:key` in UTF-8 is hashed with MurmurHash3 (x86, 32 bits, seed 0), and the hash modulo 100 is
 * less than the share in percent. The key of a person is the oneID; that of an uploaded identifier of nobody we know is
 * the identifier itself. The warehouse applies the same rule (`murmurHash3_32`), and a test compares the two.
 */
export const isHeldOut = ({ seed, share }: { seed: string; share: number }, key: string): boolean =>
  murmurHash3(`${seed}:${key}`) % 100 < share

function bytesOf(text: string): number[] {
  const bytes: number[] = []
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x80) bytes.push(code)
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63))
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
  }
  return bytes
}

/**
 * MurmurHash3_x86_32 with seed 0, of a text in UTF-8.
 *
 * https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp
 */
export function murmurHash3(text: string): number {
  const bytes = bytesOf(text)
  const at = (place: number) => bytes[place] ?? 0
  const whole = bytes.length - (bytes.length % 4)
  let hash = 0
  for (let place = 0; place < whole; place += 4) {
    hash ^= mixed(at(place) | (at(place + 1) << 8) | (at(place + 2) << 16) | (at(place + 3) << 24))
    hash = (Math.imul(rotated(hash, 13), 5) + 0xe6546b64) | 0
  }
  // The bytes after the last whole word; those that are missing are zero, and a word of zeros changes nothing.
  hash ^= mixed(at(whole) | (at(whole + 1) << 8) | (at(whole + 2) << 16))
  hash ^= bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const rotated = (word: number, by: number) => (word << by) | (word >>> (32 - by))
const mixed = (word: number) => Math.imul(rotated(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593)

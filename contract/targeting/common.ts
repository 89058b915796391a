import { z } from 'zod'

/** The most tags of one picker. The console's own limit: no platform publishes one. */
export const TAGS_MAX = 350
/** The most places on the map, and the decimals of their GCJ-02 coordinates. */
export const PLACES_MAX = 1000
const COORDINATE_DECIMALS = 6
/** The most regions of a package: China has 3,230 provinces, cities and districts. */
export const REGIONS_MAX = 3500
/** The most region plans of a package. */
export const CHOSEN_PLANS_MAX = 50
/** Whole targeting as JSON, in bytes of UTF-8. */
export const TARGETING_BYTES_MAX = 256 * 1024

const INT64_MAX = 2n ** 63n - 1n
const ID_FORM = /^(?:0|[1-9][0-9]{0,18})$/
const IdText = z.string().refine((id) => ID_FORM.test(id) && BigInt(id) <= INT64_MAX)

/** An id that a platform gives: 64 bits as text. A number is read too, as long as it is exact. */
export const PlatformId = z
  .union([IdText, z.int().nonnegative().transform(String).pipe(IdText)])
  .describe('平台给的编号，64 位整数写成文字')

/** Whether a coordinate in degrees has at most 6 decimals. */
export const hasFewDecimals = (degrees: number): boolean => Number(degrees.toFixed(COORDINATE_DECIMALS)) === degrees

/** Bytes of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) as number
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}

/** JSON in which whole numbers keep all digits: those that a double cannot hold are bigints. */

declare global {
  // The compiler's library does not know this yet.
  interface JSON {
    /** `source`: the number as it was written. */
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
    rawJSON(text: string): object
  }
}

/** A number on the wire; a bigint if a double would round it. */
export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json }

/** Throws a SyntaxError if the text is not JSON. */
export function parseJson(text: string): Json {
  return JSON.parse(text, (_, value: unknown, { source = '' }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
    return /^-?\d+$/.test(source) ? BigInt(source) : value
  }) as Json
}

/** Writes a bigint as a number. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? JSON.rawJSON(String(one)) : one))
}

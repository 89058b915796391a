/** JSON in which whole numbers keep all their digits: parsed as bigint beyond what a double holds, written as they are. */

declare global {
  // Newer than the compiler's list.
  interface JSON {
    /** `source`: a number, as it was written. */
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
    rawJSON(text: string): object
  }
}

/** A number of the wire: an ordinary one, or a bigint where a double would round it. */
export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json }

/** Throws a SyntaxError on what is no JSON. */
export function parseJson(text: string): Json {
  return JSON.parse(text, (_, value: unknown, { source = '' }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
    return /^-?\d+$/.test(source) ? BigInt(source) : value
  }) as Json
}

/** Writes a bigint as the number that it is. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? JSON.rawJSON(String(one)) : one))
}

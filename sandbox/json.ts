/** JSON in which whole numbers keep all their digits: parsed as bigint beyond what a double holds, written as they are. */

type Source = { source: string }
type RawJson = { rawJSON(text: string): unknown }

/** A number of the wire: an ordinary one, or a bigint where a double would round it. */
export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json }

export function parseJson(text: string): Json {
  const revive = (_: string, value: unknown, context?: Source) => {
    if (typeof value !== 'number' || !context || Number.isSafeInteger(value)) return value
    return /^-?\d+$/.test(context.source) ? BigInt(context.source) : value
  }
  return JSON.parse(text, revive as (name: string, value: unknown) => unknown)
}

export function writeJson(value: unknown): string {
  const raw = JSON as unknown as RawJson
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? raw.rawJSON(String(one)) : one))
}

/** An id that is kept as text, as the number it is on the wire. */
export const wireId = (id: string): bigint => BigInt(id)

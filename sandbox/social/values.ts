import type { Json } from '../json.ts'
import { FORBIDDEN } from './arguments.ts'
import { Refusal } from './envelope.ts'

/** Readers of what stands inside an argument. A refusal names the place: `targeting.age[0].min`. */

export type JsonObject = { [name: string]: Json }

/** An object with only known names; those with null count as missing. */
export function objectAt(value: Json, path: string, known: readonly string[]): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal(18002, [path])
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Refusal(31002, [`${path}.${unknown}`], 'unknown field')
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null))
}

export function listAt(value: Json, path: string, { least = 1, most }: { least?: number; most: number }): Json[] {
  if (!Array.isArray(value)) throw new Refusal(18002, [path])
  if (value.length < least) throw new Refusal(18012, [path])
  if (value.length > most) throw new Refusal(18003, [path])
  return value
}

/** A list read value by value, without two equal ones. */
export function eachAt<T>(
  value: Json,
  path: string,
  bounds: { least?: number; most: number },
  read: (one: Json, path: string) => T,
): T[] {
  const all = listAt(value, path, bounds).map((one, no) => read(one, `${path}[${no}]`))
  if (new Set(all).size < all.length) throw new Refusal(31002, [path], 'duplicate')
  return all
}

export function codeAt<T extends string>(value: Json, path: string, allowed: readonly T[]): T {
  if (typeof value !== 'string') throw new Refusal(18002, [path])
  const found = allowed.find((one) => one === value)
  if (found === undefined) throw new Refusal(18009, [path], value)
  return found
}

export const codesAt = <T extends string>(value: Json, path: string, allowed: readonly T[], most = allowed.length) =>
  eachAt(value, path, { most }, (one, at) => codeAt(one, at, allowed))

/** An id, as text. */
export function idAt(value: Json, path: string): string {
  if (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isInteger(value))) {
    throw new Refusal(18002, [path])
  }
  if (value <= 0) throw new Refusal(18004, [path])
  return String(value)
}

export function wholeAt(value: Json, path: string, least: number, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new Refusal(18002, [path])
  return bounded(value, path, least, most)
}

export function decimalAt(value: Json, path: string, least: number, most: number, decimals: number): number {
  if (typeof value !== 'number') throw new Refusal(18002, [path])
  if (Number(value.toFixed(decimals)) !== value) throw new Refusal(18014, [path])
  return bounded(value, path, least, most)
}

function bounded(value: number, path: string, least: number, most: number): number {
  if (value < least) throw new Refusal(18004, [path])
  if (value > most) throw new Refusal(18003, [path])
  return value
}

/** Text of so many bytes. */
export function textAt(value: Json, path: string, least: number, most: number): string {
  if (typeof value !== 'string') throw new Refusal(18002, [path])
  const bytes = Buffer.byteLength(value)
  if (bytes < least) throw new Refusal(18004, [path])
  if (bytes > most) throw new Refusal(18003, [path])
  if (FORBIDDEN.test(value)) throw new Refusal(31002, [path])
  return value
}
export const booleanAt = (value: Json, path: string): boolean => {
  if (typeof value !== 'boolean') throw new Refusal(18002, [path])
  return value
}

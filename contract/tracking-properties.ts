import type { Outcome } from './outcome.ts'
import { outcome } from './outcomes/make.ts'

/** The bounds of what a message stores: each value of an object carries the names of all objects around it. */
export const FLATTENED_BYTES_MAX = 64 * 1024
export const PROPERTIES_MAX = 1000
const NAME_MAX = 200

/** The properties of one message, by dotted names, within their bounds. The first value of a name stays. */
export function propertyCollector() {
  const properties: Record<string, string> = {}
  let bytes = 0
  let count = 0

  /** Returns why it cannot be kept, if so. */
  function add(name: string, text: string): Outcome | null {
    if (name.length > NAME_MAX) return outcome('track_name_too_long', { max: NAME_MAX })
    if (Object.hasOwn(properties, name)) return null
    bytes += jsonBytesOf(name) + jsonBytesOf(text)
    count++
    if (count > PROPERTIES_MAX) return outcome('track_too_many_properties', { max: PROPERTIES_MAX })
    if (bytes > FLATTENED_BYTES_MAX) return outcome('track_flattened_too_long', { kb: FLATTENED_BYTES_MAX / 1024 })
    // A plain assignment would change the prototype for one name.
    Object.defineProperty(properties, name, { value: text, enumerable: true, writable: true, configurable: true })
    return null
  }

  /** Adds values by dotted names; lists stay one value. */
  function addAll(values: Record<string, unknown>, prefix = ''): Outcome | null {
    for (const [key, value] of Object.entries(values)) {
      const name = prefix === '' ? key.trim() : `${prefix}.${key.trim()}`
      const unfit = isObject(value) ? addAll(value, name) : addValue(name, value)
      if (unfit) return unfit
    }
    return null
  }

  function addValue(name: string, value: unknown): Outcome | null {
    // JSON's reader makes this of a number that is too large.
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
      return outcome('track_number_too_large')
    const text = Array.isArray(value) ? JSON.stringify(value) : textOf(value)
    return text === '' || name === '' ? null : add(name, text)
  }

  return { properties, add, addAll }
}

/** The bytes that a message takes on its way to the store and there. */
export function storedBytes({ properties, ...fields }: { properties: Readonly<Record<string, string>> }): number {
  let bytes = 0
  for (const value of Object.values(fields)) bytes += typeof value === 'string' ? jsonBytesOf(value) : NUMBER_BYTES
  for (const [name, text] of Object.entries(properties)) bytes += jsonBytesOf(name) + jsonBytesOf(text)
  return bytes
}

const NUMBER_BYTES = 8

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Text, numbers and yes or no as text; anything else is empty. */
export const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value.trim()
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : ''

/** The bytes of a text as UTF-8. */
export function bytesOf(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f) bytes += beyondAscii(unit)
  }
  return bytes
}

/** The bytes of a text within JSON. */
function jsonBytesOf(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f) bytes += beyondAscii(unit)
    else if (unit < 0x20) bytes += CONTROL_ESCAPED
    else if (unit === QUOTE || unit === BACKSLASH) bytes++
  }
  return bytes
}

/** The bytes of a UTF-16 unit after its first; half of a surrogate pair takes two of the pair's four. */
const beyondAscii = (unit: number) => (unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2)
/** Five more characters, as \u0001 has. */
const CONTROL_ESCAPED = 5
const QUOTE = 0x22
const BACKSLASH = 0x5c

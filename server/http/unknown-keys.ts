import type { z } from 'zod'
import { safeParse } from 'zod/v4/core'

type Schema = z.core.$ZodType
type Path = readonly string[]
/** The definitions that hold other schemas; all others hold none. */
type Def = z.core.$ZodTypes['_zod']['def']

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The keys of a body that no object of its schema names, with their paths: `files.0.sise`. The body must fit the schema,
 * which ignores such keys. What a schema leaves open, such as a record's values, has no unknown keys.
 */
export function unknownKeys(schema: Schema, body: unknown, at: Path = []): string[] {
  const def = schema._zod.def as Def
  switch (def.type) {
    case 'object': {
      if (!isRecord(body)) return []
      return Object.entries(body).flatMap(([key, value]) => {
        const known = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined
        if (known) return unknownKeys(known, value, [...at, key])
        return def.catchall ? [] : [[...at, key].join('.')]
      })
    }
    case 'array':
      return Array.isArray(body) ? body.flatMap((one, i) => unknownKeys(def.element, one, [...at, String(i)])) : []
    case 'tuple':
      return Array.isArray(body)
        ? body.flatMap((one, i) => (def.items[i] ? unknownKeys(def.items[i], one, [...at, String(i)]) : []))
        : []
    case 'record':
      return isRecord(body)
        ? Object.entries(body).flatMap(([key, value]) => unknownKeys(def.valueType, value, [...at, key]))
        : []
    case 'union': {
      // Of several choices that fit, the one that knows most of the keys is meant.
      const found = def.options.filter((one) => safeParse(one, body).success).map((one) => unknownKeys(one, body, at))
      return found.toSorted((one, other) => one.length - other.length)[0] ?? []
    }
    case 'pipe':
      return unknownKeys(def.in._zod.def.type === 'transform' ? def.out : def.in, body, at)
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return unknownKeys(def.innerType, body, at)
    default:
      return []
  }
}

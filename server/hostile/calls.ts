import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { urlOf } from '#contract/endpoint.ts'

/** A JSON schema as far as samples are made from it. */
interface Shape {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  default?: unknown
  minimum?: number
  minItems?: number
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  prefixItems?: Shape[]
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  $ref?: string
}

interface HostileCall {
  method: Endpoint['method']
  url: string
  /** The body's JSON; none if undefined. */
  body: string | undefined
  /** What is odd about it. */
  what: string
  /** The body has a key that no changing call knows. */
  mustBeRefused?: boolean
}

const UNKNOWN_KEY = 'unknown_key'
const DEEP = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
/** Odd values as JSON, since not all of them are values of JavaScript. */
export const ODD_VALUES: Record<string, string> = {
  'half a surrogate pair': '"a\\ud800"',
  'a NUL': '"a\\u0000b"',
  'a long text': JSON.stringify('长'.repeat(20_000)),
  'an empty text': '""',
  'a formula': '"=1+1"',
  null: 'null',
  true: 'true',
  minus: '-1',
  'a fraction': '1.5',
  '2^31': '2147483648',
  '2^53 - 1': '9007199254740991',
  '1e308': '1e308',
  'a list': '[1]',
  'an object': '{"__proto__":{"a":1}}',
  '10,000 levels': DEEP,
}
const ODD_TEXTS: Record<string, string> = {
  'a NUL': 'a%00b',
  'broken escapes': '%ED%A0%80',
  'a long text': 'x'.repeat(250),
  minus: '-1',
  'a fraction': '1.5',
  '2^31': '2147483648',
  '2^53 - 1': '9007199254740991',
  Infinity: 'Infinity',
  'a list': '1,2,x',
  'a path': '..%2F..%2Fetc',
}

/** Calls of an endpoint with one odd value each, in an input that otherwise fits its schema. `known`: values by name. */
export function hostileCalls(endpoint: Endpoint, known: Record<string, unknown>): HostileCall[] {
  const params = sampleOf(endpoint.params, known) as Record<string, unknown>
  const query = sampleOf(endpoint.query, known) as Record<string, unknown>
  const body = endpoint.body ? sampleOf(endpoint.body, known) : undefined
  const json = body === undefined ? undefined : JSON.stringify(body)
  const call = (what: string, url: string, text = json): HostileCall => ({
    method: endpoint.method,
    url,
    body: text,
    what,
  })
  const calls = [call('nothing odd', urlOf(endpoint, { params, query }))]
  for (const name of Object.keys(params)) {
    for (const [what, text] of Object.entries(ODD_TEXTS)) {
      const path = endpoint.path.replace(`{${name}}`, text)
      calls.push(call(`${what} as ${name}`, urlOf({ path: path as `/${string}` }, { params, query })))
    }
  }
  const queryNames = new Set([...propertiesOf(endpoint.query), ...(endpoint.query ? [UNKNOWN_KEY] : [])])
  for (const name of queryNames) {
    const { [name]: _, ...rest } = query
    const url = urlOf(endpoint, { params, query: rest })
    for (const [what, text] of Object.entries(ODD_TEXTS))
      calls.push(call(`${what} as ${name}`, `${url}${url.includes('?') ? '&' : '?'}${name}=${text}`))
  }
  if (typeof body !== 'object' || body === null) return calls
  const url = urlOf(endpoint, { params, query })
  for (const name of new Set([...propertiesOf(endpoint.body), UNKNOWN_KEY])) {
    for (const [what, value] of Object.entries(ODD_VALUES)) {
      const { [name]: _, ...rest } = body as Record<string, unknown>
      const others = JSON.stringify(rest).slice(1, -1)
      const odd = call(`${what} as ${name}`, url, `{${others}${others ? ',' : ''}${JSON.stringify(name)}:${value}}`)
      calls.push(name === UNKNOWN_KEY ? { ...odd, mustBeRefused: true } : odd)
    }
  }
  for (const text of ['', '{', '[]', 'null', '"x"', DEEP]) calls.push(call(`the body ${text.slice(0, 5)}`, url, text))
  return calls
}

const jsonSchemaOf = (schema: z.ZodType): Shape & { $defs?: Record<string, Shape> } =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape

const propertiesOf = (schema: z.ZodType | undefined): string[] =>
  schema ? Object.keys(objectOf(jsonSchemaOf(schema)).properties ?? {}) : []

const objectOf = (shape: Shape): Shape => shape.anyOf?.[0] ?? shape.oneOf?.[0] ?? shape.allOf?.[0] ?? shape

/** A small value that fits the schema, with the known values under their names; {} without a schema. */
function sampleOf(schema: z.ZodType | undefined, known: Record<string, unknown>): unknown {
  if (!schema) return {}
  const root = jsonSchemaOf(schema)
  return sample(root, '', 0)

  function sample(shape: Shape, name: string, depth: number): unknown {
    if (name in known) return known[name]
    if (depth > 8) return null
    if (shape.$ref) {
      const at = shape.$ref === '#' ? root : root.$defs?.[shape.$ref.split('/').at(-1) ?? '']
      return at ? sample(at, name, depth + 1) : null
    }
    if ('const' in shape) return shape.const
    if (shape.enum) return shape.enum[0]
    if (shape.default !== undefined) return shape.default
    const [first] = shape.anyOf ?? shape.oneOf ?? shape.allOf ?? []
    if (first) return sample(first, name, depth + 1)
    const type = Array.isArray(shape.type) ? shape.type[0] : shape.type
    if (type === 'object')
      return Object.fromEntries(
        (shape.required ?? []).map((key) => [key, sample(shape.properties?.[key] ?? {}, key, depth + 1)]),
      )
    if (type === 'array') return shape.minItems ? [sample(shape.items ?? {}, '', depth + 1)] : []
    if (type === 'integer' || type === 'number') return Math.max(1, shape.minimum ?? 1)
    if (type === 'boolean') return false
    if (type === 'null') return null
    return '文字'
  }
}

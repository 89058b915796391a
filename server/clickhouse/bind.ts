/** A value for a `{name:Type}` placeholder. */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | readonly SqlValue[]
  | { readonly [key: string]: SqlValue }
export type SqlParams = Readonly<Record<string, SqlValue>>

const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
}

export const quote = (text: string) => `'${text.replace(/[\\'\0\n\r\t\b\f]/g, (char) => ESCAPES[char] ?? char)}'`
export const quoteName = (name: string) => `\`${name.replace(/[\\`]/g, '\\$&')}\``

/** The engine reads a time with a fraction from seconds since 1970. */
const timeText = (at: Date) => (at.getTime() / 1000).toFixed(3)

/** A value as the engine's own text form, inside an array or map. */
function nested(value: SqlValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return quote(value)
  if (value instanceof Date) return quote(timeText(value))
  if (Array.isArray(value)) return `[${value.map(nested).join(',')}]`
  if (typeof value === 'object') {
    throw new Error('a map travels at the top of a parameter only')
  }
  return numberText(value)
}

function numberText(value: number | bigint | boolean): string {
  if (typeof value !== 'number') return String(value)
  if (!Number.isFinite(value)) throw new Error(`${value} cannot travel to the warehouse`)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new Error(`${value} has lost digits already`)
  return String(value)
}

function literal(value: SqlValue, type: string): string {
  if (type === 'Identifier') {
    if (typeof value !== 'string') throw new Error('an identifier is text')
    return quoteName(value)
  }
  if (value === null) return `CAST(NULL, ${quote(type)})`
  if (type === 'String' && typeof value === 'string') return quote(value)
  if (typeof value === 'string') return `CAST(${quote(value)}, ${quote(type)})`
  if (value instanceof Date)
    return `CAST(${quote(type.startsWith('DateTime64') ? timeText(value) : (timeText(value).split('.')[0] ?? ''))}, ${quote(type)})`
  if (Array.isArray(value)) return `CAST(${quote(nested(value))}, ${quote(type)})`
  if (typeof value === 'object') {
    const entries = Object.entries(value)
    const side = (part: 0 | 1) => `[${entries.map((entry) => nested(entry[part])).join(',')}]`
    return `CAST((${side(0)}, ${side(1)}), ${quote(type)})`
  }
  return `CAST(${quote(numberText(value))}, ${quote(type)})`
}

const TOKEN = /['`"]|--|\/\*|\{\s*(\w+)\s*:\s*([^{}]+?)\s*\}/g
/** What closes a text, a name or a comment, by its opening. A doubled quote reads as two texts, which is harmless here. */
const ENDS: Record<string, RegExp> = {
  "'": /['\\]/g,
  '`': /[`\\]/g,
  '"': /["\\]/g,
  '--': /\n/g,
  '/*': /\*\//g,
}

/** The end of the text, name or comment that opened before `from`; the end of the statement if it is never closed. */
function endOf(sql: string, opening: string, from: number): number {
  const end = ENDS[opening] as RegExp
  end.lastIndex = from
  for (;;) {
    const found = end.exec(sql)
    if (!found) return sql.length
    if (found[0] !== '\\') return end.lastIndex
    end.lastIndex++
  }
}

/**
 * Puts the parameters into the statement as typed literals.
 * The embedded engine's own binding allows one such query at a time per process, so a count would wait for an import.
 */
export function bind(sql: string, params: SqlParams = {}): string {
  const parts: string[] = []
  let at = 0
  TOKEN.lastIndex = 0
  // One regular expression for the whole statement overflows the stack on a text of several megabytes.
  for (let token = TOKEN.exec(sql); token; token = TOKEN.exec(sql)) {
    const [text, name, type] = token
    if (name === undefined || type === undefined) {
      TOKEN.lastIndex = endOf(sql, text, TOKEN.lastIndex)
      continue
    }
    const value = params[name]
    if (value === undefined) throw new Error(`The statement's parameter ${name} was not given`)
    parts.push(sql.slice(at, token.index), literal(value, type))
    at = TOKEN.lastIndex
  }
  return at === 0 ? sql : parts.join('') + sql.slice(at)
}

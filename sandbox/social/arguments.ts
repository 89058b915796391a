import { createHash } from 'node:crypto'
import { type Json, parseJson, writeJson } from '../json.ts'
import { multipart } from '../multipart.ts'
import type { Call } from '../wire.ts'
import { Refusal } from './envelope.ts'

const EVERY_CALL = ['access_token', 'timestamp', 'nonce', 'user_token']
const MOST = 2n ** 63n - 1n
/** Characters refused in ordinary strings. */
export const FORBIDDEN = /[<>&'"/\\\t\n]/

export interface SentFile {
  name: string
  content: Buffer
}
export type Given = ReturnType<typeof argumentsOf>

/** The arguments of a call, from query or body, read by name; names that are never read are reported. */
export function argumentsOf(call: Call) {
  const read = new Set<string>()
  const files = new Map<string, SentFile>()
  const isPost = call.method === 'POST'
  /** True for a query or a form, whose values are JSON unless a string is expected. */
  let isText = true
  let values: { [name: string]: Json }

  if (!isPost) {
    values = Object.fromEntries([...call.query].filter(([name]) => !EVERY_CALL.includes(name)))
  } else if (/^multipart\//i.test(call.headers['content-type'] ?? '')) {
    const parts = multipart(call.headers['content-type'] ?? '', call.body)
    if (!parts) throw new Refusal(12003, [], 'multipart')
    values = {}
    for (const { name, filename, content } of parts) {
      if (filename === null) values[name] = content.toString('utf8')
      else files.set(name, { name: filename, content })
    }
  } else {
    isText = false
    values = jsonBody(call)
  }

  const rawOf = (name: string): Json | undefined => {
    read.add(name)
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === null ? undefined : value
  }
  const jsonOf = (name: string): Json | undefined => {
    const value = rawOf(name)
    if (!isText || value === undefined) return value
    try {
      return parseJson(value as string)
    } catch {
      throw new Refusal(18002, [name])
    }
  }

  function integer(name: string): bigint | undefined {
    const value = jsonOf(name)
    if (value === undefined) return undefined
    if (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isInteger(value))) {
      throw new Refusal(18002, [name])
    }
    const whole = BigInt(value)
    if (whole > MOST || whole < -MOST) throw new Refusal(18002, [name])
    return whole
  }

  const given = {
    /** Undefined if it is missing. */
    id(name: string): string | undefined {
      const whole = integer(name)
      if (whole === undefined) return undefined
      if (whole <= 0n) throw new Refusal(18004, [name])
      return String(whole)
    },
    number(name: string, least: number, most: number): number | undefined {
      const whole = integer(name)
      if (whole === undefined) return undefined
      const number = Number(whole)
      if (number < least) throw new Refusal(18004, [name])
      if (number > most) throw new Refusal(18003, [name])
      return number
    },
    text(name: string): string | undefined {
      const value = rawOf(name)
      if (value === undefined) return undefined
      if (typeof value !== 'string') throw new Refusal(18002, [name])
      if (FORBIDDEN.test(value)) throw new Refusal(31002, [name])
      return value
    },
    boolean(name: string): boolean | undefined {
      const value = jsonOf(name)
      if (value === undefined) return undefined
      if (typeof value !== 'boolean') throw new Refusal(18002, [name])
      return value
    },
    oneOf<T extends string>(name: string, allowed: readonly T[], code: 18009 | 50047 = 18009): T | undefined {
      const value = given.text(name)
      if (value === undefined || value === '') return undefined
      const found = allowed.find((one) => one === value)
      if (!found) throw new Refusal(code, [name])
      return found
    },
    list(name: string): Json[] | undefined {
      const value = jsonOf(name)
      if (value === undefined) return undefined
      if (!Array.isArray(value)) throw new Refusal(18002, [name])
      return value
    },
    /** An argument of any shape; undefined if it is missing. */
    json: jsonOf,
    /** Only known names; undefined means all of them. */
    fields(known: readonly string[]): string[] | undefined {
      let value: Json | undefined
      try {
        value = jsonOf('fields')
      } catch {
        throw new Refusal(12008)
      }
      if (value === undefined) return undefined
      if (!Array.isArray(value) || value.some((one) => typeof one !== 'string')) throw new Refusal(12008)
      if (value.length < 1) throw new Refusal(18012, ['fields'])
      if (value.length > 256) throw new Refusal(18003, ['fields'])
      if (value.some((one) => !known.includes(one as string))) throw new Refusal(12009)
      return value as string[]
    },
    file(name: string): SentFile | undefined {
      read.add(name)
      return files.get(name)
    },
    isMultipart: files.size > 0 || /^multipart\//i.test(call.headers['content-type'] ?? ''),
    unknown: () => [...Object.keys(values), ...files.keys()].filter((name) => !read.has(name)),
    /** Equal for equal arguments, whatever the form's boundaries. */
    digest() {
      const hash = createHash('sha256').update(writeJson(values))
      for (const [name, file] of files) hash.update(`\n${name}\n${file.name}\n`).update(file.content)
      return hash.digest('hex')
    },
  }
  return given
}

function jsonBody(call: Call): { [name: string]: Json } {
  if (!/^application\/json\s*(;|$)/i.test(call.headers['content-type'] ?? ''))
    throw new Refusal(12003, ['Content-Type'])
  let body: Json
  try {
    body = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(call.body))
  } catch {
    throw new Refusal(12003)
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal(12003)
  return body
}

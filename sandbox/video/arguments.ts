import { type Json, parseJson } from '../json.ts'
import type { Call } from '../wire.ts'
import { badRequest } from './envelope.ts'

const MOST = 2n ** 63n - 1n

/** The arguments of a call, read by name; names that are never read can be listed. */
export type Body = ReturnType<typeof readerOf>

/** A POST's JSON body. */
export function bodyOf(call: Call): Body {
  const type = call.headers['content-type'] ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) throw badRequest('Content-Type: 应为 application/json')
  let given: Json
  try {
    given = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(call.body))
  } catch {
    throw badRequest('请求内容不是正确的JSON')
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw badRequest('请求内容应为JSON对象')
  return readerOf(given)
}

/** A GET's query: strings unchanged, everything else as JSON text. */
export function queryOf(call: Call): Body {
  const given: { [name: string]: Json } = {}
  for (const [name, text] of call.query) {
    if (name in given) throw badRequest(`${name}: 重复的参数`)
    given[name] = text
  }
  return readerOf(given, true)
}

/** The arguments within an object argument. */
export const within = (given: { [name: string]: Json }): Body => readerOf(given)

/** `isText`: the values are texts from a query, which are JSON unless a string is expected. */
function readerOf(given: { [name: string]: Json }, isText = false) {
  const read = new Set<string>()
  const rawOf = (name: string): Json | undefined => {
    read.add(name)
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === null) throw badRequest(`${name}: 不能为null`)
    return value
  }
  const jsonOf = (name: string): Json | undefined => {
    const value = rawOf(name)
    if (!isText || value === undefined) return value
    try {
      return parseJson(value as string)
    } catch {
      throw badRequest(`${name}: 应为JSON`)
    }
  }
  const missing = (name: string) => badRequest(`${name}: 缺少必填参数`)

  function integer(name: string, value: Json): bigint {
    const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
    if (!isWhole) throw badRequest(`${name}: 应为整数`)
    const whole = BigInt(value as number | bigint)
    if (whole > MOST || whole < -MOST) throw badRequest(`${name}: 超出64位整数`)
    return whole
  }

  function optionalNumber(name: string, limits: { least?: number; most?: number; of?: readonly number[] } = {}) {
    const value = jsonOf(name)
    if (value === undefined) return undefined
    const number = Number(integer(name, value))
    if (limits.of && !limits.of.includes(number)) throw badRequest(`${name}: 只能是${limits.of.join('、')}`)
    if (limits.least !== undefined && number < limits.least) throw badRequest(`${name}: 不能小于${limits.least}`)
    if (limits.most !== undefined && number > limits.most) throw badRequest(`${name}: 不能大于${limits.most}`)
    return number
  }

  function text(name: string, limits?: { most?: number }): string
  function text(name: string, limits: { most?: number; isOptional: true }): string | undefined
  function text(name: string, { most, isOptional }: { most?: number; isOptional?: true } = {}): string | undefined {
    const value = rawOf(name)
    if (value === undefined || value === '') {
      if (isOptional) return undefined
      throw missing(name)
    }
    if (typeof value !== 'string') throw badRequest(`${name}: 应为字符串`)
    if (most !== undefined && [...value].length > most) throw badRequest(`${name}: 不能超过${most}个字符`)
    return value
  }

  function list(name: string, most: number): Json[] {
    const value = jsonOf(name)
    if (value === undefined) throw missing(name)
    if (!Array.isArray(value)) throw badRequest(`${name}: 应为数组`)
    if (value.length === 0) throw badRequest(`${name}: 不能为空`)
    if (value.length > most) throw badRequest(`${name}: 不能超过${most}个`)
    return value
  }

  return {
    text,
    id(name: string): string {
      const value = jsonOf(name)
      if (value === undefined) throw missing(name)
      const whole = integer(name, value)
      if (whole <= 0n) throw badRequest(`${name}: 应为正整数`)
      return String(whole)
    },
    number(name: string, limits: { least?: number; most?: number; of?: readonly number[] } = {}): number {
      const value = optionalNumber(name, limits)
      if (value === undefined) throw missing(name)
      return value
    },
    optionalNumber,
    /** Yuan with at most two decimals, in fen; undefined if it is missing. */
    fen(name: string): number | undefined {
      const value = jsonOf(name)
      if (value === undefined) return undefined
      if (typeof value !== 'number') throw badRequest(`${name}: 应为数字`)
      if (Number(value.toFixed(2)) !== value) throw badRequest(`${name}: 最多两位小数`)
      return Math.round(value * 100)
    },
    /** 1 to `most` objects. */
    objects: (name: string, most: number): { [name: string]: Json }[] =>
      list(name, most).map((one) => {
        if (typeof one !== 'object' || one === null || Array.isArray(one)) throw badRequest(`${name}: 应为对象数组`)
        return one
      }),
    ids: (name: string, most: number) =>
      list(name, most).map((one) => {
        const whole = integer(name, one)
        if (whole <= 0n) throw badRequest(`${name}: 应为正整数`)
        return String(whole)
      }),
    texts: (name: string, most: number) =>
      list(name, most).map((one) => {
        if (typeof one !== 'string' || one === '') throw badRequest(`${name}: 应为字符串数组`)
        return one
      }),
    optionalTexts(name: string, most: number): string[] | undefined {
      if (!Object.hasOwn(given, name)) {
        read.add(name)
        return undefined
      }
      return this.texts(name, most)
    },
    /** May be empty; undefined if it is missing. */
    optionalList(name: string, most: number): Json[] | undefined {
      const value = jsonOf(name)
      if (value === undefined) return undefined
      if (!Array.isArray(value)) throw badRequest(`${name}: 应为数组`)
      if (value.length > most) throw badRequest(`${name}: 不能超过${most}个`)
      return value
    },
    oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
      const value = text(name, { isOptional: true })
      if (value === undefined) return fallback
      const found = values.find((one) => one === value)
      if (!found) throw badRequest(`${name}: 只能是${values.join('、')}`)
      return found
    },
    object(name: string): { [name: string]: Json } | undefined {
      const value = jsonOf(name)
      if (value === undefined) return undefined
      if (typeof value !== 'object' || Array.isArray(value) || value === null) throw badRequest(`${name}: 应为对象`)
      return value
    },
    /** Given names that were never read. */
    unknown: () => Object.keys(given).filter((name) => !read.has(name)),
  }
}

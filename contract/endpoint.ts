import type { z } from 'zod'

/** Who may call: anyone, a signed-in viewer, or a viewer with the admin flag. */
type Access = 'public' | 'viewer' | 'admin'

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** OpenAPI spelling: `/api/people/{id}`. */
  path: `/${string}`
  /** Further paths of the call; path parameters that a path leaves out have their defaults. */
  also?: readonly `/${string}`[]
  summary: string
  /** Its heading in the API document. */
  group: string
  access?: Access
  params?: z.ZodObject
  query?: z.ZodType<Record<string, unknown>, Record<string, unknown>>
  body?: z.ZodType
  data: z.ZodType
  /** Must be set on a GET that changes data; all other methods are assumed to. */
  changes?: boolean
  /** The answer holds a token. It is not compressed: beside text that the caller chose, its size could betray it. */
  holdsSecret?: boolean
  /** A large answer that pages ask for again and again: it carries an ETag. */
  isRepeated?: boolean
  /** Members who may only look may make it, although it is no GET: it changes nothing of an advertiser. */
  readers?: true
}

/** Whether a call changes something; it is then refused from other sites, and for members who may only look. */
export const changesSomething = (endpoint: Endpoint): boolean => endpoint.changes ?? endpoint.method !== 'GET'

/**
 * A header of every call of our pages. Over plain http a browser says of a GET neither its `Origin` nor its
 * `Sec-Fetch-Site`, and pages of other sites cannot set a header of their own without being allowed to.
 */
export const PAGE_HEADER = 'x-renqun-page'

/** Declares a call once, for the server's parsing, the client's types and OpenAPI. */
export const endpoint = <const E extends Endpoint>(spec: E): E => spec

type Out<S> = S extends z.ZodType ? z.output<S> : undefined
type In<S> = S extends z.ZodType ? z.input<S> : undefined

export type ParamsOf<E extends Endpoint> = Out<E['params']>
export type QueryOf<E extends Endpoint> = Out<E['query']>
export type BodyOf<E extends Endpoint> = Out<E['body']>
export type DataOf<E extends Endpoint> = z.output<E['data']>
/** What a handler may return; the answer's schema fills in defaults. */
export type AnswerOf<E extends Endpoint> = z.input<E['data']>

type Given<K extends string, S> = S extends z.ZodType
  ? Record<never, never> extends In<S>
    ? { [k in K]?: In<S> }
    : { [k in K]: In<S> }
  : { [k in K]?: undefined }

/** A caller's input: path parameters, query and body, each only if the endpoint has it. */
export type InputOf<E extends Endpoint> = Given<'params', E['params']> &
  Given<'query', E['query']> &
  Given<'body', E['body']>

/**
 * The URL of a call, with its path parameters and query filled in: the first of its paths whose parameters are given.
 * Empty query values are dropped.
 */
export function urlOf(
  e: Pick<Endpoint, 'path' | 'also'>,
  input: { params?: Record<string, unknown> | undefined; query?: Record<string, unknown> | undefined } = {},
): string {
  const isGiven = (path: string) =>
    [...path.matchAll(PARAMETER)].every(([, name = '']) => input.params?.[name] !== undefined)
  const path = ([e.path, ...(e.also ?? [])].find(isGiven) ?? e.path).replace(PARAMETER, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name])),
  )
  const text = Object.entries(input.query ?? {})
    .filter(([, value]) => !isBlank(value))
    .map(([name, value]) => `${name}=${encodeURIComponent(Array.isArray(value) ? value.join(',') : String(value))}`)
    .join('&')
  return text ? `${path}?${text}` : path
}

const PARAMETER = /\{(\w+)\}/g

const isBlank = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

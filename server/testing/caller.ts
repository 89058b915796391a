import { type DataOf, type Endpoint, type InputOf, urlOf } from '#contract/endpoint.ts'

export interface Answer<D> {
  status: number
  code: number
  msg: string
  /** The contract's data when code is 0; else the fault's own data. */
  data: D
}

export interface Caller {
  call<E extends Endpoint>(endpoint: E, ...input: CallInput<E>): Promise<Answer<DataOf<E>>>
  /** The answer's data; a refusal throws its code and message. */
  get<E extends Endpoint>(endpoint: E, ...input: CallInput<E>): Promise<DataOf<E>>
  cookie: string
}
type CallInput<E extends Endpoint> =
  Record<string, never> extends InputOf<E> ? [input?: InputOf<E>] : [input: InputOf<E>]

export interface Asked {
  method: Endpoint['method']
  url: string
  headers: Record<string, string>
  body?: object
}

/** Sends a call to a server, whose answers follow the contract. */
export type Send = <D>(asked: Asked) => Promise<Answer<D>>

/** A caller with this cookie on a page of ours; signed out when it is empty. */
export function callerOver(cookie: string, send: Send): Caller {
  const call: Caller['call'] = (endpoint, ...[input]) => {
    const { body, ...given } = (input ?? {}) as { params?: object; query?: object; body?: object }
    return send({
      method: endpoint.method,
      url: urlOf(endpoint, given as Parameters<typeof urlOf>[1]),
      headers: { 'sec-fetch-site': 'same-origin', ...(cookie ? { cookie } : {}) },
      ...(body === undefined ? {} : { body }),
    })
  }
  return {
    cookie,
    call,
    async get(endpoint, ...input) {
      const answer = await call(endpoint, ...input)
      if (answer.code !== 0) throw new Error(`${endpoint.method} ${endpoint.path}: ${answer.code} ${answer.msg}`)
      return answer.data
    },
  }
}

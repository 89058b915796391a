import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '#contract/endpoint.ts'
import type { Viewer } from './viewer.ts'

/** What a handler is given: input already parsed by the contract, and who asks. */
export interface Call<E extends Endpoint> {
  viewer: E['access'] extends 'public' ? Viewer | null : Viewer
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** Where the call came from, for the session list and the throttle; `origin` is the console's own, as the caller names it. */
  from: { address: string; agent: string; origin: string }
  /** Aborts when the caller went away. */
  signal: AbortSignal
  /** Sets the session cookie to a new session's token, or clears it. */
  setSession(token: string | null): void
}

export interface Route {
  endpoint: Endpoint
  handle(call: Call<Endpoint>): Promise<unknown>
}

/** Says what answers a call. */
export const serve = <E extends Endpoint>(endpoint: E, handle: (call: Call<E>) => Promise<AnswerOf<E>>): Route => ({
  endpoint,
  // The mount parses params, query and body by this same endpoint before it calls, so the narrower type holds.
  handle: handle as Route['handle'],
})

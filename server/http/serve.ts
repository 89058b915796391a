import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '#contract/endpoint.ts'
import type { Viewer } from './viewer.ts'

/** A handler's input: already parsed by the contract, with the viewer. */
export interface Call<E extends Endpoint> {
  viewer: E['access'] extends 'public' ? Viewer | null : Viewer
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /**
   * Where the call came from, for the session list and the throttle. `browser` is the cookie that a browser keeps between
   * sign-ins; `origin` is the console's own address, as the caller used it.
   */
  from: { address: string; agent: string; browser: string | null; origin: string }
  /** Aborted when the caller disconnects. */
  signal: AbortSignal
  /** Sets the session cookie to a new session's token, or clears the cookie. */
  setSession(token: string | null): void
  /** Sets the cookie by which a browser is known at its next sign-in. */
  setBrowser(value: string): void
}

export interface Route {
  endpoint: Endpoint
  handle(call: Call<Endpoint>): Promise<unknown>
}

/** Connects an endpoint with its handler. */
export const serve = <E extends Endpoint>(endpoint: E, handle: (call: Call<E>) => Promise<AnswerOf<E>>): Route => ({
  endpoint,
  // The mount parses params, query and body by the same endpoint before it calls, so the narrower type is right.
  handle: handle as Route['handle'],
})

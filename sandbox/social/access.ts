import { createHash } from 'node:crypto'
import type { Parts } from '../parts.ts'
import { slidingWindow } from '../rates.ts'
import type { Token } from '../tokens.ts'
import type { Answer, Call } from '../wire.ts'
import { argumentsOf, type Given } from './arguments.ts'
import { Refusal } from './envelope.ts'

const WINDOW_SECONDS = 300
/** The one `user_token` that is accepted, as its page would give it to an operator. */
export const REAL_NAME_TOKEN = 'sandbox-real-name-token'

/** v1.1 and v1.3 share one, v3.0 is the other. */
export type Generation = 1 | 3
export interface Context {
  token: Token
  generation: Generation
  given: Given
}
export type Act = (context: Context) => Answer
/** An interface: the scopes of which it needs one, whether X-Request-Id makes it idempotent, and who may call it. */
export interface Interface {
  scopes: readonly string[]
  isIdempotent?: boolean
  /** Whether the body of an earlier call is refused under another X-Request-Id. */
  isOneToOne?: boolean
  /** The only generation that has it; both do if it is left out. */
  generation?: Generation
  /** Whether the operator must have proved who they are: `user_token` in the query. */
  needsRealName?: boolean
  /** Parameters that it does not know are refused; others ignore them. */
  isStrict?: boolean
  act: Act
}

/** Checks before every business call: token, timestamp, nonce, rate, scope, idempotency. */
export function socialAccess({ db, tokens, clock, switches }: Parts) {
  const nonces = new Map<string, number>()
  const minute = slidingWindow(60, clock.wall)

  function tokenOf({ query }: Call): Token {
    if (!query.has('access_token') || !query.has('timestamp') || !query.has('nonce')) throw new Refusal(12000)
    const access = query.get('access_token') ?? ''
    if (access === '') throw new Refusal(11005)
    if (!/^[0-9A-Za-z_-]{16,128}$/.test(access)) throw new Refusal(11004)
    const timestamp = query.get('timestamp') ?? ''
    if (!/^\d{1,12}$/.test(timestamp)) throw new Refusal(18002, ['timestamp'])
    if (Math.abs(Number(timestamp) - clock.wall()) > WINDOW_SECONDS) throw new Refusal(12101)
    const token = tokens.byAccess('social', access)
    if (!token) throw new Refusal(11002)
    if (token.expires_at <= clock.now()) throw new Refusal(11000)
    spendNonce(access, query.get('nonce') ?? '')
    return token
  }

  function spendNonce(access: string, nonce: string) {
    if (nonce === '') throw new Refusal(12000)
    if ([...nonce].length > 32) throw new Refusal(18003, ['nonce'])
    const now = clock.wall()
    // Older nonces are not needed, since their calls are refused by the timestamp.
    for (const [key, at] of nonces) {
      if (now - at <= 2 * WINDOW_SECONDS) break
      nonces.delete(key)
    }
    const key = `${access} ${nonce}`
    if (nonces.has(key)) throw new Refusal(12100)
    nonces.set(key, now)
  }

  function checkRealName({ query }: Call) {
    const given = query.get('user_token') ?? ''
    if (given === '') throw new Refusal(11101)
    if (given !== REAL_NAME_TOKEN) throw new Refusal(11102)
  }

  /** The earlier answer to the same call, or a new one that is stored. */
  function once(
    call: Call,
    id: string,
    { token, given, isOneToOne }: { token: Token; given: Given; isOneToOne: boolean },
    act: () => Answer,
  ): Answer {
    const digest = createHash('sha256').update(`${call.path} ${given.digest()}`).digest('hex')
    return db.together(() => {
      const kept = db.one<{ digest: string; answer: string }>(
        'SELECT digest, answer FROM request_id WHERE app_id = ? AND request_id = ?',
        ...[token.app_id, id],
      )
      if (kept && kept.digest !== digest) throw new Refusal(31060)
      if (kept) return JSON.parse(kept.answer) as Answer
      const sql = 'SELECT 1 FROM request_id WHERE app_id = ? AND digest = ?'
      if (isOneToOne && db.one(sql, token.app_id, digest)) throw new Refusal(31060)
      const answer = act()
      db.run(
        'INSERT INTO request_id VALUES (?, ?, ?, ?, ?)',
        ...[token.app_id, id, digest, JSON.stringify(answer), clock.now()],
      )
      return answer
    })
  }

  return {
    checked(call: Call, name: string, generation: Generation, called: Interface): Answer {
      const { scopes, isIdempotent, isStrict, act } = called
      if (called.generation && called.generation !== generation) throw new Refusal(12007)
      const token = tokenOf(call)
      const most = switches.now.social_calls_per_minute
      const { isFree, used } = minute.take(name, most)
      const remaining = most === 0 ? 100 : Math.max(0, Math.floor((1 - used / most) * 100))
      const headers = { 'x-ratelimit-remaining': `100%,${remaining}%` }
      if (!isFree) throw new Refusal(11017)
      // No scopes means every scope of the application.
      if (token.scopes.length > 0 && !scopes.some((one) => token.scopes.includes(one))) throw new Refusal(11014)
      if (called.needsRealName) checkRealName(call)
      const given = argumentsOf(call)
      const id = call.headers['x-request-id']
      const carryOut = () => {
        const answer = act({ token, generation, given })
        const unknown = given.unknown()
        if (isStrict && unknown.length > 0) throw new Refusal(31002, unknown, 'unknown parameter')
        return answer
      }
      let answer: Answer
      if (typeof id === 'string' && id !== '') {
        if (!isIdempotent) throw new Refusal(12010)
        answer = once(call, id, { token, given, isOneToOne: called.isOneToOne ?? false }, carryOut)
      } else {
        answer = db.together(carryOut)
      }
      return { ...answer, headers: { ...answer.headers, ...headers }, unknown: given.unknown() }
    },
  }
}

import type { Parts } from '../parts.ts'
import { slidingWindow } from '../rates.ts'
import type { Token } from '../tokens.ts'
import { type Answer, accountOf, type Call } from '../wire.ts'
import { type Body, bodyOf, queryOf } from './arguments.ts'
import { Refusal } from './envelope.ts'
import { type Form, formOf } from './form.ts'

const PENALTY_SECONDS = 300
/** The prefix and the scopes of the calls about sources and audiences. */
export const DMP = '/open_api/2/dmp'
export const DMP_READ = [3, 30]
export const DMP_WRITE = [3, 31]

export interface Context {
  token: Token
  /** A GET's query or a POST's JSON. */
  given: Body
  /** A multipart upload's parts. */
  form: Form
}
/** An interface: the scope that it needs, and where its arguments are. */
export interface Interface {
  scopes: readonly number[]
  takes: 'query' | 'json' | 'multipart'
  /** Whether the token is in the query instead of the header. */
  hasQueryToken?: boolean
  act(context: Context): Answer
}

const NOTHING = new URLSearchParams()

/** The checks before every business call: token, rates, scope. */
export function videoAccess({ db, tokens, clock, switches }: Parts) {
  const second = slidingWindow(1, clock.wall)
  const minute = slidingWindow(60, clock.wall)
  /** Interfaces that the application called far too often, and until when they refuse it. */
  const closed = new Map<string, number>()

  function tokenOf(call: Call, { hasQueryToken }: Interface): Token {
    const header = call.headers['access-token']
    const access = hasQueryToken ? call.query.get('access_token') : header
    if (typeof access !== 'string' || access === '') throw new Refusal(40104)
    const token = tokens.byAccess('video', access)
    if (!token) throw new Refusal(40104)
    if (token.expires_at <= clock.now()) throw new Refusal(40102)
    return token
  }

  function checkRates(call: Call, name: string) {
    const { video_advertiser_qps, video_application_qps } = switches.now
    const until = closed.get(name) ?? 0
    if (video_application_qps > 0 && until > clock.wall()) throw penalty(until - clock.wall())
    const account = accountOf(call)
    // The advertiser's limit is checked first; calls that it refuses do not count for the application's.
    if (account && !second.take(`${name} ${account}`, video_advertiser_qps).isFree) throw new Refusal(40130)
    if (!minute.take(name, video_application_qps * 100).isFree) {
      closed.set(name, clock.wall() + PENALTY_SECONDS)
      throw penalty(PENALTY_SECONDS)
    }
    if (!second.take(name, video_application_qps).isFree) throw new Refusal(40110)
  }

  const penalty = (seconds: number) =>
    new Refusal(40110, undefined, penaltyHeaders(switches.now.video_application_qps, seconds))

  return {
    checked(call: Call, name: string, face: Interface): Answer {
      const token = tokenOf(call, face)
      checkRates(call, name)
      const isCovered = face.scopes.length === 0 || face.scopes.some((one) => token.scopes.includes(String(one)))
      if (!isCovered) throw new Refusal(40002, '授权范围不包含该接口，请重新授权')
      const query = new URLSearchParams(call.query)
      if (face.hasQueryToken) query.delete('access_token')
      const given =
        face.takes === 'json' ? bodyOf(call) : queryOf({ ...call, query: face.takes === 'query' ? query : NOTHING })
      const form = formOf(call, face.takes === 'multipart')
      const answer = db.together(() => face.act({ token, given, form }))
      return { ...answer, unknown: [...given.unknown(), ...form.unknown()] }
    },
  }
}

/** Headers of an answer to an application that is refused for so many seconds. */
export const penaltyHeaders = (qps: number, seconds: number) => ({
  'x-ratelimit-dimension': 'developer_qpm',
  'x-ratelimit-limit': String((qps || 10) * 100),
  'x-ratelimit-remaining': '0',
  'x-ratelimit-retryin': String(Math.ceil(seconds)),
})

/** The account named in advertiser_id, if the token covers it. */
export function advertiserFor(token: Token, id: string): string {
  if (!token.accounts.includes(id)) throw new Refusal(40002, `没有操作广告主${id}的权限`)
  return id
}

import type { Database } from '../database.ts'
import type { Parts } from '../parts.ts'
import { draw } from '../population/draw.ts'
import { membersOf, USERS_EACH } from '../population/population.ts'
import { INDUSTRIES } from '../population/words.ts'
import type { Answer } from '../wire.ts'
import { advertiserFor, type Context, DMP_READ, type Interface } from './access.ts'
import { Refusal, success } from './envelope.ts'

const KINDS = { curated: 0, custom: 1 } as const
/** Above 2^53 and odd, so that a rounded id is noticed. */
const FIRST_ID = { curated: 9_307_199_254_750_001n, custom: 9_407_199_254_750_001n }
const CUSTOM_EACH = 36
/** The most common crowd holds this share of the people. */
const SHARE = 0.2
const FIRST_LEAF = 700_000_000
const SOURCES = ['UPLOAD', 'EXTEND', 'OPERATE', 'RULES']
/** The vendor's numbers of crowd states: effective, computing, expired, failed. */
const STATES = [2, 2, 2, 2, 2, 2, 8, 11, 9]

/** A crowd that plans of an account may use. */
interface Crowd {
  id: string
  name: string
  /** Empty for one that the platform curates. */
  source: string
  op: 'INCLUDE' | 'EXCLUDE' | 'ALL'
  isCommon: boolean
  status: number
  /** Which of the people are in it. */
  members: Uint16Array
}

const members = (leaf: number) => membersOf(FIRST_LEAF + leaf, SHARE)

/** The platform's own crowds, the same for every account; each serves one purpose only. */
const curated = (): Crowd[] =>
  INDUSTRIES.flatMap(({ name }, no) =>
    (['INCLUDE', 'EXCLUDE'] as const).map((op, index) => ({
      id: String(FIRST_ID.curated + BigInt(no * 2 + index) * 2n),
      name: op === 'INCLUDE' ? `${name}高潜人群` : `${name}近期已购人群`,
      source: '',
      op,
      isCommon: (no + index) % 11 !== 10,
      status: 2,
      members: members(no * 2 + index),
    })),
  )

/** An account's own crowds: made-up ones, always the same. */
function customOf(account_id: string): Crowd[] {
  const account = Number(BigInt(account_id) % 1_000_003n)
  return Array.from({ length: CUSTOM_EACH }, (_, no) => {
    const industry = INDUSTRIES[draw(account, no) % INDUSTRIES.length]
    return {
      id: String(FIRST_ID.custom + BigInt(account * CUSTOM_EACH + no) * 2n),
      name: `${industry?.name}${['老客', '加购未买', '直播间互动', '会员', '种子扩展', '高价值'][no % 6]}${no + 1}`,
      source: `CUSTOM_AUDIENCE_TYPE_${SOURCES[no % SOURCES.length]}`,
      op: 'ALL' as const,
      isCommon: no % 9 !== 8,
      status: STATES[no % STATES.length] ?? 2,
      members: members(1000 + account * CUSTOM_EACH + no),
    }
  })
}

const CHANGED = 'commerce_crowds'
/** Deleted by its owner: the list has it no more. */
const DELETED = 22
/** States that a test has set, by the crowds' ids. */
const changedStates = (db: Database) => JSON.parse(db.kept(CHANGED) ?? '{}') as Record<string, number>

/** Sets the state of an account's own crowd, as the platform numbers it. */
export function setCrowdState(db: Database, id: string, status: number): void {
  db.keep(CHANGED, JSON.stringify({ ...changedStates(db), [id]: status }))
}

function listedOf(db: Database, account_id: string): Crowd[] {
  const states = changedStates(db)
  return customOf(account_id)
    .map((crowd) => ({ ...crowd, status: states[crowd.id] ?? crowd.status }))
    .filter(({ status }) => status !== DELETED)
}

/** Names and states of the crowds that an account had or has, by their ids. */
export function crowdStates(db: Database, account_id: string): Map<string, { name: string; state: number }> {
  const states = changedStates(db)
  const all = [...curated(), ...customOf(account_id)]
  return new Map(all.map(({ id, name, status }) => [id, { name, state: states[id] ?? status }]))
}

/** The people in a crowd that the account may use; null if it has no such crowd. */
export const crowdMembers = (account_id: string, id: string): Uint16Array | null =>
  [...curated(), ...customOf(account_id)].find((crowd) => crowd.id === id)?.members ?? null

/** The crowds that the commerce platform offers to an account's plans. */
export function commerceCrowdCalls({ people, db }: Parts): Record<string, Interface> {
  function read({ token, given }: Context): Answer {
    const account_id = advertiserFor(token, given.id('advertiser_id'))
    if (people.account('video', account_id)?.kind !== 'QIANCHUAN') {
      throw new Refusal(40002, `广告主${account_id}不是千川账户`)
    }
    const isCustom = given.number('retargeting_tags_type', { of: Object.values(KINDS) }) === KINDS.custom
    const offset = given.optionalNumber('offset', { least: 0 }) ?? 0
    const limit = given.optionalNumber('limit', { least: 1, most: 100 }) ?? 100
    const all = isCustom ? listedOf(db, account_id) : curated()
    const next = offset + limit
    return success({
      offset: next < all.length ? next : 0,
      total_num: all.length,
      retargeting_tags: all.slice(offset, next).map((crowd) => ({
        retargeting_tags_id: BigInt(crowd.id),
        name: crowd.name,
        source: crowd.source,
        status: crowd.status,
        retargeting_tags_op: crowd.op,
        cover_num: crowd.members.length * USERS_EACH,
        retargeting_tags_tip: '',
        is_common: crowd.isCommon ? 1 : 0,
        has_offline_tag: 0,
      })),
    })
  }
  return {
    'GET /open_api/v1.0/qianchuan/dmp/audiences/get/': { scopes: DMP_READ, takes: 'query', act: read },
  }
}

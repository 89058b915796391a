import { timeText } from '../clock.ts'
import type { Parts } from '../parts.ts'
import { membersOf } from '../population/population.ts'
import type { Answer } from '../wire.ts'
import type { Context, Generation, Interface } from './access.ts'
import { accountFor, paged } from './advertisers.ts'
import { Refusal, success } from './envelope.ts'
import { MAY_TARGET } from './grants.ts'
import { usesAudience } from './targeting.ts'

/** The scopes of which one suffices. */
export const SCOPES = ['audience_management', 'ads_management', 'user_actions']
const TYPES = ['CUSTOMER_FILE', 'LOOKALIKE', 'USER_ACTION', 'KEYWORD', 'AD', 'COMBINE'] as const
const NAME_BYTES = 32
const FIELDS = [
  ...['audience_id', 'account_id', 'name', 'external_audience_id', 'description', 'cooperated', 'type', 'source'],
  ...[
    'status',
    'online_status',
    'is_own',
    'error_code',
    'user_count',
    'created_time',
    'last_modified_time',
    'audience_spec',
  ],
]
/** Why an audience cannot be deleted, by what uses it. */
const IN_USE = { ad: 50023, lookalike: 50024, combine: 50025, grant: 50022 } as const

export interface Audience {
  no: number
  id: string
  account_id: string
  name: string
  description: string
  type: string
  outer_id: string | null
  cooperated: number
  status: string
  online_status: string
  error_code: number
  used_by: keyof typeof IN_USE | null
  made_at: number
  changed_at: number
  is_deleted: number
}

/** Above 2^53 and odd, like the accounts' ids. */
const audienceId = (no: number) => String(9_207_199_254_740_993n + BigInt(no) * 2n)
const bytes = (text: string) => Buffer.byteLength(text)

/** Every made-up crowd holds at most this share of the people. */
const SHARE = 0.15
const FIRST_LEAF = 930_000_000

/** Whether another account's owner lets this one target an audience. */
const isGranted = (db: Parts['db'], audience_id: string, account_id: string) =>
  db
    .all<{ permissions: string }>(
      'SELECT permissions FROM social_grant WHERE audience_id = ? AND account_id = ?',
      ...[audience_id, account_id],
    )
    .some(({ permissions }) => permissions.includes(MAY_TARGET))

/** The people in an audience that the account may target. */
export function audienceMembers(db: Parts['db'], account_id: string, id: string, path: string): Uint16Array {
  const audience = db.one<Audience>('SELECT * FROM social_audience WHERE id = ? AND NOT is_deleted', id)
  if (!audience) throw new Refusal(50005, [path], id)
  if (audience.account_id !== account_id && !isGranted(db, id, account_id)) throw new Refusal(50015, [path], id)
  if (['ERROR', 'FROZEN', 'LOCKING'].includes(audience.status)) throw new Refusal(50014, [path], id)
  if (audience.status === 'SUCCESS' && audience.online_status === 'OFFLINE') throw new Refusal(1801104, [path], id)
  return membersOf(FIRST_LEAF + audience.no, SHARE)
}

/** The existing audience named in a call, if it belongs to the account. */
export function audienceFor(db: Parts['db'], { given }: Context, account_id: string): Audience {
  const id = given.id('audience_id')
  if (id === undefined) throw new Refusal(18001, ['audience_id'])
  const audience = db.one<Audience>('SELECT * FROM social_audience WHERE id = ? AND NOT is_deleted', id)
  if (!audience) throw new Refusal(50005, ['audience_id'])
  if (audience.account_id !== account_id) throw new Refusal(50015, ['audience_id'])
  return audience
}

/** Creates, reads, renames and deletes audiences. */
export function audienceCalls({ db, clock, switches }: Parts): Record<string, Interface> {
  function nameOf({ given }: Context): string | undefined {
    const name = given.text('name')
    if (name === undefined) return undefined
    if (name === '') throw new Refusal(50036, ['name'])
    if (bytes(name) > NAME_BYTES) throw new Refusal(50042, ['name'])
    return name
  }

  const nameIsTaken = (account_id: string, name: string) =>
    db.number(
      'SELECT count(*) FROM social_audience WHERE account_id = ? AND name = ? AND NOT is_deleted',
      account_id,
      name,
    ) > 0

  function outerId({ given, generation }: Context): string | null {
    const field = generation === 3 ? 'outer_audience_id' : 'external_audience_id'
    const outer = given.text(field)
    if (outer === undefined || outer === '') return null
    if (outer.length > 128) throw new Refusal(18003, [field])
    if (!/^[0-9A-Za-z_]+$/.test(outer)) throw new Refusal(31002, [field])
    return outer
  }

  function add(context: Context): Answer {
    const { given, generation } = context
    const account_id = accountFor(context)
    const name = nameOf(context)
    if (name === undefined) throw new Refusal(50036, ['name'])
    const type = given.oneOf('type', TYPES)
    if (!type) throw new Refusal(18001, ['type'])
    const description = given.text('description') ?? ''
    if (bytes(description) > 250) throw new Refusal(50044, ['description'])
    const outer_id = outerId(context)
    const cooperated = generation === 1 ? given.boolean('cooperated') : undefined
    if (generation === 1) given.oneOf('platform', ['DMP', 'TDC', 'TDP'])
    // Other types are made from audiences and ads, which the sandbox does not have.
    if (type !== 'CUSTOMER_FILE') throw new Refusal(50013, ['type'], '沙箱只支持 CUSTOMER_FILE')

    const earlier =
      outer_id === null
        ? undefined
        : db.one<Audience>(
            'SELECT * FROM social_audience WHERE account_id = ? AND outer_id = ? AND NOT is_deleted',
            ...[account_id, outer_id],
          )
    if (earlier) return success({ audience_id: BigInt(earlier.id) })
    if (nameIsTaken(account_id, name)) throw new Refusal(50007, ['name'])
    const used = db.number('SELECT count(*) FROM social_audience WHERE account_id = ? AND NOT is_deleted', account_id)
    const most = switches.now.social_audiences
    if (used >= most) {
      throw new Refusal(50008, [], `quotaType: CUSTOM_AUDIENCE, quotaValue: ${most}, quotaConsumed: ${used}`)
    }
    const no = db.number("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'social_audience'), 0) + 1")
    const at = clock.now()
    db.run(
      `INSERT INTO social_audience (no, id, account_id, name, description, type, outer_id, cooperated, status,
         online_status, error_code, made_at, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'PENDING', 'OFFLINE', 0, ?, ?)`,
      ...[no, audienceId(no), account_id, name, description, type, outer_id, cooperated ? 1 : 0, at, at],
    )
    return success({ audience_id: BigInt(audienceId(no)) })
  }

  function update(context: Context): Answer {
    const { given } = context
    const account_id = accountFor(context)
    const audience = audienceFor(db, context, account_id)
    const name = nameOf(context)
    const description = given.text('description')
    const cooperated = given.boolean('cooperated')
    if (name === undefined && description === undefined && cooperated === undefined) {
      throw new Refusal(18001, ['name', 'description', 'cooperated'])
    }
    if (description === '') throw new Refusal(18004, ['description'])
    if (description !== undefined && bytes(description) > 100) throw new Refusal(50044, ['description'])
    if (audience.status === 'LOCKING') throw new Refusal(50014)
    if (name !== undefined && name !== audience.name && nameIsTaken(account_id, name))
      throw new Refusal(50007, ['name'])
    db.run(
      'UPDATE social_audience SET name = ?, description = ?, cooperated = ?, changed_at = ? WHERE no = ?',
      ...[name ?? audience.name, description ?? audience.description],
      ...[cooperated === undefined ? audience.cooperated : Number(cooperated), clock.now(), audience.no],
    )
    return success(null)
  }

  function remove(context: Context): Answer {
    const audience = audienceFor(db, context, accountFor(context))
    if (audience.used_by) throw new Refusal(IN_USE[audience.used_by])
    if (db.one('SELECT 1 FROM social_grant WHERE audience_id = ?', audience.id)) throw new Refusal(IN_USE.grant)
    const stored = db.all<{ targeting: string }>('SELECT targeting FROM social_targeting WHERE NOT is_deleted')
    if (stored.some(({ targeting }) => usesAudience(targeting, audience.id))) throw new Refusal(IN_USE.ad)
    const busy = db.number(
      "SELECT count(*) FROM social_file WHERE audience_id = ? AND status IN ('PENDING', 'PROCESSING')",
      audience.id,
    )
    if (busy > 0) throw new Refusal(12700)
    db.run('UPDATE social_audience SET is_deleted = 1, changed_at = ? WHERE no = ?', clock.now(), audience.no)
    return success(null)
  }

  function row(audience: Audience, account_id: string, generation: Generation) {
    const size = db.number('SELECT count(*) FROM social_value WHERE audience = ?', audience.no)
    return {
      audience_id: BigInt(audience.id),
      account_id: BigInt(audience.account_id),
      name: audience.name,
      [generation === 3 ? 'outer_audience_id' : 'external_audience_id']: audience.outer_id ?? '',
      description: audience.description,
      cooperated: audience.cooperated === 1,
      type: audience.type,
      source: 'ADVERTISER_OWN_DATA',
      status: audience.status,
      online_status: audience.online_status,
      is_own: audience.account_id === account_id,
      error_code: audience.error_code,
      user_count: Math.floor((size * switches.now.coverage_percent) / 100),
      created_time: timeText(audience.made_at),
      last_modified_time: timeText(audience.changed_at),
      audience_spec: {},
    }
  }

  function get(context: Context): Answer {
    const { given, generation } = context
    const account_id = accountFor(context)
    const audience_id = given.id('audience_id')
    const fields = generation === 1 ? given.fields(FIELDS) : undefined
    if (generation === 1) given.oneOf('platform', ['DMP', 'TDC', 'TDP'])
    const found = db.all<Audience>(
      `SELECT * FROM social_audience WHERE NOT is_deleted AND (?2 IS NULL OR id = ?2) AND (account_id = ?1 OR id IN
         (SELECT audience_id FROM social_grant WHERE account_id = ?1 AND permissions LIKE ?3))
       ORDER BY no DESC`,
      ...[account_id, audience_id ?? null, `%${MAY_TARGET}%`],
    )
    const { list, page_info } = paged(context, found)
    const rows = list.map((audience) => row(audience, account_id, generation))
    const cut = fields
      ? rows.map((one: Record<string, unknown>) => Object.fromEntries(fields.map((name) => [name, one[name]])))
      : rows
    return success({ list: cut, page_info })
  }

  return {
    'POST custom_audiences/add': { scopes: SCOPES, isIdempotent: true, act: add },
    'POST custom_audiences/update': { scopes: SCOPES, act: update },
    'POST custom_audiences/delete': { scopes: SCOPES, act: remove },
    'GET custom_audiences/get': { scopes: SCOPES, act: get },
  }
}

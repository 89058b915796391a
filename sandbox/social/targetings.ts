import { parseJson, writeJson } from '../json.ts'
import type { Parts } from '../parts.ts'
import { slidingWindow } from '../rates.ts'
import type { Answer } from '../wire.ts'
import type { Context, Generation, Interface } from './access.ts'
import { accountFor, paged } from './advertisers.ts'
import { audienceMembers } from './audiences.ts'
import { Refusal, success } from './envelope.ts'
import { type Filter, type FilterRule, filtersIn } from './filtering.ts'
import { shownTo, targetingAt } from './targeting.ts'
import { translationOf } from './translation.ts'
import type { JsonObject } from './values.ts'

export const SCOPES = ['ads_management']
/** Newer pages of the older generation say 150. */
const NAME_BYTES = 120
/** Not published. */
const DESCRIPTION_BYTES = 250
/** Changes of an account a minute, by a notice of 2018. */
const PER_MINUTE = { add: 180, update: 60, delete: 60 } as const
const DAY_TIMES = ['EQUALS', 'LESS', 'LESS_EQUALS', 'GREATER', 'GREATER_EQUALS']
const ID = /^\d{1,19}$/
const TIME: FilterRule = { operators: DAY_TIMES, most: 1, form: /^\d{10}$/ }
const FILTERS: Readonly<Record<string, FilterRule>> = {
  targeting_id: { operators: ['EQUALS', 'IN'], most: 100, form: ID },
  targeting_name: { operators: ['EQUALS', 'CONTAINS'], most: 1 },
  created_time: TIME,
  last_modified_time: TIME,
  targeting_source_type: { operators: ['EQUALS'], most: 1, form: /^TARGETING_SOURCE_TYPE_(CREATE|SHARE)$/ },
}
/** Only in the older generation. */
const SHARE_FILTERS: Readonly<Record<string, FilterRule>> = {
  share_from_account_id: { operators: ['EQUALS'], most: 1, form: ID },
  share_from_targeting_id: { operators: ['EQUALS'], most: 1, form: ID },
}
const FILTERS_MOST = 2
const FIELDS = [
  ...['targeting_id', 'targeting_name', 'description', 'targeting', 'targeting_translation'],
  ...['is_include_unsupported_targeting', 'is_deleted', 'created_time', 'last_modified_time', 'ad_lock_status'],
  ...['targeting_source_type', 'share_from_account_id', 'share_from_targeting_id'],
]

export interface StoredTargeting {
  no: number
  id: string
  account_id: string
  name: string
  description: string
  targeting: string
  /** The account and the id of the targeting that it is a copy of, in JSON. */
  shared_from: string | null
  made_at: number
  changed_at: number
  is_deleted: number
}

/** Above 2^53 and odd, like the accounts' ids. */
const targetingId = (no: number) => String(9_507_199_254_740_993n + BigInt(no) * 2n)

/** The account's stored targeting that a call names. */
export function targetingFor(db: Parts['db'], { given }: Context, account_id: string): StoredTargeting {
  const id = given.id('targeting_id')
  if (id === undefined) throw new Refusal(18001, ['targeting_id'])
  const found = db.one<StoredTargeting>(
    'SELECT * FROM social_targeting WHERE id = ? AND account_id = ? AND NOT is_deleted',
    ...[id, account_id],
  )
  if (!found) throw new Refusal(69005, ['targeting_id'])
  return found
}

/** Stores a targeting, if its name is free in the account; returns its id. */
export function storeTargeting(
  { db, clock }: Pick<Parts, 'db' | 'clock'>,
  made: Pick<StoredTargeting, 'account_id' | 'name' | 'description' | 'targeting' | 'shared_from'>,
): string {
  checkName(db, made.account_id, made.name)
  const no = db.number("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'social_targeting'), 0) + 1")
  const at = clock.now()
  db.run(
    `INSERT INTO social_targeting (no, id, account_id, name, description, targeting, shared_from, made_at, changed_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[no, targetingId(no), made.account_id, made.name, made.description, made.targeting, made.shared_from, at, at],
  )
  return targetingId(no)
}

/** Whether a running ad group uses it. */
const isLocked = (db: Parts['db'], { id }: StoredTargeting) =>
  db.one('SELECT 1 FROM social_adgroup WHERE targeting_id = ? AND configured_status = ?', id, 'AD_STATUS_NORMAL') !==
  undefined

/** No code for a name that is taken is published; audiences have this one. */
function checkName(db: Parts['db'], account_id: string, name: string) {
  const sql = 'SELECT 1 FROM social_targeting WHERE account_id = ? AND name = ? AND NOT is_deleted'
  if (db.one(sql, account_id, name)) throw new Refusal(50007, ['targeting_name'])
}

/** The account's stored targetings. The newer generation only lists them, and does so by POST. */
export function targetingCalls(parts: Parts): Record<string, Interface> {
  const { db, clock, switches } = parts
  const minute = slidingWindow(60, clock.wall)

  function bounded(account_id: string, change: keyof typeof PER_MINUTE) {
    const most = switches.now.social_targeting_limits ? PER_MINUTE[change] : 0
    if (!minute.take(`${change} ${account_id}`, most).isFree) throw new Refusal(11017)
  }

  function nameIn({ given }: Context): string | undefined {
    const name = given.text('targeting_name')
    if (name === '') throw new Refusal(18004, ['targeting_name'])
    if (name !== undefined && Buffer.byteLength(name) > NAME_BYTES) throw new Refusal(18003, ['targeting_name'])
    return name
  }
  function descriptionIn({ given }: Context): string | undefined {
    const description = given.text('description')
    if (description !== undefined && Buffer.byteLength(description) > DESCRIPTION_BYTES) {
      throw new Refusal(18003, ['description'])
    }
    return description
  }
  function objectIn({ given, generation }: Context, account_id: string): string | undefined {
    const value = given.json('targeting')
    if (value === undefined) return undefined
    const { object } = targetingAt(value, 'targeting', {
      generation,
      account_id,
      isOpen: true,
      members: (id, path) => audienceMembers(db, account_id, id, path),
    })
    return writeJson(object)
  }

  function add(context: Context): Answer {
    const account_id = accountFor(context, 18001)
    bounded(account_id, 'add')
    const name = nameIn(context)
    if (name === undefined) throw new Refusal(18001, ['targeting_name'])
    const description = descriptionIn(context) ?? ''
    const targeting = objectIn(context, account_id) ?? '{}'
    const id = storeTargeting(parts, { account_id, name, description, targeting, shared_from: null })
    return success({ targeting_id: BigInt(id) })
  }

  function update(context: Context): Answer {
    const account_id = accountFor(context, 18001)
    bounded(account_id, 'update')
    const kept = targetingFor(db, context, account_id)
    const name = nameIn(context) ?? kept.name
    const description = descriptionIn(context) ?? kept.description
    const targeting = objectIn(context, account_id) ?? kept.targeting
    if (isLocked(db, kept)) throw new Refusal(50023, ['targeting_id'])
    if (name !== kept.name) checkName(db, account_id, name)
    db.run(
      'UPDATE social_targeting SET name = ?, description = ?, targeting = ?, changed_at = ? WHERE no = ?',
      ...[name, description, targeting, clock.now(), kept.no],
    )
    return success({ targeting_id: BigInt(kept.id) })
  }

  function remove(context: Context): Answer {
    const account_id = accountFor(context, 18001)
    bounded(account_id, 'delete')
    const kept = targetingFor(db, context, account_id)
    if (isLocked(db, kept)) throw new Refusal(50023, ['targeting_id'])
    db.run('UPDATE social_targeting SET is_deleted = 1, changed_at = ? WHERE no = ?', clock.now(), kept.no)
    return success({ targeting_id: BigInt(kept.id) })
  }

  function get(context: Context): Answer {
    const { given, generation } = context
    const account_id = accountFor(context, 18001)
    const rules = generation === 1 ? { ...FILTERS, ...SHARE_FILTERS } : FILTERS
    const filters = filtersIn(context, rules, FILTERS_MOST)
    const fields = generation === 1 ? given.fields(FIELDS) : undefined
    const found = db
      .all<StoredTargeting>(
        'SELECT * FROM social_targeting WHERE account_id = ? AND NOT is_deleted ORDER BY no DESC',
        account_id,
      )
      .filter((one) => filters.every((filter) => isLet(one, filter)))
    const { list, page_info } = paged(context, found)
    const rows = list.map((one) => rowOf(one, generation, isLocked(db, one)))
    const cut = fields ? rows.map((row) => Object.fromEntries(fields.map((name) => [name, row[name]]))) : rows
    return success({ list: cut, page_info })
  }

  return {
    'POST targetings/add': { scopes: SCOPES, generation: 1, isStrict: true, isIdempotent: true, act: add },
    'POST targetings/update': { scopes: SCOPES, generation: 1, isStrict: true, act: update },
    'POST targetings/delete': { scopes: SCOPES, generation: 1, isStrict: true, act: remove },
    'GET targetings/get': { scopes: SCOPES, generation: 1, isStrict: true, act: get },
    'POST targetings/get': { scopes: SCOPES, generation: 3, isStrict: true, act: get },
  }
}

const originOf = ({ shared_from }: StoredTargeting) =>
  shared_from === null ? null : (JSON.parse(shared_from) as { account_id: string; targeting_id: string })

function isLet(one: StoredTargeting, { field, operator, values }: Filter): boolean {
  const [value = ''] = values
  switch (field) {
    case 'targeting_id':
      return values.includes(one.id)
    case 'targeting_name':
      return operator === 'EQUALS' ? one.name === value : one.name.includes(value)
    case 'targeting_source_type':
      return sourceOf(one) === value
    case 'share_from_account_id':
      return originOf(one)?.account_id === value
    case 'share_from_targeting_id':
      return originOf(one)?.targeting_id === value
    default: {
      const at = Math.floor(field === 'created_time' ? one.made_at : one.changed_at)
      const than = Number(value)
      if (operator === 'EQUALS') return at === than
      if (operator === 'LESS') return at < than
      if (operator === 'LESS_EQUALS') return at <= than
      return operator === 'GREATER' ? at > than : at >= than
    }
  }
}

const sourceOf = ({ shared_from }: StoredTargeting) =>
  `TARGETING_SOURCE_TYPE_${shared_from === null ? 'CREATE' : 'SHARE'}`

function rowOf(one: StoredTargeting, generation: Generation, isInUse: boolean): Record<string, unknown> {
  const object = parseJson(one.targeting) as JsonObject
  const shown = shownTo(generation, object)
  const origin = originOf(one)
  return {
    targeting_id: BigInt(one.id),
    targeting_name: one.name,
    description: one.description,
    targeting: shown,
    targeting_translation: translationOf(object),
    is_deleted: false,
    created_time: Math.floor(one.made_at),
    last_modified_time: Math.floor(one.changed_at),
    targeting_source_type: sourceOf(one),
    share_from_account_id: BigInt(origin?.account_id ?? 0),
    share_from_targeting_id: BigInt(origin?.targeting_id ?? 0),
    ...(generation === 1
      ? {
          is_include_unsupported_targeting: false,
          ad_lock_status: isInUse ? 'ADLOCKSTATUS_LOCKED' : 'ADLOCKSTATUS_UNLOCKED',
        }
      : { targeting_source_msg: origin ? '共享' : '自建' }),
  }
}

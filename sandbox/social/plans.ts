import type { Database } from '../database.ts'
import type { Json } from '../json.ts'
import type { Parts } from '../parts.ts'
import type { Answer } from '../wire.ts'
import type { Context, Interface } from './access.ts'
import { olderAdgroups } from './adgroups.ts'
import { accountFor, paged } from './advertisers.ts'
import { CODES, type Code, Refusal, success } from './envelope.ts'
import { filtersIn } from './filtering.ts'
import { codeAt, idAt, type JsonObject, listAt, objectAt, wholeAt } from './values.ts'

const READ = ['ads_management', 'ads_insights']
const WRITE = ['ads_management']
const ID = { operators: ['EQUALS', 'IN'], most: 100, form: /^\d{1,19}$/ }
const NAME = { operators: ['EQUALS', 'CONTAINS'], most: 1, bytes: 180 }
const FIELDS = [
  ...['adgroup_id', 'adgroup_name', 'configured_status', 'system_status', 'daily_budget'],
  ...['created_time', 'last_modified_time', 'is_deleted'],
]
const SWITCHED = ['AD_STATUS_NORMAL', 'AD_STATUS_SUSPEND'] as const
const ITEMS_MOST = 100
/** Fen; 0 means no limit. */
const BUDGET = { least: 5_000, most: 400_000_000 }

export interface SocialPlan {
  no: number
  id: string
  name: string
  configured_status: string
  system_status: string
  daily_budget: number
  /** Fen, today. */
  spent: number
  made_at: number
  changed_at: number
  is_deleted: number
}

const planId = (no: number) => String(9_807_199_254_740_993n + BigInt(no) * 2n)

/** An ad group as its own page would make it. */
export function addSocialPlan(
  db: Database,
  at: number,
  wanted: { account_id: string; name: string; is_on: boolean; budget: number },
): string {
  const { lastInsertRowid } = db.run(
    `INSERT INTO social_plan (id, account_id, name, configured_status, system_status, daily_budget, made_at, changed_at)
     VALUES (?, ?, ?, ?, 'ADGROUP_STATUS_ACTIVE', ?, ?, ?)`,
    ...[`new ${wanted.name}`, wanted.account_id, wanted.name, SWITCHED[wanted.is_on ? 0 : 1], wanted.budget, at, at],
  )
  const id = planId(Number(lastInsertRowid))
  db.run('UPDATE social_plan SET id = ? WHERE no = ?', id, lastInsertRowid)
  return id
}

/** The ad groups of the newer generation: listed, switched, and given a budget. */
export function planCalls(parts: Parts): Record<string, Interface> {
  const { db, clock } = parts
  const older = olderAdgroups(parts)

  function get(context: Context): Answer {
    if (context.generation === 1) return older(context)
    const { given } = context
    const account_id = accountFor(context, 18001)
    const is_deleted = given.boolean('is_deleted') ?? false
    const fields = given.fields(FIELDS) ?? FIELDS
    const filters = filtersIn(context, { adgroup_id: ID, adgroup_name: NAME }, 2)
    const found = db
      .all<SocialPlan>(
        'SELECT * FROM social_plan WHERE account_id = ? AND is_deleted = ? ORDER BY no DESC',
        ...[account_id, Number(is_deleted)],
      )
      .filter((one) =>
        filters.every(({ field, operator, values }) =>
          field === 'adgroup_id'
            ? values.includes(one.id)
            : operator === 'EQUALS'
              ? values[0] === one.name
              : one.name.includes(values[0] as string),
        ),
      )
    const { list, page_info } = paged(context, found)
    const rows = list.map(
      (one): Record<string, unknown> => ({
        adgroup_id: BigInt(one.id),
        adgroup_name: one.name,
        configured_status: one.configured_status,
        system_status: one.system_status,
        daily_budget: one.daily_budget,
        created_time: Math.floor(one.made_at),
        last_modified_time: Math.floor(one.changed_at),
        is_deleted,
      }),
    )
    return success({ list: rows.map((row) => Object.fromEntries(fields.map((name) => [name, row[name]]))), page_info })
  }

  /** Carries out each item by itself; those that fail are named although the answer as a whole succeeds. */
  function each(
    context: Context,
    spec: string,
    known: readonly string[],
    change: (item: JsonObject, path: string, plan: SocialPlan) => Code | null,
  ): Answer {
    const account_id = accountFor(context, 18001)
    const asked = context.given.json(spec)
    if (asked === undefined) throw new Refusal(18001, [spec])
    const items = listAt(asked, spec, { most: ITEMS_MOST }).map((one, no) => {
      const path = `${spec}[${no}]`
      const item = objectAt(one, path, known)
      const missing = known.filter((name) => item[name] === undefined)
      if (missing.length > 0)
        throw new Refusal(
          18001,
          missing.map((name) => `${path}.${name}`),
        )
      return { id: idAt(item.adgroup_id as Json, `${path}.adgroup_id`), item, path }
    })
    if (new Set(items.map(({ id }) => id)).size < items.length) throw new Refusal(31002, [spec], 'duplicate')
    const answered = items.map(({ id, item, path }) => {
      const plan = db.one<SocialPlan>(
        'SELECT * FROM social_plan WHERE account_id = ? AND id = ? AND NOT is_deleted',
        ...[account_id, id],
      )
      const code = plan ? change(item, path, plan) : 1800307
      if (code === null) db.run('UPDATE social_plan SET changed_at = ? WHERE id = ?', clock.now(), id)
      const [message, message_cn] = code === null ? ['', ''] : CODES[code]
      return { code: code ?? 0, message, message_cn, adgroup_id: BigInt(id) }
    })
    const fail_id_list = answered.filter(({ code }) => code !== 0).map(({ adgroup_id }) => adgroup_id)
    return success({ list: answered, fail_id_list })
  }

  const switchAll = (context: Context) =>
    each(context, 'update_configured_status_spec', ['adgroup_id', 'configured_status'], (item, path, { no }) => {
      const wanted = codeAt(item.configured_status as Json, `${path}.configured_status`, SWITCHED)
      db.run('UPDATE social_plan SET configured_status = ? WHERE no = ?', wanted, no)
      return null
    })

  const setBudgets = (context: Context) =>
    each(context, 'update_daily_budget_spec', ['adgroup_id', 'daily_budget'], (item, path, { no, spent }) => {
      const at = `${path}.daily_budget`
      const wanted = wholeAt(item.daily_budget as Json, at, 0, BUDGET.most)
      if (wanted !== 0 && wanted < BUDGET.least) throw new Refusal(18004, [at])
      if (wanted !== 0 && wanted < Math.max(1.5 * spent, spent === 0 ? 0 : spent + 5_000)) return 1901873
      db.run('UPDATE social_plan SET daily_budget = ? WHERE no = ?', wanted, no)
      return null
    })

  const write = { scopes: WRITE, generation: 3, isStrict: true, needsRealName: true } as const
  return {
    'GET adgroups/get': { scopes: READ, isStrict: true, act: get },
    'POST adgroups/update_configured_status': { ...write, act: switchAll },
    'POST adgroups/update_daily_budget': { ...write, act: setBudgets },
  }
}

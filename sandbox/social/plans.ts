import type { Json } from '../json.ts'
import type { Parts } from '../parts.ts'
import { contentOf } from '../plan-content.ts'
import type { Answer } from '../wire.ts'
import type { Context, Interface } from './access.ts'
import { BUDGET, SWITCHED } from './adgroup-fields.ts'
import { changeEach, type SocialPlan } from './adgroup-items.ts'
import { adgroupWriting, isBelowSpend, isFull } from './adgroup-writing.ts'
import { olderAdgroups } from './adgroups.ts'
import { accountFor, paged } from './advertisers.ts'
import { Refusal, success } from './envelope.ts'
import { filtersIn } from './filtering.ts'
import { codeAt, wholeAt } from './values.ts'

const READ = ['ads_management', 'ads_insights']
const WRITE = ['ads_management']
const ID = { operators: ['EQUALS', 'IN'], most: 100, form: /^\d{1,19}$/ }
const NAME = { operators: ['EQUALS', 'CONTAINS'], most: 1, bytes: 180 }
/** Kept of what a call gave; empty for what was made on the platform's pages. */
const CONTENT = ['targeting', 'begin_date', 'end_date', 'time_series', 'bid_amount', 'marketing_goal'] as const
const FIELDS = [
  ...['adgroup_id', 'adgroup_name', 'configured_status', 'system_status', 'daily_budget'],
  ...['created_time', 'last_modified_time', 'is_deleted'],
  ...CONTENT,
]

/** The ad groups of the newer generation: made, listed, switched, and changed. */
export function planCalls(parts: Parts): Record<string, Interface> {
  const { db } = parts
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
    const rows = list.map((one): Record<string, unknown> => {
      const content = contentOf(db, 'social', one.id)
      return {
        adgroup_id: BigInt(one.id),
        adgroup_name: one.name,
        configured_status: one.configured_status,
        system_status: one.system_status,
        daily_budget: one.daily_budget,
        created_time: Math.floor(one.made_at),
        last_modified_time: Math.floor(one.changed_at),
        is_deleted,
        ...Object.fromEntries(CONTENT.map((name) => [name, content[name] ?? (name === 'targeting' ? {} : '')])),
      }
    })
    return success({ list: rows.map((row) => Object.fromEntries(fields.map((name) => [name, row[name]]))), page_info })
  }

  const items = (spec: string, ...needed: string[]) => ({ spec, needed, known: needed })
  const switchAll = (context: Context) => {
    const of = items('update_configured_status_spec', 'adgroup_id', 'configured_status')
    return changeEach(parts, context, of, (item, path, { no, account_id, configured_status }) => {
      const wanted = codeAt(item.configured_status as Json, `${path}.configured_status`, SWITCHED)
      if (wanted === SWITCHED[0] && configured_status !== wanted && isFull(parts, account_id)) return 1901905
      db.run('UPDATE social_plan SET configured_status = ? WHERE no = ?', wanted, no)
      return null
    })
  }

  const setBudgets = (context: Context) => {
    const of = items('update_daily_budget_spec', 'adgroup_id', 'daily_budget')
    return changeEach(parts, context, of, (item, path, plan) => {
      const at = `${path}.daily_budget`
      const wanted = wholeAt(item.daily_budget as Json, at, 0, BUDGET.most)
      if (wanted !== 0 && wanted < BUDGET.least) throw new Refusal(18004, [at])
      if (isBelowSpend(wanted, plan)) return 1901873
      db.run('UPDATE social_plan SET daily_budget = ? WHERE no = ?', wanted, plan.no)
      return null
    })
  }

  const write = { scopes: WRITE, generation: 3, isStrict: true, needsRealName: true } as const
  return {
    ...adgroupWriting(parts),
    'GET adgroups/get': { scopes: READ, isStrict: true, act: get },
    'POST adgroups/update_configured_status': { ...write, act: switchAll },
    'POST adgroups/update_daily_budget': { ...write, act: setBudgets },
  }
}

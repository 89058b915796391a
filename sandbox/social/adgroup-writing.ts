import { timeText } from '../clock.ts'
import type { Json } from '../json.ts'
import type { Parts } from '../parts.ts'
import { contentOf, keepContent } from '../plan-content.ts'
import type { Answer } from '../wire.ts'
import type { Context, Interface } from './access.ts'
import {
  biddingIn,
  bidIn,
  budgetIn,
  checkDays,
  dayAt,
  hoursAt,
  lastDayAt,
  nameIn,
  purposeIn,
  SWITCHED,
  sitesIn,
} from './adgroup-fields.ts'
import { adgroupOf, changeEach, type SocialPlan } from './adgroup-items.ts'
import { accountFor } from './advertisers.ts'
import { audienceMembers } from './audiences.ts'
import { Refusal, success } from './envelope.ts'
import { targetingAt } from './targeting.ts'
import type { JsonObject } from './values.ts'

const planId = (no: number) => String(9_807_199_254_740_993n + BigInt(no) * 2n)

/** An ad group as a call or its own page makes it; answers its id. */
export function addSocialPlan(
  db: Parts['db'],
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

/** Whether so many ad groups of an account are on that no other may be. */
export const isFull = ({ db, switches }: Pick<Parts, 'db' | 'switches'>, account_id: string): boolean => {
  const most = switches.now.social_plans
  const sql = 'SELECT count(*) FROM social_plan WHERE account_id = ? AND configured_status = ? AND NOT is_deleted'
  return most > 0 && db.number(sql, account_id, SWITCHED[0]) >= most
}

/** Creates ad groups of the newer generation, and changes what may be changed of them. */
export function adgroupWriting(parts: Parts): Record<string, Interface> {
  const { db, clock, switches } = parts
  const today = () => timeText(clock.now()).slice(0, 10)

  /** No code for a name that is taken is published; the refusal names the field. */
  function mustBeFree(account_id: string, name: string, except: string | null): void {
    const sql = 'SELECT id FROM social_plan WHERE account_id = ? AND name = ? AND NOT is_deleted'
    const taken = db.one<{ id: string }>(sql, account_id, name)
    if (taken && taken.id !== except) throw new Refusal(31002, ['adgroup_name'], 'duplicate')
  }

  function targetingIn({ given, generation }: Context, account_id: string): JsonObject | undefined {
    const value = given.json('targeting')
    if (value === undefined) return undefined
    return targetingAt(value, 'targeting', {
      generation,
      account_id,
      isOpen: switches.now.social_restricted_targeting,
      members: (id, path) => audienceMembers(db, account_id, id, path),
    }).object
  }

  /** Days and hours that are given, checked against those that stand. */
  function scheduleAt(given: JsonObject, path: string, kept: JsonObject): JsonObject {
    const at = (name: string) => `${path}${name}`
    const begin = given.begin_date === undefined ? undefined : dayAt(given.begin_date, at('begin_date'))
    const end = given.end_date === undefined ? undefined : lastDayAt(given.end_date, at('end_date'))
    const hours = given.time_series === undefined ? undefined : hoursAt(given.time_series, at('time_series'))
    if (begin !== undefined || end !== undefined) {
      const days = { begin: begin ?? String(kept.begin_date ?? ''), end: end ?? String(kept.end_date ?? '') }
      checkDays({ ...days, today: today() })
    }
    return {
      ...(begin !== undefined && { begin_date: begin }),
      ...(end !== undefined && { end_date: end }),
      ...(hours !== undefined && { time_series: hours }),
    }
  }

  const scheduleIn = ({ given }: Context) => {
    const names = ['begin_date', 'end_date', 'time_series']
    const asked = names.flatMap((name) => {
      const value = given.json(name)
      return value === undefined ? [] : [[name, value] as [string, Json]]
    })
    return Object.fromEntries(asked)
  }

  function add(context: Context): Answer {
    const { given } = context
    const account_id = accountFor(context, 18001)
    const name = nameIn(context)
    if (name === undefined) throw new Refusal(18001, ['adgroup_name'])
    const purpose = purposeIn(context)
    const dates = scheduleIn(context)
    const missing = ['begin_date', 'end_date', 'time_series'].filter((one) => dates[one] === undefined)
    if (missing.length > 0) throw new Refusal(18001, missing)
    const schedule = scheduleAt(dates, '', {})
    const first = given.text('first_day_begin_time')
    if (first !== undefined && !/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(first)) {
      throw new Refusal(31002, ['first_day_begin_time'])
    }
    const content = {
      ...{ ...purpose, ...schedule, ...sitesIn(context), ...biddingIn(context) },
      targeting: targetingIn(context, account_id) ?? {},
    }
    const budget = budgetIn(context) ?? 0
    // What stands where it is left out is not published.
    const is_on = (given.oneOf('configured_status', SWITCHED) ?? SWITCHED[0]) === SWITCHED[0]
    mustBeFree(account_id, name, null)
    if (is_on && isFull(parts, account_id)) throw new Refusal(1901905)
    const id = addSocialPlan(db, clock.now(), { account_id, name, is_on, budget })
    keepContent(db, 'social', id, content)
    return success({ adgroup_id: BigInt(id) })
  }

  function own({ given }: Context, account_id: string): SocialPlan {
    const id = given.id('adgroup_id')
    if (id === undefined) throw new Refusal(18001, ['adgroup_id'])
    const found = adgroupOf(parts, account_id, id)
    if (!found) throw new Refusal(1800307, ['adgroup_id'])
    return found
  }

  function update(context: Context): Answer {
    const account_id = accountFor(context, 18001)
    const found = own(context, account_id)
    const { id } = found
    const name = nameIn(context)
    const schedule = scheduleAt(scheduleIn(context), '', contentOf(db, 'social', id))
    // That the whole object is replaced is assumed: no document speaks of merging.
    const targeting = targetingIn(context, account_id)
    const bid_amount = bidIn(context)
    const budget = budgetIn(context)
    if (budget !== undefined && isBelowSpend(budget, found)) throw new Refusal(1901873)
    const status = context.given.oneOf('configured_status', SWITCHED)
    if (name !== undefined) mustBeFree(account_id, name, id)
    db.run(
      'UPDATE social_plan SET name = ?, daily_budget = ?, configured_status = ?, changed_at = ? WHERE id = ?',
      ...[name ?? found.name, budget ?? found.daily_budget, status ?? found.configured_status, clock.now(), id],
    )
    keepContent(db, 'social', id, {
      ...schedule,
      ...(targeting !== undefined && { targeting }),
      ...(bid_amount !== undefined && { bid_amount }),
    })
    return success({ adgroup_id: BigInt(id) })
  }

  const known = ['adgroup_id', 'begin_date', 'end_date', 'time_series']
  const setSchedules = (context: Context) =>
    changeEach(
      parts,
      context,
      { spec: 'update_datetime_spec', needed: ['adgroup_id'], known },
      (item, path, { id }) => {
        const { adgroup_id: _, ...given } = item
        keepContent(db, 'social', id, scheduleAt(given, `${path}.`, contentOf(db, 'social', id)))
        return null
      },
    )

  const write = { scopes: ['ads_management'], generation: 3, isStrict: true, needsRealName: true } as const
  return {
    'POST adgroups/add': { ...write, isIdempotent: true, isOneToOne: true, act: add },
    'POST adgroups/update': { ...write, act: update },
    'POST adgroups/update_datetime': { ...write, act: setSchedules },
  }
}

/** A budget must leave room for what was spent today. */
export const isBelowSpend = (wanted: number, { spent }: Pick<SocialPlan, 'spent'>): boolean =>
  wanted !== 0 && wanted < Math.max(1.5 * spent, spent === 0 ? 0 : spent + 5_000)

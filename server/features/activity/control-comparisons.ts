import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { type Converted, differenceOf, verdictOf } from '#contract/control-group/difference.ts'
import { COMPARED_EVENTS, type ControlComparison, type compareControlGroups } from '#contract/control-group.ts'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { crowdsOf } from '#contract/targeting/crowds-of.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { mustFindActivity } from './activities.ts'
import { controlRates } from './control-rates.ts'
import type { ActivityDeps } from './deps.ts'
import { meantEvents } from './own-sums.ts'

const DAY = 86_400

type Asked = z.output<typeof compareControlGroups.query>

/** Compares who was pushed with who was held out, for each crowd that an activity's plans deliver to. */
export function controlComparisons({ db, live }: Pick<ActivityDeps, 'db' | 'live'>) {
  return async (viewer: Viewer, asked: Asked): Promise<z.output<typeof compareControlGroups.data>> => {
    const { adv_id } = await mustFindActivity(db, viewer, asked.campaign_id)
    const crowds = await crowdsOfActivity(db, adv_id, asked.campaign_id)
    const groups = await groupsOf(db, crowds)
    const events = (await meantEvents({ db }, adv_id)).filter(({ standard }) => standard === asked.event)
    const list: ControlComparison[] = []
    for (const group of groups) {
      list.push(await compared(adv_id, group, asked, [...new Set(events.map(({ name }) => name))]))
    }
    return { crowds: crowds.length, list }
  }

  async function compared(
    adv_id: number,
    group: Group,
    { event, days }: Asked,
    events: readonly string[],
  ): Promise<ControlComparison> {
    const { kind, crowd_id, name, share, pushed_at, members_version } = group
    const end = pushed_at === null ? null : pushed_at + days * DAY
    const to = end === null ? null : Math.min(end, now())
    const unpushed = pushed_at === null ? [] : await accountsBefore(db, group)
    const base = { kind, crowd_id, name, share, from: pushed_at, to, is_over: end !== null && end <= now(), unpushed }
    const failed = (problem: AnyOutcome): ControlComparison => ({
      ...base,
      ...{ test: null, control: null, difference: null, verdict: null },
      problem: sentenceOf(problem),
      problem_outcome: problem,
    })
    if (pushed_at === null || to === null || members_version === null) return failed(outcome('control_not_pushed'))
    if (events.length === 0) return failed(outcome('control_event_missing', { event: COMPARED_EVENTS[event] }))
    const size = await db
      .selectFrom('crowd_size')
      .select(['count', 'has_members'])
      .where('crowd_id', '=', crowd_id)
      .where('version', '=', members_version)
      .executeTakeFirst()
    if (!size?.has_members) return failed(outcome('control_members_cleared'))
    const asked = { adv_id, crowd_id, version: members_version, group, events, from: pushed_at, to }
    const { test, control, members } = await controlRates(live, asked)
    // They were cleared while they were counted.
    if (members < size.count) return failed(outcome('control_members_cleared'))
    const difference = differenceOf(test, control)
    if (difference === null) return failed(outcome('control_group_empty'))
    return {
      ...base,
      test: withRate(test),
      control: withRate(control),
      difference: { value: difference.difference, low: difference.low, high: difference.high },
      verdict: verdictOf(difference),
      problem: null,
      problem_outcome: null,
    }
  }
}

const withRate = ({ people, converted }: Converted) => ({ people, converted, rate: converted / people })

interface Crowd {
  custom_id: number | null
  people_id: number | null
}

/** The crowds that plans aim at, directly or through their packages; those that plans leave out are not compared. */
async function crowdsOfActivity(db: Kysely<Database>, adv_id: number, campaign_id: number): Promise<Crowd[]> {
  const direct = await db
    .selectFrom('campaign_plan as plan')
    .innerJoin('campaign_plan_crowd as used', 'used.plan_id', 'plan.id')
    .innerJoin('audience', 'audience.id', 'used.child_id')
    .select(['audience.custom_id', 'audience.people_id'])
    .where('plan.campaign_id', '=', campaign_id)
    .where('plan.deleted_at', 'is', null)
    .where('used.role', '=', 'include')
    .execute()
  const packages = await db
    .selectFrom('campaign_plan as plan')
    .innerJoin('targeting_package as package', 'package.id', 'plan.package_id')
    .select(['package.platform', 'package.targeting'])
    .where('plan.campaign_id', '=', campaign_id)
    .where('plan.deleted_at', 'is', null)
    .execute()
  const included = packages.flatMap(({ platform, targeting }) =>
    crowdsOf(targeting as Record<string, unknown>).include.map((id) => ({ platform, id })),
  )
  const known =
    included.length === 0
      ? []
      : await db
          .selectFrom('audience')
          .innerJoin('platform_account as account', 'account.id', 'audience.account_id')
          .select(['audience.custom_id', 'audience.people_id', 'audience.cnt_type', 'audience.audience_id'])
          .where('account.adv_id', '=', adv_id)
          .where(
            'audience.audience_id',
            'in',
            included.map(({ id }) => id),
          )
          .execute()
  const throughPackages = known.filter((one) =>
    included.some(({ platform, id }) => platform === one.cnt_type && id === one.audience_id),
  )
  const found = new Map<string, Crowd>()
  for (const { custom_id, people_id } of [...direct, ...throughPackages]) {
    found.set(`${custom_id} ${people_id}`, { custom_id, people_id })
  }
  return [...found.values()]
}

/** The accounts that have the crowd from a push before its control group was set, so that they still have everybody. */
async function accountsBefore(db: Kysely<Database>, { kind, crowd_id, created_at }: Group): Promise<string[]> {
  const rows = await db
    .selectFrom('audience')
    .innerJoin('platform_account as account', 'account.id', 'audience.account_id')
    .select('account.name')
    .where(kind === 'custom' ? 'audience.custom_id' : 'audience.people_id', '=', crowd_id)
    .where('audience.deleted_at', 'is', null)
    .where('audience.pushed_version', 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('push')
            .select('push.id')
            .whereRef('push.child_id', '=', 'audience.id')
            .where('push.status', '=', 'done')
            .where('push.forget_account_id', 'is', null)
            .where('push.created_at', '>=', created_at),
        ),
      ),
    )
    .orderBy('audience.id')
    .execute()
  return rows.map(({ name }) => name)
}

type Group = Awaited<ReturnType<typeof groupsOf>>[number]

/** The control groups of crowds, by the ids of the crowds. */
async function groupsOf(db: Kysely<Database>, crowds: readonly Crowd[]) {
  const ids = (column: keyof Crowd) => [0, ...crowds.flatMap((crowd) => crowd[column] ?? [])]
  const rows = await db
    .selectFrom('control_group as held')
    .leftJoin('custom_crowd', 'custom_crowd.id', 'held.custom_id')
    .leftJoin('people', 'people.id', 'held.people_id')
    .select(['held.id', 'held.custom_id', 'held.people_id', 'held.share', 'held.seed', 'held.created_at'])
    .select([
      'held.pushed_at',
      'held.members_version',
      'custom_crowd.name as custom_name',
      'people.name as people_name',
    ])
    .where('held.ended_at', 'is', null)
    .where((eb) => eb.or([eb('held.custom_id', 'in', ids('custom_id')), eb('held.people_id', 'in', ids('people_id'))]))
    .execute()
  return rows
    .map(({ custom_id, people_id, custom_name, people_name, ...group }) => ({
      ...group,
      kind: custom_id === null ? ('rule' as const) : ('custom' as const),
      crowd_id: custom_id ?? people_id ?? 0,
      name: custom_name ?? people_name ?? '',
    }))
    .toSorted((one, other) => one.crowd_id - other.crowd_id)
}

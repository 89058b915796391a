import { expect, test, vi } from 'vitest'
import type { PlanCreation } from '#contract/activity/creation.ts'
import { createActivity, getActivity, updateActivity } from '#contract/activity.ts'
import { listActivities } from '#contract/activity-list.ts'
import { listActivityLog } from '#contract/activity-log.ts'
import { setPlanOperator, settlePlan } from '#contract/activity-plan.ts'
import { switchActivity, switchPlan } from '#contract/activity-switch.ts'
import { createAdvertiser, listAdvertiserData } from '#contract/advertiser.ts'
import { addTargeting } from '#contract/targeting-package.ts'
import { REAL_NAME_TOKEN } from '../../sandbox/social/access.ts'
import { consentTo } from '../testing/consent.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../testing/platforms.ts'
import { serverWithSandbox } from '../testing/server-with-sandbox.ts'

const PATIENCE_MS = 60_000

const { server, sandbox, call } = await serverWithSandbox(0.05)

/** The call in which the server is killed: before the platform carries it out, or after, without its answer. */
const MOMENTS = ['timeout', 'timeout_after'] as const
/** `chosen`: what a person consents to, a shop with its accounts on the commerce platform. `reads`: the call that looks for a plan, before it is made again and before it is changed. */
const KINDS = [
  {
    ...{ name: 'social', code: SOCIAL, host: 'social', account: '9007199254750003', chosen: '9007199254750003' },
    ...{ create: 'adgroups/add', reads: 'adgroups/get', turn: 'adgroups/update_configured_status' },
    ...{ update: 'adgroups/update', spend: 'adgroups/update_daily_budget' },
    targeting: { gender: ['FEMALE'] },
    creation: {
      ...{ kind: 'social', marketing_goal: 'MARKETING_GOAL_LEAD_RETENTION', marketing_asset_id: '77' },
      ...{ optimization_goal: 'OPTIMIZATIONGOAL_LEADS', smart_bid_type: 'SMART_BID_TYPE_CUSTOM', bid: 3000 },
    } as PlanCreation,
  },
  {
    ...{ name: 'video', code: VIDEO, host: 'video', account: '9107199254750003', chosen: '9107199254750003' },
    ...{ create: 'project/create', reads: 'project/list', turn: 'project/status/update', update: 'project/update' },
    ...{ spend: 'project/budget/update' },
    targeting: { landing_type: 'EXTERNAL', gender: ['GENDER_FEMALE'] },
    creation: { kind: 'video', external_action: 'AD_CONVERT_TYPE_FORM' } as PlanCreation,
  },
  {
    ...{ name: 'commerce', code: COMMERCE, host: 'video', account: '9107199254750013', chosen: '9107199254750011' },
    ...{ create: 'ad/create', reads: 'ad/get', turn: 'ad/status/update', update: 'ad/update' },
    ...{ spend: 'ad/budget/update' },
    targeting: { landing_type: 'LIVE', gender: ['GENDER_FEMALE'] },
    creation: {
      ...{ kind: 'commerce', aweme_id: '55', external_action: 'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY' },
      ...{ smart_bid_type: 'SMART_BID_CUSTOM', bid: 2000 },
    } as PlanCreation,
  },
] as const

type Kind = (typeof KINDS)[number]
type Moment = (typeof MOMENTS)[number]
/** The calls of a platform in which the server is killed. */
type CallName = 'create' | 'reads' | 'turn' | 'update' | 'spend'

interface Account {
  kind: Kind
  adv_id: number
  account_id: number
  package_id: number
}
/** An account with two activities: the plan of one is created on the platform, that of the other is one that is there. */
interface Subject extends Account {
  created: number
  linked: number
}

const LINKED = '平台已有'

/** In order: whose switch is turned to what, and when the server is killed in the platform's call. */
const TURNS = [
  ['created', 'activity', 1, 'timeout'],
  ['created', 'activity', 0, 'timeout'],
  ['created', 'activity', 1, 'timeout_after'],
  ['created', 'plan', 0, 'timeout'],
  ['created', 'plan', 1, 'timeout_after'],
  ['created', 'activity', 0, 'timeout_after'],
  ['linked', 'activity', 1, 'timeout_after'],
  ['linked', 'activity', 0, 'timeout_after'],
  ['linked', 'activity', 1, 'timeout'],
  ['linked', 'activity', 0, 'timeout'],
] as const satisfies ['created' | 'linked', 'activity' | 'plan', 0 | 1, Moment][]

test('a kill in any call of a plan’s creation, switch or change leaves exactly that plan', {
  timeout: 15 * PATIENCE_MS,
}, async () => {
  await sandbox.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
  await server.start()

  interface Called {
    path: string
    account_id: string
    fault: string | null
    is_carried: number
    code: number | null
  }
  const callsOf = async ({ account }: Kind, path: string) =>
    (await sandbox.control<Called[]>('calls')).filter((one) => one.account_id === account && one.path.includes(path))
  const waiting = async (name: CallName) =>
    Promise.all(
      KINDS.map(async (kind) => {
        const calls = await callsOf(kind, kind[name])
        return calls.filter(({ fault }) => fault?.startsWith('timeout')).length
      }),
    )
  /** How many calls switched a plan of the account. */
  const turns = async (kind: Kind) =>
    (await callsOf(kind, kind.turn)).filter(({ is_carried, code }) => is_carried && code === 0).length
  /**
   * Kills the server while it waits for the answers of the call that `work` leads to, of every platform, and starts it
   * again.
   */
  async function killedIn<T>(name: CallName, moment: Moment, work: (kind: Kind) => Promise<T>): Promise<T[]> {
    const before = await waiting(name)
    for (const kind of KINDS) {
      const where = { platform: kind.host, path: kind[name], account_id: kind.account }
      await sandbox.control('faults', { ...where, kind: moment, seconds: 60 })
    }
    const done = Promise.all(KINDS.map(work))
    const all = before.map((count) => count + 1)
    await vi.waitFor(async () => expect(await waiting(name)).toEqual(all), { timeout: PATIENCE_MS, interval: 50 })
    await server.kill()
    const results = await done
    await sandbox.control('faults/forget', {})
    await server.start()
    return results
  }
  const there = async ({ account }: Kind) =>
    (
      await sandbox.control<{ id: string; account_id: string; name: string; is_on: number; budget: number }[]>('plans')
    ).filter((one) => one.account_id === account)
  const named = async (kind: Kind, name: string) => (await there(kind)).filter((one) => one.name.startsWith(name))
  const get = (id: number) => call(getActivity, { query: { campaign_id: id } })
  const synced = (id: number) =>
    vi.waitFor(
      async () => {
        const { plans } = await get(id)
        // What we wrote ourselves is no change of somebody else's.
        expect(plans.map(({ sync }) => [sync.state, sync.told])).toEqual([['synced', []]])
      },
      { timeout: PATIENCE_MS, interval: 100 },
    )
  async function changed(id: number, part: { name?: string; budget?: number }) {
    const { ver, name: activity, plans } = await get(id)
    const kept = plans.map(({ id: plan, platform, account_id, package_id, creation, ...own }) => ({
      ...{ id: plan, platform, account_id, package_id, creation, is_open: own.is_open, start_date: own.start_date },
      ...{ name: part.name ?? own.name, budget: part.budget ?? own.budget },
    }))
    await call(updateActivity, { body: { id, ver, name: activity, plans: kept } })
  }
  const aPlanOf = ({ kind, account_id, package_id }: Account, name: string) => ({
    ...{ name, platform: kind.code, account_id, package_id, budget: 50_000, start_date: '2026-01-01' },
  })

  const begun = new Map<Kind, Account>()
  for (const kind of KINDS) {
    const { id: adv_id } = await call(createAdvertiser, { body: { name: `断电${kind.name}` } })
    await consentTo(server, sandbox, { adv_id, platform: kind.code, accounts: [kind.chosen] })
    const { list } = await call(listAdvertiserData)
    const { accounts = [] } = list.find((one) => one.id === adv_id) ?? {}
    const account_id = accounts.find(({ external_id }) => external_id === kind.account)?.id ?? 0
    if (kind.code === SOCIAL) await call(setPlanOperator, { body: { account_id, user_token: REAL_NAME_TOKEN } })
    const { id: package_id } = await call(addTargeting, {
      body: { targeting_name: '女性', dir_id: 1, advertiser_id: account_id, targeting: kind.targeting },
    })
    begun.set(kind, { kind, adv_id, account_id, package_id })
  }
  const of = (kind: Kind) => begun.get(kind) as Account

  let ids: number[] = []
  for (const moment of MOMENTS) {
    const name = `建_${moment}`
    ids = await killedIn('create', moment, async (kind) => {
      const plans = [{ ...aPlanOf(of(kind), name), creation: kind.creation }]
      return (await call(createActivity, { body: { advertiser_id: of(kind).adv_id, name, submit: true, plans } })).id
    })
    for (const [at, kind] of KINDS.entries()) {
      await synced(ids[at] as number)
      expect(await there(kind)).toHaveLength(MOMENTS.indexOf(moment) + 1)
      expect(await named(kind, name)).toMatchObject([{ is_on: 0 }])
    }
  }
  const subjects = await Promise.all(
    KINDS.map(async (kind, at): Promise<Subject> => {
      const name = LINKED
      const { id: plan_id } = await sandbox.control<{ id: string }>('plans', {
        ...{ platform: kind.name, account_id: kind.account, name, is_on: false },
      })
      const plans = [{ ...aPlanOf(of(kind), name), plan_id }]
      const body = { advertiser_id: of(kind).adv_id, name, submit: true, plans }
      const { id: linked } = await call(createActivity, { body })
      await synced(linked)
      return { ...of(kind), created: ids[at] as number, linked }
    }),
  )
  const subjectOf = (kind: Kind) => subjects.find((one) => one.kind === kind) as Subject

  const logged = async (id: number) => (await call(listActivityLog, { query: { campaign_id: id } })).total
  for (const [which, whose, is_open, moment] of TURNS) {
    const before = await Promise.all(
      subjects.map(async (one) => ({ turns: await turns(one.kind), logged: await logged(one[which]) })),
    )
    const turn = async (kind: Kind) => {
      const campaign_id = subjectOf(kind)[which]
      if (whose === 'activity') return call(switchActivity, { body: { id: campaign_id, is_open } })
      const [plan] = (await get(campaign_id)).plans
      return call(switchPlan, { body: { id: plan?.id ?? 0, is_open } })
    }
    // It waits for the platform, and is cut with the server.
    await killedIn('turn', moment, (kind) => turn(kind).catch(() => undefined))
    for (const [at, one] of subjects.entries()) {
      const told = [one.kind.name, which, whose, is_open, moment].join(' ')
      await synced(one[which])
      // Asked for again, nothing is under way and nothing is left to do.
      expect(await turn(one.kind), told).toMatchObject({ is_open, is_syncing: false })
      const own = which === 'created' ? '建_timeout_after' : LINKED
      const running = (await there(one.kind)).filter(({ is_on }) => is_on === 1).map(({ name }) => name)
      expect(running, told).toEqual(is_open === 1 ? [expect.stringContaining(own)] : [])
      const {
        is_open: isOpen,
        plans: [plan],
      } = await get(one[which])
      expect(whose === 'plan' ? plan?.is_open : isOpen, told).toBe(is_open)
      expect(await turns(one.kind), told).toBe((before[at]?.turns ?? 0) + 1)
      expect(await logged(one[which]), told).toBe((before[at]?.logged ?? 0) + 1)
    }
  }
  for (const { created } of subjects) await call(switchActivity, { body: { id: created, is_open: 1 } })
  const allSynced = async () => {
    for (const { created } of subjects) await synced(created)
  }
  await allSynced()

  await killedIn('reads', 'timeout', (kind) => changed(subjectOf(kind).created, { name: '改一' }))
  await allSynced()
  await killedIn('update', 'timeout_after', (kind) => changed(subjectOf(kind).created, { name: '改二' }))
  await allSynced()
  for (const [at, moment] of MOMENTS.entries()) {
    const budget = 60_000 + at * 10_000
    await killedIn('spend', moment, (kind) => changed(subjectOf(kind).created, { budget }))
    await allSynced()
    for (const kind of KINDS) expect(await named(kind, '改二')).toMatchObject([{ budget }])
  }
  // Renamed on the platform, and killed while our name is written again.
  for (const kind of KINDS) {
    const [own] = await named(kind, '改二')
    await sandbox.control('plans/set', { platform: kind.name, id: own?.id, name: '平台的' })
  }
  const renamed = ({ created }: Subject) =>
    vi.waitFor(
      async () => {
        await call(listActivities)
        const [found] = (await get(created)).plans
        expect(found?.sync.told.map(({ code }) => code)).toEqual(['plan_name_is_there'])
        return found?.id ?? 0
      },
      { timeout: PATIENCE_MS, interval: 500 },
    )
  const plans = new Map<Kind, number>()
  for (const one of subjects) plans.set(one.kind, await renamed(one))
  await killedIn('update', 'timeout_after', (kind) =>
    call(settlePlan, { body: { id: plans.get(kind) ?? 0, keep: 'ours' } }),
  )
  await allSynced()
  for (const kind of KINDS) {
    const all = (await there(kind)).map(({ name, is_on }) => [name.replace(/_[0-9a-f]{8}$/, ''), is_on])
    expect(all.toSorted()).toEqual([
      [LINKED, 0],
      ['建_timeout', 0],
      ['改二', 1],
    ])
  }
})

import { expect, test, vi } from 'vitest'
import type { PlanCreation } from '#contract/activity/creation.ts'
import { createActivity, getActivity, updateActivity } from '#contract/activity.ts'
import { listActivities } from '#contract/activity-list.ts'
import { setPlanOperator, settlePlan } from '#contract/activity-plan.ts'
import { switchActivity } from '#contract/activity-switch.ts'
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

test('a kill in any call of a plan’s creation or change leaves exactly that plan', {
  timeout: 15 * PATIENCE_MS,
}, async () => {
  await sandbox.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
  await server.start()

  const waiting = async (path: string) =>
    (await sandbox.control<{ path: string; fault: string | null }[]>('calls')).filter(
      (one) => one.path.includes(path) && one.fault?.startsWith('timeout'),
    ).length
  /** Kills the server while it waits for the answer of the call that `work` leads to, and starts it again. */
  async function killedIn(
    { host, account }: (typeof KINDS)[number],
    path: string,
    kind: (typeof MOMENTS)[number],
    work: () => Promise<unknown>,
  ) {
    const before = await waiting(path)
    await sandbox.control('faults', { platform: host, path, kind, seconds: 60, account_id: account })
    const done = work()
    await vi.waitFor(async () => expect(await waiting(path)).toBe(before + 1), { timeout: PATIENCE_MS, interval: 50 })
    await server.kill()
    await done
    await sandbox.control('faults/forget', {})
    await server.start()
  }
  const there = async (account: string) =>
    (
      await sandbox.control<{ id: string; account_id: string; name: string; is_on: number; budget: number }[]>('plans')
    ).filter((one) => one.account_id === account)
  const synced = (id: number) =>
    vi.waitFor(
      async () => {
        const { plans } = await call(getActivity, { query: { campaign_id: id } })
        // What we wrote ourselves is no change of somebody else's.
        expect(plans.map(({ sync }) => [sync.state, sync.told])).toEqual([['synced', []]])
      },
      { timeout: PATIENCE_MS, interval: 100 },
    )
  async function changed(id: number, part: { name?: string; budget?: number }) {
    const { ver, name: activity, plans } = await call(getActivity, { query: { campaign_id: id } })
    const kept = plans.map(({ id: plan, platform, account_id, package_id, creation, ...own }) => ({
      ...{ id: plan, platform, account_id, package_id, creation, is_open: own.is_open, start_date: own.start_date },
      ...{ name: part.name ?? own.name, budget: part.budget ?? own.budget },
    }))
    await call(updateActivity, { body: { id, ver, name: activity, plans: kept } })
  }

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
    const made = async (name: string) => {
      const { platform, ...plan } = { platform: kind.code, account_id, package_id, creation: kind.creation }
      const days = { budget: 50_000, start_date: '2026-01-01' }
      const plans = [{ ...plan, ...days, name, platform }]
      return (await call(createActivity, { body: { advertiser_id: adv_id, name, submit: true, plans } })).id
    }

    let id = 0
    for (const moment of MOMENTS) {
      await killedIn(kind, kind.create, moment, async () => {
        id = await made(`建_${moment}`)
      })
      await synced(id)
      expect(await there(kind.account)).toHaveLength(MOMENTS.indexOf(moment) + 1)
    }
    const named = async () => (await there(kind.account)).filter(({ name }) => name.startsWith('建_timeout_after'))
    expect(await named()).toMatchObject([{ is_on: 0 }])

    await killedIn(kind, kind.turn, 'timeout_after', () =>
      // It waits for the platform, and is cut with the server.
      call(switchActivity, { body: { id, is_open: 1 } }).catch(() => undefined),
    )
    await synced(id)
    expect(await named()).toMatchObject([{ is_on: 1 }])

    await killedIn(kind, kind.reads, 'timeout', () => changed(id, { name: '改一' }))
    await synced(id)
    await killedIn(kind, kind.update, 'timeout_after', () => changed(id, { name: '改二' }))
    await synced(id)
    for (const [at, moment] of MOMENTS.entries()) {
      const budget = 60_000 + at * 10_000
      await killedIn(kind, kind.spend, moment, () => changed(id, { budget }))
      await synced(id)
      const [spent] = (await there(kind.account)).filter(({ name }) => name.startsWith('改二'))
      expect(spent?.budget).toBe(budget)
    }
    // Renamed on the platform, and killed while our name is written again.
    const [own] = (await there(kind.account)).filter(({ name }) => name.startsWith('改二'))
    await sandbox.control('plans/set', { platform: kind.name, id: own?.id, name: '平台的' })
    const plan = await vi.waitFor(
      async () => {
        await call(listActivities)
        const [found] = (await call(getActivity, { query: { campaign_id: id } })).plans
        expect(found?.sync.told.map(({ code }) => code)).toEqual(['plan_name_is_there'])
        return found?.id ?? 0
      },
      { timeout: PATIENCE_MS, interval: 500 },
    )
    await killedIn(kind, kind.update, 'timeout_after', () => call(settlePlan, { body: { id: plan, keep: 'ours' } }))
    await synced(id)
    const all = (await there(kind.account)).map(({ name, is_on }) => [name.replace(/_[0-9a-f]{8}$/, ''), is_on])
    expect(all.toSorted()).toEqual([
      ['建_timeout', 0],
      ['改二', 1],
    ])
  }
})

import { deleteActivity, getActivity, updateActivity } from '#contract/activity.ts'
import { type SavedPlan, setPlanOperator } from '#contract/activity-plan.ts'
import { switchActivity, switchPlan } from '#contract/activity-switch.ts'
import { sentenceOf } from '#contract/outcome.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { REAL_NAME_TOKEN } from '../../sandbox/social/access.ts'
import { COMMERCE, SOCIAL, VIDEO } from './platforms.ts'
import { anAuthorisedAccount } from './push.ts'
import type { TestSandbox } from './sandbox.ts'
import type { TestApp } from './test-app.ts'

/** A plan in the sandbox, as its read-back shows it. */
interface There {
  platform: 'social' | 'video' | 'commerce'
  id: string
  account_id: string
  name: string
  is_on: 0 | 1
  budget: number
  is_deleted: 0 | 1
  /** What calls gave of it, in JSON. */
  content: string | null
}

/** The platforms with their logins in the sandbox, and the calls that change their plans. */
export const PLAN_KINDS = [
  {
    platform: 'social',
    code: SOCIAL,
    login: '880001',
    host: 'social',
    create: 'adgroups/add',
    write: 'adgroups/update_configured_status',
    budget: 'adgroups/update_daily_budget',
    update: 'adgroups/update',
  },
  {
    platform: 'video',
    code: VIDEO,
    login: '770001',
    host: 'video',
    create: 'project/create',
    write: 'project/status/update',
    budget: 'project/budget/update',
    update: 'project/update',
  },
  {
    platform: 'commerce',
    code: COMMERCE,
    login: '770001',
    host: 'video',
    create: 'ad/create',
    write: 'ad/status/update',
    budget: 'ad/budget/update',
    update: 'ad/update',
  },
] as const
export type PlanKind = (typeof PLAN_KINDS)[number]

let made = 0

/** What tests of plans on platforms do. `advertiser`: whose they are. */
export function plansOnPlatforms(app: TestApp, sandbox: TestSandbox, advertiser: () => number) {
  const { db } = app.stores.postgres
  const operator = (account_id: number, user_token: string) =>
    app.admin.call(setPlanOperator, { body: { account_id, user_token } })
  const get = (id: number) => app.admin.get(getActivity, { query: { campaign_id: id } })

  async function aStoredPackage(account_id: number, platform: PackageCode, targeting: object = {}): Promise<number> {
    const landing = platform === COMMERCE ? { landing_type: 'LIVE' } : {}
    const { id } = await db
      .insertInto('targeting_package')
      .values({
        ...{ adv_id: advertiser(), account_id, platform, dir_id: 1, name: `包${++made}` },
        ...{ targeting: JSON.stringify({ ...landing, ...targeting }), ...{ landing_type: null, ...landing } },
        ...{ invalid_time: 9_999_999_999, created_at: 1, saved_at: 1, creator_id: null, saved_by: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  return {
    operator,
    get,
    aStoredPackage,

    async reset() {
      await app.reset()
      await sandbox.control('switches/reset', {})
      await sandbox.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
      await sandbox.control('faults/forget', {})
    },

    /** An authorised account that no earlier test has written to, with a package. */
    async anAccount(kind: PlanKind) {
      const { id: external } = await sandbox.control<{ id: string }>('accounts', {
        ...{ platform: kind.host, login_id: kind.login, name: `账户${++made}` },
        ...(kind.platform === 'commerce' && { kind: 'QIANCHUAN' }),
      })
      const account_id = await anAuthorisedAccount(app, sandbox, advertiser(), kind.code, external)
      if (kind.platform === 'social') await operator(account_id, REAL_NAME_TOKEN)
      return { account_id, external, package_id: await aStoredPackage(account_id, kind.code) }
    },

    there: async (id: string | null | undefined) =>
      (await sandbox.control<There[]>('plans')).find((one) => one.id === id) as There,
    /** Every plan of an account in the sandbox. */
    allThere: async (external: string) =>
      (await sandbox.control<There[]>('plans')).filter((one) => one.account_id === external),
    /** How many calls of a path the sandbox carried out for an account. */
    writes: async (external: string, path: string) =>
      (await sandbox.control<{ path: string; account_id: string; is_carried: number; code: number }[]>('calls')).filter(
        (call) => call.path.includes(path) && call.account_id === external && call.is_carried && call.code === 0,
      ).length,

    turn: (id: number, is_open: 0 | 1) => app.admin.call(switchActivity, { body: { id, is_open } }),
    turnPlan: (id: number, is_open: 0 | 1) => app.admin.call(switchPlan, { body: { id, is_open } }),
    remove: (campaign_id: number, leave_running: '0' | '1' = '0') =>
      app.admin.call(deleteActivity, { query: { campaign_id: String(campaign_id), leave_running } as never }),
    async told(id: number) {
      const { plans } = await get(id)
      return plans.map(({ sync }) => sync.told.map(sentenceOf))
    },
    /** Reads the platforms, as every 15 minutes. */
    async read() {
      await db.transaction().execute((tx) => app.stores.jobs.send(tx, 'activity.read', {}))
      await app.settled()
    },
    /** Saves the activity with its first plan changed; null: without it. */
    async saved(id: number, change: Partial<SavedPlan> | null) {
      const { name, ver, plans } = await get(id)
      const kept = plans.map(
        ({
          type: _,
          status: _s,
          plan_status_name: _n,
          is_local: _l,
          sync: _y,
          account_name: _a,
          package_name: _p,
          crowds,
          ...plan
        }) => ({
          ...plan,
          crowds: crowds.map(({ id: crowd, role }) => ({ id: crowd, role })),
        }),
      )
      const [first, ...rest] = kept
      const next = change === null ? rest : [{ ...first, ...change }, ...rest]
      return app.admin.call(updateActivity, { body: { id, ver, name, plans: next } as never })
    },
  }
}

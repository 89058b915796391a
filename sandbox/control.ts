import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Faults, OrderedFault } from './faults.ts'
import { type Json, parseJson, writeJson } from './json.ts'
import type { CallLog } from './log.ts'
import type { Parts } from './parts.ts'
import { addPlan, changePlan, NewPlan, PlanChange, shownPlans } from './plans.ts'
import { PLATFORM_NAMES, PLATFORMS, PlatformName } from './platforms.ts'
import type { Processing } from './processing.ts'
import { latestAudiences, type ReadBack } from './read-back.ts'
import { OLD_PLANS_MAX, setOldPlans } from './reports/plans.ts'
import { socialReadBack } from './social/read-back.ts'
import { statePage } from './state-page.ts'
import { SwitchChange } from './switches.ts'
import { setCrowdState } from './video/commerce-crowds.ts'
import { addCommercePackage, changeCommercePackage } from './video/commerce-packages.ts'
import { addProject } from './video/packages.ts'
import { videoReadBack } from './video/read-back.ts'

const Target = z.strictObject({
  platform: PlatformName,
  account_id: z.string().optional(),
  login_id: z.string().optional(),
})
const NewLogin = z.strictObject({
  platform: PlatformName,
  id: z.string().regex(/^\d+$/),
  name: z.string().min(1),
})
const NewAccount = z.strictObject({
  platform: PlatformName,
  login_id: z.string(),
  id: z.string().regex(/^\d+$/).optional(),
  name: z.string().min(1),
  company: z.string().default('新建科技有限公司'),
  kind: z.string().default('ADVERTISER'),
  parent_id: z.string().optional(),
})
const NewTokens = z.strictObject({
  platform: PlatformName,
  /** The accounts, all of the same login. */
  account_ids: z.array(z.string()).min(1),
  /** Social: an empty list means all. Video: if left out, all numbers. */
  scopes: z.array(z.string()).optional(),
})
const AudienceChange = z.strictObject({
  platform: PlatformName,
  audience_id: z.string(),
  /** What uses the audience; `null`: nothing. Social: `ad`, `lookalike`, `combine`, `grant`. */
  used_by: z.enum(['ad', 'lookalike', 'combine', 'grant']).nullable().optional(),
  /** Social: a name such as SUCCESS or FROZEN; video: the number. */
  status: z.union([z.string(), z.int()]).optional(),
  online_status: z.enum(['ONLINE', 'LOADING', 'OFFLINE']).optional(),
})
const NewProject = z.strictObject({
  account_id: z.string(),
  name: z.string().min(1),
  /** The targeting package that it uses. */
  package_id: z.string().nullable().default(null),
  status: z.enum(['ENABLE', 'DISABLE', 'DONE', 'DELETE']).default('ENABLE'),
})
/** By the platform's own names, as packages are read. */
const PackageFields = z.record(z.string(), z.custom<Json>())
const NewCommercePackage = z.strictObject({
  account_id: z.string(),
  name: z.string().min(1),
  fields: PackageFields.default({}),
  /** How many plans use it. */
  ad_num: z.int().min(0).default(0),
})
const CommercePackageChange = z.strictObject({
  id: z.string(),
  name: z.string().min(1).optional(),
  fields: PackageFields.optional(),
  ad_num: z.int().min(0).optional(),
  is_deleted: z.boolean().optional(),
})
const NewAdgroup = z.strictObject({
  account_id: z.string(),
  name: z.string().min(1),
  targeting_id: z.string(),
  configured_status: z.enum(['AD_STATUS_NORMAL', 'AD_STATUS_SUSPEND']).default('AD_STATUS_NORMAL'),
})
/** The header in which programs send the key; people have it in the page's address. */
export const CONTROL_HEADER = 'x-sandbox-key'

class NotUnderstood extends Error {}

interface Control {
  parts: Parts
  faults: Faults
  log: CallLog
  work: Processing
}

/**
 * Switches and read-back under /sandbox, which no platform has. Changes must be JSON, which pages of other sites cannot
 * send. All need the key: other users of this machine, and pages that it shows, must not turn the switches.
 */
export function mountControl(app: FastifyInstance, { parts, faults, log, work }: Control, key: string) {
  const { db, clock, switches, people, tokens } = parts
  const readBacks: Record<PlatformName, ReadBack> = { social: socialReadBack(db), video: videoReadBack(db) }

  app.addHook('onRequest', async (request, reply) => {
    // By the route, since the router decodes what an address may spell otherwise: `/%73andbox`.
    const route = request.routeOptions.url ?? ''
    if (route !== '/' && !/^\/sandbox(\/|$)/.test(route)) return
    const query = new URLSearchParams(request.raw.url?.split('?')[1] ?? '')
    const given = String(request.headers[CONTROL_HEADER] ?? query.get('key') ?? '')
    if (isSame(given, key)) return
    return reply.code(403).type('text/plain; charset=utf-8').send('请用启动时日志里的链接打开沙箱的页面')
  })

  const json = (reply: FastifyReply, value: unknown, status = 200) =>
    reply.code(status).type('application/json; charset=utf-8').send(writeJson(value))

  const read = (path: string, answer: (query: URLSearchParams) => unknown) =>
    app.get(path, async (request, reply) => {
      const query = new URLSearchParams(request.raw.url?.split('?')[1] ?? '')
      return json(reply, await answer(query))
    })

  function change<S extends z.ZodType>(path: string, schema: S, act: (given: z.output<S>) => unknown) {
    app.post(path, async (request, reply) => {
      if (!/^application\/json/i.test(request.headers['content-type'] ?? '')) {
        return json(reply, { error: 'content-type: application/json' }, 415)
      }
      try {
        const text = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : ''
        const given = schema.parse(parseJson(text || '{}'))
        return json(reply, (await act(given)) ?? { ok: true })
      } catch (error) {
        if (error instanceof z.ZodError || error instanceof SyntaxError || error instanceof NotUnderstood) {
          return json(reply, { error: error.message }, 400)
        }
        throw error
      }
    })
  }

  const state = () => ({
    now: clock.now(),
    switches: switches.now,
    faults: faults.ordered(),
    logins: PLATFORM_NAMES.flatMap((platform) => people.logins(platform)),
    accounts: people.all().map((account) => ({ ...account, ...readBacks[account.platform].made(account.id) })),
    tokens: tokens.all().map(({ platform, login_id, accounts, scopes, expires_at, refresh_expires_at }) => ({
      ...{ platform, login_id, accounts, scopes, expires_at, refresh_expires_at },
    })),
  })

  const needed = (query: URLSearchParams, name: string) => {
    const value = query.get(name)
    if (!value) throw new NotUnderstood(`${name}?`)
    return value
  }
  const platformIn = (query: URLSearchParams) => {
    const platform = PlatformName.safeParse(query.get('platform'))
    if (!platform.success) throw new NotUnderstood(`platform: ${PLATFORM_NAMES.join(' 或 ')}`)
    return platform.data
  }
  app.setErrorHandler((error, _, reply) => {
    if (error instanceof NotUnderstood) return json(reply, { error: error.message }, 400)
    const status = (error as { statusCode?: number }).statusCode ?? 500
    if (status >= 500) console.error(error)
    return json(reply, { error: String(error) }, status)
  })

  for (const path of ['/', '/sandbox']) {
    app.get(path, async (_, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .send(statePage(state(), latestAudiences(readBacks, 30), log.last(50), shownPlans(db, 30))),
    )
  }
  read('/sandbox/state', state)
  read('/sandbox/audiences', (query) => readBacks[platformIn(query)].audiences(query.get('account_id')))
  read('/sandbox/values', (query) => {
    const rows = readBacks[platformIn(query)].values(needed(query, 'audience_id'))
    return { kinds: [...new Set(rows.map(({ kind }) => kind))], values: rows.map(({ value }) => value) }
  })
  read('/sandbox/parts', (query) =>
    readBacks[platformIn(query)].parts(query.get('account_id'), query.get('audience_id')),
  )
  read('/sandbox/calls', (query) => log.since(Number(query.get('since') ?? 0)))

  change('/sandbox/switches', SwitchChange, (given) => {
    switches.change(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)))
    work.wake()
    return switches.now
  })
  change('/sandbox/switches/reset', z.strictObject({}), () => {
    switches.reset()
    faults.forget()
    return switches.now
  })
  change('/sandbox/faults', OrderedFault, (given) => faults.order(given))
  change('/sandbox/faults/forget', z.strictObject({}), () => faults.forget())
  change('/sandbox/clock', z.strictObject({ advance: z.number() }), ({ advance }) => {
    clock.advance(advance)
    work.wake()
    return { now: clock.now() }
  })
  // Waits until all due work is done.
  change('/sandbox/settle', z.strictObject({}), () => work.settle())
  change('/sandbox/logins', NewLogin, (given) => people.addLogin(given))
  change('/sandbox/accounts', NewAccount, (given) => {
    if (!people.login(given.platform, given.login_id)) throw new NotUnderstood('login_id')
    const { id, ...rest } = given
    return { id: people.addAccount({ ...rest, parent_id: given.parent_id, ...(id ? { id } : {}) }) }
  })
  change(
    '/sandbox/accounts/valid',
    z.strictObject({ platform: PlatformName, account_id: z.string(), is_valid: z.boolean() }),
    ({ platform, account_id, is_valid }) => void people.setValid(platform, account_id, is_valid),
  )
  change('/sandbox/tokens', NewTokens, ({ platform, account_ids, scopes }) => {
    const [first] = account_ids.map((id) => people.account(platform, id))
    if (!first) throw new NotUnderstood('account_ids')
    const token = tokens.make({
      platform,
      login_id: first.login_id,
      accounts: account_ids,
      scopes: scopes ?? [...PLATFORMS[platform].scopes],
    })
    const { access, refresh, expires_at, refresh_expires_at } = token
    return { access_token: access, refresh_token: refresh, expires_at, refresh_expires_at }
  })
  change(
    '/sandbox/tokens/expire',
    Target.extend({ what: z.enum(['access', 'refresh']).default('access') }),
    ({ platform, what, account_id, login_id }) => ({
      tokens: tokens.expire(platform, what, targetOf(account_id, login_id)),
    }),
  )
  change('/sandbox/tokens/revoke', Target, ({ platform, account_id, login_id }) => ({
    tokens: tokens.revoke(platform, targetOf(account_id, login_id)),
  }))
  change('/sandbox/projects', NewProject, ({ status, ...wanted }) => ({
    id: addProject(db, clock.now(), { ...wanted, status: `PROJECT_STATUS_${status}` }),
  }))
  change(
    '/sandbox/projects/set',
    z.strictObject({ id: z.string(), status: NewProject.shape.status.unwrap() }),
    ({ id, status }) => void db.run('UPDATE video_project SET status = ? WHERE id = ?', `PROJECT_STATUS_${status}`, id),
  )
  read('/sandbox/plans', () => shownPlans(db, 1000))
  change('/sandbox/plans', NewPlan, (given) => ({ id: addPlan(db, clock.now(), given) }))
  change('/sandbox/plans/set', PlanChange, (given) => changePlan(db, given))
  // The crowds that the commerce platform lists are made up, so they have no rows of their own.
  change('/sandbox/commerce-crowds/set', z.strictObject({ id: z.string(), status: z.int() }), ({ id, status }) =>
    setCrowdState(db, id, status),
  )
  // No call writes packages of the commerce platform, so those made on its pages come from here.
  change('/sandbox/commerce-packages', NewCommercePackage, (given) => ({ id: addCommercePackage(db, given) }))
  change('/sandbox/commerce-packages/set', CommercePackageChange, ({ id, ...changes }) => {
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
    if (!changeCommercePackage(db, id, given)) throw new NotUnderstood('id')
  })
  // How many plans that no call made the reports of an account know.
  change(
    '/sandbox/report-plans',
    z.strictObject({ account_id: z.string().regex(/^\d+$/), count: z.int().min(0).max(OLD_PLANS_MAX) }),
    ({ account_id, count }) => void setOldPlans(db, account_id, count),
  )
  change('/sandbox/audiences/set', AudienceChange, ({ platform, audience_id, ...changes }) => {
    const { table, settable } = PLATFORMS[platform].audiences
    if (db.number(`SELECT count(*) FROM ${table} WHERE id = ?`, audience_id) === 0)
      throw new NotUnderstood('audience_id')
    for (const [column, value] of Object.entries(changes)) {
      if (value === undefined || !settable.some((one) => one === column)) continue
      db.run(`UPDATE ${table} SET ${column} = ? WHERE id = ?`, value, audience_id)
    }
  })
  // Social: an ad group, which locks its stored targeting while it runs. Given again by its name, it changes.
  change('/sandbox/adgroups', NewAdgroup, ({ account_id, name, targeting_id, configured_status }) => {
    db.run(
      `INSERT INTO social_adgroup (account_id, name, targeting_id, configured_status) VALUES (?, ?, ?, ?)
       ON CONFLICT (account_id, name) DO UPDATE SET configured_status = excluded.configured_status`,
      ...[account_id, name, targeting_id, configured_status],
    )
  })
}

/** Compares in the same time wherever the two differ. */
function isSame(given: string, key: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(key))
}

const targetOf = (account_id: string | undefined, login_id: string | undefined) => ({
  ...(account_id === undefined ? {} : { account_id }),
  ...(login_id === undefined ? {} : { login_id }),
})

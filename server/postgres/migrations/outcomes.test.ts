import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actionOf, sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { testPostgres } from '../../testing/postgres.ts'
import { MIGRATIONS, migrate } from '../migrate.ts'

let postgres: Awaited<ReturnType<typeof testPostgres>>
beforeAll(async () => {
  postgres = await testPostgres()
  await sql.raw('drop schema public cascade; create schema public').execute(postgres.db)
  const before = MIGRATIONS.findIndex(({ name }) => name === '0009-outcomes')
  await migrate(postgres.db, MIGRATIONS.slice(0, before))
  await fill()
  await migrate(postgres.db)
})
afterAll(() => postgres.close())

/** Accounts in every state, each with one paused push, as stored before the migration. */
const ACCOUNTS: Record<string, { account: string; login?: string; reason: string; platform?: number }> = {
  never: { account: `null, null, null, '[]'`, reason: '账户「never」尚未授权；重新授权后自动继续' },
  revoked: { account: `null, 5, null, '[]'`, reason: '授权已撤销；重新授权后自动继续' },
  expired: {
    account: `LOGIN, 5, null, '["all"]'`,
    login: `'sealed', 100, null`,
    reason: '授权已到期；重新授权后自动继续',
  },
  refused: {
    account: `LOGIN, 5, '账户已被停用', '["all"]'`,
    login: `'sealed', 99999999999, null`,
    reason: '账户已被停用；重新授权后自动继续',
  },
  lost: {
    account: `LOGIN, 5, null, '["all"]'`,
    login: `null, 99999999999, '平台不再接受原来的授权（x）'`,
    reason: '平台不再接受原来的授权（x）；重新授权后自动继续',
  },
  tokenless: {
    account: `LOGIN, 5, null, '["all"]'`,
    login: `null, 99999999999, null`,
    reason: '授权已失效；重新授权后自动继续',
  },
  unscoped: {
    account: `LOGIN, 5, null, '["ads_management"]'`,
    login: `'sealed', 99999999999, null`,
    reason: '没有人群管理权限；重新授权后自动继续',
  },
  publishing: {
    account: `LOGIN, 5, null, '["audience_management"]'`,
    login: `'sealed', 99999999999, null`,
    reason: '平台对发布次数有限制，将于 2026-01-02 03:04 自动发布',
  },
  video: {
    account: `LOGIN, 5, null, '["audience_management"]'`,
    login: `'sealed', 99999999999, null`,
    reason: '没有人群管理权限；重新授权后自动继续',
    platform: 2,
  },
}

async function fill() {
  const statements = Object.entries(ACCOUNTS).flatMap(([name, { account, login, reason, platform = 1 }], index) => {
    const id = 10 + index
    return [
      ...(login === undefined
        ? []
        : [
            `insert into platform_login
               (id, platform, external_id, name, tokens, refresh_expires_at, error, authorised_at)
             values (${id}, ${platform}, 'login-${id}', '登录', ${login}, 0)`,
          ]),
      `insert into platform_account
         (id, adv_id, platform, external_id, name, login_id, authorised_at, auth_error, scope_list)
       values (${id}, 1, ${platform}, 'account-${id}', '${name}', ${account.replace('LOGIN', String(id))})`,
      `insert into audience
         (id, custom_id, account_id, cnt_type, types, name, platform_name, key, status, reason, creator_id, created_at)
       values (${id}, 1, ${id}, ${platform}, '[]', '${name}', 'x', 'key-${id}', 'failed', '平台计算失败', 1, 0)`,
      `insert into push (id, child_id, version, status, step, reason, created_at)
       values (${id}, ${id}, 1, 'paused', 'plan', '${reason}', 0),
              (${id + 100}, ${id}, 1, 'failed', 'plan', '旧的原因', 0)`,
    ]
  })
  const task = `insert into task (id, kind, title, status, error, created_at) values
    (1, 'push.run', '推送', 'failed', '从前的失败', 0), (2, 'push.run', '推送', 'waiting', null, 0),
    (3, 'push.run', '推送', 'failed', '', 0)`
  const file = `insert into crowd_file (id, crowd_id, version, name, size, status, error, reasons, created_at)
    values (1, 1, 1, 'a.txt', 1, 'failed', '压缩包已损坏', '[]', 0)`
  const webhook = `insert into webhook (id, adv_id, kind, url, is_on, last_error)
    values (1, 1, 'json', 'sealed', true, '对方拒绝：x')`
  // Foreign keys are not checked.
  const all = ['begin', 'set local session_replication_role = replica', ...statements, task, file, webhook, 'commit']
  await sql.raw(all.join(';')).execute(postgres.db)
}

const reasonsOf = async (status: string) => {
  const { rows } = await sql<{ name: string; reason: AnyOutcome }>`
    select audience.name, push.reason from push join audience on audience.id = push.child_id
    where push.status = ${status} order by push.id`.execute(postgres.db)
  return rows.map(({ name, reason }) => [name, reason] as const)
}

test('a paused push gets its code from the state of its account and login', async () => {
  const reasons = (await reasonsOf('paused')).map(([name, reason]) => [name, sentenceOf(reason), actionOf(reason)])
  const after = '；重新授权后自动继续'
  expect(reasons).toEqual([
    ['never', `账户「never」尚未授权${after}`, 'reauthorise'],
    ['revoked', `账户「revoked」的授权已失效：已撤销${after}`, 'reauthorise'],
    ['expired', `账户「expired」的授权已失效：授权已到期${after}`, 'reauthorise'],
    ['refused', `账户「refused」的授权已失效：账户已被停用${after}`, 'reauthorise'],
    ['lost', `账户「lost」的授权已失效：平台不再接受原来的授权（x）${after}`, 'reauthorise'],
    ['tokenless', `账户「tokenless」的授权已失效：授权已失效${after}`, 'reauthorise'],
    [
      'unscoped',
      `账户「unscoped」没有人群管理权限（audience_management），请重新授权并勾选该权限${after}`,
      'reauthorise',
    ],
    ['publishing', '平台对发布次数有限制，将于 2026-01-02 03:04 自动发布', null],
    ['video', `账户「video」没有人群管理权限（all），请重新授权并勾选该权限${after}`, 'reauthorise'],
  ])
})

test('other stored sentences become legacy outcomes, word for word', async () => {
  for (const [, reason] of await reasonsOf('failed')) {
    expect(reason).toEqual({ code: 'legacy', params: { text: '旧的原因' } })
  }
  const { rows } = await sql`select error from task order by id`.execute(postgres.db)
  expect(rows).toEqual([
    { error: { code: 'legacy', params: { text: '从前的失败' } } },
    { error: null },
    { error: null },
  ])
  const others = await sql`select error from crowd_file union all select last_error from webhook`.execute(postgres.db)
  expect(others.rows).toEqual([
    { error: { code: 'legacy', params: { text: '压缩包已损坏' } } },
    { error: { code: 'legacy', params: { text: '对方拒绝：x' } } },
  ])
  const audiences = await sql`select distinct reason from audience`.execute(postgres.db)
  expect(audiences.rows).toEqual([{ reason: { code: 'legacy', params: { text: '平台计算失败' } } }])
})

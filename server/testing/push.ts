import { createHash } from 'node:crypto'
import { type AudienceCode, type PlatformCode, platformOfCode } from '#contract/platform.ts'
import { now } from '../time/clock.ts'
import { COMMERCE } from './platforms.ts'
import type { TestSandbox } from './sandbox.ts'
import type { TestApp } from './test-app.ts'

/** Accounts that the sandbox has, each with a login of its own. */
export const SANDBOX_ACCOUNTS = {
  1: ['9007199254750003', '9007199254750023'],
  2: ['9107199254750003', '9107199254750023'],
} as const

/** An account of the sandbox that the advertiser has authorised. */
export async function anAuthorisedAccount(
  app: TestApp,
  sandbox: TestSandbox,
  adv_id: number,
  platform: PlatformCode,
  external_id: string,
): Promise<number> {
  const { db } = app.stores.postgres
  const { id } = await db
    .insertInto('platform_account')
    .values({ adv_id, platform, external_id, name: `账户${external_id.slice(-3)}`, scope_list: '["all"]' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await authorise(app, sandbox, id)
  return id
}

/** Gives an account a login of its own with valid tokens. */
export async function authorise(app: TestApp, sandbox: TestSandbox, account_id: number): Promise<void> {
  const { db } = app.stores.postgres
  const account = await db
    .selectFrom('platform_account')
    .selectAll()
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  const tokens = await sandbox.control<{ expires_at: number; refresh_expires_at: number }>('tokens', {
    // One stand-in serves the vendor's two platforms.
    platform: account.platform === COMMERCE ? 'video' : platformOfCode(account.platform as AudienceCode),
    account_ids: [account.external_id],
  })
  const row = {
    tokens: app.stores.secrets.seal(JSON.stringify(tokens)),
    expires_at: Math.floor(tokens.expires_at),
    refresh_expires_at: Math.floor(tokens.refresh_expires_at),
    error: null,
    authorised_at: now(),
  }
  const { id } = await db
    .insertInto('platform_login')
    .values({ platform: account.platform, external_id: `login-${account_id}`, name: '登录', ...row })
    .onConflict((oc) => oc.columns(['platform', 'external_id']).doUpdateSet(row))
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('platform_account')
    .set({ login_id: id, authorised_at: now(), auth_error: null, scope_list: '["all"]' })
    .where('id', '=', account_id)
    .execute()
}

/** An audience's values in the sandbox, sorted. */
export async function sandboxValues(
  sandbox: TestSandbox,
  platform: AudienceCode,
  audience_id: string,
): Promise<string[]> {
  const { values } = await sandbox.control<{ values: string[] }>(
    `values?platform=${platformOfCode(platform)}&audience_id=${audience_id}`,
  )
  return values.toSorted()
}

export const md5 = (text: string) => createHash('md5').update(text).digest('hex')
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
/** Made-up device ids, hashed. */
export const hashes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => md5(String(860_000_000_000_000 + from + index)))

import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Database } from './database.ts'
import { PLATFORMS, type PlatformName } from './platforms.ts'
import type { SwitchBoard } from './switches.ts'

export interface Grant {
  platform: PlatformName
  login_id: string
  accounts: readonly string[]
  scopes: readonly string[]
}

export interface Token extends Grant {
  access: string
  refresh: string
  app_id: string
  made_at: number
  expires_at: number
  refresh_expires_at: number
}

type TokenRow = Omit<Token, 'accounts' | 'scopes'> & { accounts: string; scopes: string }
const read = (row: TokenRow | undefined): Token | undefined =>
  row && { ...row, accounts: JSON.parse(row.accounts), scopes: JSON.parse(row.scopes) }

const secret = (bytes: number) => randomBytes(bytes).toString('hex')

export type Tokens = ReturnType<typeof tokensOf>

/** Authorisation codes, and the tokens given for them. */
export function tokensOf(db: Database, clock: Clock, switches: SwitchBoard) {
  const tokens = {
    now: () => clock.now(),
    makeCode(grant: Grant, redirect_uri: string): string {
      const code = secret(16)
      const { platform, login_id } = grant
      db.together(() => {
        if (PLATFORMS[platform].hasOneCode) {
          db.run('UPDATE code SET is_used = 1 WHERE platform = ? AND login_id = ?', platform, login_id)
        }
        db.run(
          'INSERT INTO code VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)',
          ...[
            code,
            platform,
            PLATFORMS[platform].app.id,
            login_id,
            JSON.stringify(grant.accounts),
            JSON.stringify(grant.scopes),
          ],
          ...[redirect_uri, clock.now()],
        )
      })
      return code
    },
    code(platform: PlatformName, code: string) {
      const row = db.one<{
        login_id: string
        accounts: string
        scopes: string
        redirect_uri: string
        made_at: number
        is_used: number
      }>('SELECT * FROM code WHERE platform = ? AND code = ?', platform, code)
      if (!row) return undefined
      const grant: Grant = {
        platform,
        login_id: row.login_id,
        accounts: JSON.parse(row.accounts),
        scopes: JSON.parse(row.scopes),
      }
      return { grant, redirect_uri: row.redirect_uri, age: clock.now() - row.made_at, isUsed: row.is_used === 1 }
    },
    spendCode: (code: string) => db.run('UPDATE code SET is_used = 1 WHERE code = ?', code),
    make(grant: Grant, kept?: { refresh: string }): Token {
      const at = clock.now()
      const { access_token_seconds, refresh_token_seconds } = switches.now
      const token: Token = {
        ...grant,
        app_id: PLATFORMS[grant.platform].app.id,
        access: secret(20),
        refresh: kept?.refresh ?? secret(20),
        made_at: at,
        expires_at: at + access_token_seconds,
        refresh_expires_at: at + refresh_token_seconds,
      }
      db.run(
        'INSERT INTO token VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...[token.access, token.refresh, token.platform, token.app_id, token.login_id],
        ...[JSON.stringify(token.accounts), JSON.stringify(token.scopes)],
        ...[token.made_at, token.expires_at, token.refresh_expires_at],
      )
      return token
    },
    byAccess: (platform: PlatformName, access: string) =>
      read(db.one<TokenRow>('SELECT * FROM token WHERE platform = ? AND access = ?', platform, access)),
    byRefresh: (platform: PlatformName, refresh: string) =>
      read(
        db.one<TokenRow>(
          'SELECT * FROM token WHERE platform = ? AND refresh = ? ORDER BY made_at DESC LIMIT 1',
          ...[platform, refresh],
        ),
      ),
    latestOfLogin: (platform: PlatformName, login_id: string) =>
      read(
        db.one<TokenRow>(
          'SELECT * FROM token WHERE platform = ? AND login_id = ? ORDER BY made_at DESC, rowid DESC LIMIT 1',
          ...[platform, login_id],
        ),
      ),
    /** Whether it is a refresh token that is no longer valid. */
    isSpent: (refresh: string) => db.number('SELECT count(*) FROM spent_refresh WHERE refresh = ?', refresh) > 0,
    /** Ends a refresh token; access tokens made with it stay valid. */
    spendRefresh(refresh: string) {
      db.run('INSERT OR IGNORE INTO spent_refresh VALUES (?)', refresh)
      db.run("UPDATE token SET refresh = '' WHERE refresh = ?", refresh)
    },
    /** Ends all earlier tokens of the login. */
    endAllOfLogin(platform: PlatformName, login_id: string) {
      db.run(
        "INSERT OR IGNORE INTO spent_refresh SELECT refresh FROM token WHERE platform = ? AND login_id = ? AND refresh <> ''",
        ...[platform, login_id],
      )
      db.run('DELETE FROM token WHERE platform = ? AND login_id = ?', platform, login_id)
    },
    prolong(refresh: string) {
      const until = clock.now() + switches.now.refresh_token_seconds
      db.run('UPDATE token SET refresh_expires_at = ? WHERE refresh = ?', until, refresh)
    },
    /** Control: expires tokens that cover an account, or all. */
    expire(
      platform: PlatformName,
      what: 'access' | 'refresh',
      about: { account_id?: string; login_id?: string },
    ): number {
      const column = what === 'access' ? 'expires_at' : 'refresh_expires_at'
      return tokens.each(platform, about, (access) =>
        db.run(`UPDATE token SET ${column} = ? WHERE access = ?`, clock.now() - 1, access),
      )
    },
    /** Control: withdraws the authorisation, as a person would. */
    revoke: (platform: PlatformName, about: { account_id?: string; login_id?: string }): number =>
      tokens.each(platform, about, (access) => db.run('DELETE FROM token WHERE access = ?', access)),
    each(
      platform: PlatformName,
      { account_id, login_id }: { account_id?: string; login_id?: string },
      act: (access: string) => void,
    ) {
      const found = db.all<TokenRow>('SELECT * FROM token WHERE platform = ?', platform).filter((row) => {
        if (login_id !== undefined && row.login_id !== login_id) return false
        return account_id === undefined || (JSON.parse(row.accounts) as string[]).includes(account_id)
      })
      for (const row of found) act(row.access)
      return found.length
    },
    all: () => db.all<TokenRow>('SELECT * FROM token ORDER BY made_at').map((row) => read(row) as Token),
  }
  return tokens
}

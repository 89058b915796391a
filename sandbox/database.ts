import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

const SCHEMA = `
CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS login (
  platform TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (platform, id)) STRICT;
CREATE TABLE IF NOT EXISTS account (
  platform TEXT NOT NULL, id TEXT NOT NULL, login_id TEXT NOT NULL, name TEXT NOT NULL, company TEXT NOT NULL,
  kind TEXT NOT NULL, parent_id TEXT, is_valid INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (platform, id)) STRICT;
CREATE TABLE IF NOT EXISTS code (
  code TEXT PRIMARY KEY, platform TEXT NOT NULL, app_id TEXT NOT NULL, login_id TEXT NOT NULL, accounts TEXT NOT NULL,
  scopes TEXT NOT NULL, redirect_uri TEXT NOT NULL, made_at REAL NOT NULL, is_used INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE IF NOT EXISTS token (
  access TEXT PRIMARY KEY, refresh TEXT NOT NULL, platform TEXT NOT NULL, app_id TEXT NOT NULL, login_id TEXT NOT NULL,
  accounts TEXT NOT NULL, scopes TEXT NOT NULL, made_at REAL NOT NULL, expires_at REAL NOT NULL,
  refresh_expires_at REAL NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS token_refresh ON token (refresh);
-- Refresh tokens that were good once.
CREATE TABLE IF NOT EXISTS spent_refresh (refresh TEXT PRIMARY KEY) STRICT;
CREATE TABLE IF NOT EXISTS request_id (
  app_id TEXT NOT NULL, request_id TEXT NOT NULL, digest TEXT NOT NULL, answer TEXT NOT NULL, at REAL NOT NULL,
  PRIMARY KEY (app_id, request_id)) STRICT;
CREATE TABLE IF NOT EXISTS call (
  no INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, platform TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
  account_id TEXT, request_id TEXT, code INTEGER, fault TEXT, is_carried INTEGER NOT NULL, unknown TEXT) STRICT;

CREATE TABLE IF NOT EXISTS social_audience (
  no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, name TEXT NOT NULL,
  description TEXT NOT NULL, type TEXT NOT NULL, outer_id TEXT, cooperated INTEGER NOT NULL, status TEXT NOT NULL,
  online_status TEXT NOT NULL, error_code INTEGER NOT NULL, used_by TEXT, made_at REAL NOT NULL, changed_at REAL NOT NULL,
  is_deleted INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS social_audience_name ON social_audience (account_id, name) WHERE NOT is_deleted;
CREATE UNIQUE INDEX IF NOT EXISTS social_audience_outer ON social_audience (account_id, outer_id)
  WHERE outer_id IS NOT NULL AND NOT is_deleted;
CREATE TABLE IF NOT EXISTS social_file (
  no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, audience_id TEXT NOT NULL, account_id TEXT NOT NULL,
  name TEXT NOT NULL, user_id_type TEXT NOT NULL, operation_type TEXT NOT NULL, open_app_id TEXT NOT NULL,
  size INTEGER NOT NULL, path TEXT NOT NULL, is_half INTEGER NOT NULL, status TEXT NOT NULL, process_code INTEGER NOT NULL,
  error_message TEXT NOT NULL, line_count INTEGER NOT NULL, valid_line_count INTEGER NOT NULL, user_count INTEGER NOT NULL,
  made_at REAL NOT NULL, begins_at REAL NOT NULL, due_at REAL NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS social_file_audience ON social_file (audience_id);
CREATE INDEX IF NOT EXISTS social_file_due ON social_file (due_at) WHERE status IN ('PENDING', 'PROCESSING');
CREATE TABLE IF NOT EXISTS social_value (
  audience INTEGER NOT NULL, kind TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (audience, kind, value)) WITHOUT ROWID, STRICT;
-- Who else may use an audience, and for what.
CREATE TABLE IF NOT EXISTS social_grant (
  audience_id TEXT NOT NULL, account_id TEXT NOT NULL, business_id TEXT NOT NULL, permissions TEXT NOT NULL,
  made_at REAL NOT NULL, PRIMARY KEY (audience_id, account_id)) STRICT;
CREATE TABLE IF NOT EXISTS social_targeting (
  no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, name TEXT NOT NULL,
  description TEXT NOT NULL, targeting TEXT NOT NULL, shared_from TEXT,
  made_at REAL NOT NULL, changed_at REAL NOT NULL, is_deleted INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE IF NOT EXISTS social_adgroup (
  no INTEGER PRIMARY KEY AUTOINCREMENT, account_id TEXT NOT NULL, name TEXT NOT NULL, targeting_id TEXT NOT NULL,
  configured_status TEXT NOT NULL, UNIQUE (account_id, name)) STRICT;
-- Ad groups of the newer generation, with their budgets in fen.
CREATE TABLE IF NOT EXISTS social_plan (
  no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, name TEXT NOT NULL,
  configured_status TEXT NOT NULL, system_status TEXT NOT NULL, daily_budget INTEGER NOT NULL, spent INTEGER NOT NULL DEFAULT 0,
  made_at REAL NOT NULL, changed_at REAL NOT NULL, is_deleted INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS social_plan_name ON social_plan (account_id, name) WHERE NOT is_deleted;
CREATE UNIQUE INDEX IF NOT EXISTS social_targeting_name ON social_targeting (account_id, name) WHERE NOT is_deleted;

CREATE TABLE IF NOT EXISTS video_upload (
  file_path TEXT PRIMARY KEY, account_id TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, made_at REAL NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS video_source (
  no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, name TEXT NOT NULL,
  description TEXT NOT NULL, type TEXT NOT NULL, status INTEGER NOT NULL, made_at REAL NOT NULL, changed_at REAL NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS video_change (
  id INTEGER PRIMARY KEY AUTOINCREMENT, source_id TEXT NOT NULL, action INTEGER NOT NULL, file_paths TEXT NOT NULL,
  is_half INTEGER NOT NULL, status INTEGER NOT NULL, message TEXT NOT NULL, made_at REAL NOT NULL, changed_at REAL NOT NULL,
  begins_at REAL NOT NULL, due_at REAL NOT NULL, published_at REAL) STRICT;
CREATE INDEX IF NOT EXISTS video_change_source ON video_change (source_id);
CREATE INDEX IF NOT EXISTS video_change_due ON video_change (due_at) WHERE status IN (0, 1);
CREATE TABLE IF NOT EXISTS video_audience (
  no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, source_id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL,
  name TEXT NOT NULL, status INTEGER NOT NULL, delivery_status TEXT NOT NULL, push_status INTEGER NOT NULL,
  custom_type INTEGER NOT NULL, cover_num INTEGER NOT NULL, upload_num INTEGER NOT NULL, published_at REAL, publish_due REAL,
  push_due REAL, pushed_to TEXT NOT NULL DEFAULT '[]', used_by TEXT, made_at REAL NOT NULL, changed_at REAL NOT NULL,
  is_deleted INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE IF NOT EXISTS video_value (
  source INTEGER NOT NULL, kind TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (source, kind, value)) WITHOUT ROWID, STRICT;
CREATE TABLE IF NOT EXISTS video_package (
  no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, name TEXT NOT NULL,
  description TEXT NOT NULL, landing_type TEXT NOT NULL, fixed TEXT NOT NULL, fields TEXT NOT NULL, made_at REAL NOT NULL,
  changed_at REAL NOT NULL, is_deleted INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS video_package_name ON video_package (account_id, name) WHERE NOT is_deleted;
CREATE TABLE IF NOT EXISTS video_project (
  no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, name TEXT NOT NULL,
  package_id TEXT, landing_type TEXT NOT NULL, status TEXT NOT NULL, made_at REAL NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS video_project_package ON video_project (package_id);
-- The daily budget of a project in fen; a project without a row has none.
CREATE TABLE IF NOT EXISTS video_project_budget (project_id TEXT PRIMARY KEY, budget INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS commerce_plan (
  no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, name TEXT NOT NULL,
  marketing_goal TEXT NOT NULL, opt_status TEXT NOT NULL, status TEXT NOT NULL, budget_mode TEXT NOT NULL, budget INTEGER NOT NULL,
  made_at REAL NOT NULL, changed_at REAL NOT NULL) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS commerce_plan_name ON commerce_plan (account_id, name) WHERE opt_status <> 'DELETE';
-- What calls gave of plans that they made or changed, in JSON.
CREATE TABLE IF NOT EXISTS plan_content (
  platform TEXT NOT NULL, plan_id TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (platform, plan_id)) WITHOUT ROWID, STRICT;
CREATE TABLE IF NOT EXISTS commerce_package (
  no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, account_id TEXT NOT NULL, name TEXT NOT NULL,
  fields TEXT NOT NULL, ad_num INTEGER NOT NULL, is_deleted INTEGER NOT NULL DEFAULT 0) STRICT;
`

export type Database = ReturnType<typeof openDatabase>
export type Row = Record<string, string | number | null>

/** All state, including the sent files, in one SQLite file in the directory. */
export function openDatabase(dir: string) {
  mkdirSync(join(dir, 'files'), { recursive: true, mode: 0o700 })
  const sqlite = new DatabaseSync(join(dir, 'sandbox.sqlite'), { timeout: 5000 })
  sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000;')
  sqlite.exec(SCHEMA)
  const prepared = new Map<string, StatementSync>()
  const statement = (sql: string): StatementSync => {
    let found = prepared.get(sql)
    if (!found) {
      found = sqlite.prepare(sql)
      prepared.set(sql, found)
    }
    return found
  }
  let depth = 0
  const db = {
    files: join(dir, 'files'),
    run: (sql: string, ...values: SQLInputValue[]) => statement(sql).run(...values),
    one: <T = Row>(sql: string, ...values: SQLInputValue[]) => statement(sql).get(...values) as T | undefined,
    all: <T = Row>(sql: string, ...values: SQLInputValue[]) => statement(sql).all(...values) as T[],
    // Prepared anew, since a statement that is being iterated cannot be run again.
    *each<T = Row>(sql: string, ...values: SQLInputValue[]) {
      for (const row of sqlite.prepare(sql).iterate(...values)) yield row as T
    },
    number: (sql: string, ...values: SQLInputValue[]): number =>
      Number(Object.values(statement(sql).get(...values) ?? { n: 0 })[0] ?? 0),
    /** Runs in a transaction; a nested call joins the outer one. */
    together<T>(act: () => T): T {
      if (depth > 0) return act()
      sqlite.exec('BEGIN IMMEDIATE')
      depth++
      try {
        const result = act()
        sqlite.exec('COMMIT')
        return result
      } catch (error) {
        sqlite.exec('ROLLBACK')
        throw error
      } finally {
        depth--
      }
    },
    kept: (name: string) => db.one<{ value: string }>('SELECT value FROM setting WHERE name = ?', name)?.value,
    keep: (name: string, value: string) =>
      db.run('INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', name, value),
    close: () => sqlite.close(),
  }
  return db
}

import type { Database } from './database.ts'
import type { Json } from './json.ts'
import { parseJson, writeJson } from './json.ts'

export type PlanContent = { [name: string]: Json }
type Platform = 'social' | 'video' | 'commerce'

/** What calls gave of a plan; nothing of one that was made on the platform's pages. */
export function contentOf(db: Database, platform: Platform, plan_id: string): PlanContent {
  const sql = 'SELECT content FROM plan_content WHERE platform = ? AND plan_id = ?'
  const kept = db.one<{ content: string }>(sql, platform, plan_id)
  return kept ? (parseJson(kept.content) as PlanContent) : {}
}

/** Keeps what a call gave; what it left out stays. */
export function keepContent(db: Database, platform: Platform, plan_id: string, given: PlanContent): void {
  const content = writeJson({ ...contentOf(db, platform, plan_id), ...given })
  db.run('REPLACE INTO plan_content VALUES (?, ?, ?)', platform, plan_id, content)
}
